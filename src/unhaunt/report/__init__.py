"""Pure functions from values to text, one module a format."""

"""Find what decides the meaning of `import` before the first line of a program runs."""

__version__ = "0.1.0"

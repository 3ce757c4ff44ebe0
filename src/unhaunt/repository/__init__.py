"""A git repository: what is in it, and who can see it."""

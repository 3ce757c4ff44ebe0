"""Which file an import statement of the repository would take, told from what is written."""

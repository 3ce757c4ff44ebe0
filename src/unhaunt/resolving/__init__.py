"""Which file `import X` would give in an interpreter, without importing anything."""

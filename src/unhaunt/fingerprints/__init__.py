"""What was learnt of an interpreter, and how several of them differ."""

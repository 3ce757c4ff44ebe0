"""What an interpreter would run before the first line, and who put it there."""

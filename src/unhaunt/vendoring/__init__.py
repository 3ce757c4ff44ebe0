"""Making one file of this tool: what goes in, which bytes, and whether a copy is the right one."""

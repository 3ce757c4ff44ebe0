"""Placeholder until the branch is merged."""

RULES = ()

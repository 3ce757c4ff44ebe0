"""`python -I -m unhaunt`: the form that a poisoned environment cannot switch off."""

from __future__ import annotations

from unhaunt.cli import console

if __name__ == "__main__":
    raise SystemExit(console())

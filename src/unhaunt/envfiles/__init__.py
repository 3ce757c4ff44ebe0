"""Env files: what committed files set PYTHONPATH and its relatives to, for whom, and how bad it is.

A few grammars, one table of formats, and what a value means. Pure: no IO; a rule hands in bytes.
"""

from __future__ import annotations

from unhaunt.envfiles.folders import folders_on_path
from unhaunt.envfiles.judge import Verdict, judge
from unhaunt.envfiles.mentions import named_env_files, words_to_look_for
from unhaunt.envfiles.scan import Scan, scan

__all__ = (
    "Scan",
    "Verdict",
    "folders_on_path",
    "judge",
    "named_env_files",
    "scan",
    "words_to_look_for",
)

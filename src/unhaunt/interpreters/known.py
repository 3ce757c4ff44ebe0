"""Startup files that tools write and no list names, by the SHA-256 of all of their bytes. Data.

`_virtualenv.py` is `virtualenv/create/via_global_ref/_virtualenv.py` of virtualenv's wheels, and
what `uv venv` writes; `_virtualenv.pth` is its one line. A name is never enough.
"""

from __future__ import annotations

_VIRTUALENV = "virtualenv or uv"

CONTENTS = {
    "69ac3d8f27e679c81b94ab30b3b56e9cd138219b1ba94a1fa3606d5a76a1433d": _VIRTUALENV,
    "684b8c07932ba4a84ac2e5ae9afe49ef04e92bac3d8d4191d455cf09d093e5fc": "virtualenv 20.0 to 20.12",
    "ce57d5e0d9b5d7356cb42da7450ba8f9359bdf693e335f4c921626943c77e64d": "virtualenv 20.13 to 20.16",
    "c9199315871b11b12df226f890a38e66e63191e1adbfb11a66e6861151b33fca": "virtualenv 20.16 to 20.21",
    "f4dfaeb9efc1614890cfa94ed15bbe9b2ee15fbe76d569ef5e435e93e4987dc7": "virtualenv 20.22",
    "119e4eb9c1a39e6ffd220840844bd326fa1bd3acf2f1c9fa0612949aedc228a5": "virtualenv 20.23",
    "0aeb86546345c1d0fada097536e35525714d5cdbcc2d8eb3f9912a955044fcff": "virtualenv 20.24",
    "0f20351ea7e90039c46d3fabdef991f28b1e3ff33eb13ee6f0d5cd21ea0e8b14": "virtualenv 20.25 to 20.34",
    "bec6155ff7bfc88f8e79e481f27fd7ee0a3b40eeca9bfeb41f4c4b997b2f8100": "virtualenv 20.35 to 20.36",
    "02943e192823d75212f206e1f2991ac572119882683a95dfbb7a1b913d7b14b5": "virtualenv 20.39 to 21.0",
    "e8c426ce260f866254ff35cefedc8b3efbd6d1446d99d7a4cdeb0095f98a8b8f": "virtualenv 21.2",
    "460589e83387d4dfe5fd84d41c5f6979599f5cd080983d73c832549161c80435": "virtualenv 21.5",
    "0278334cdcfab4c746b4416fbd5c2b6e7da937c81e132397d62c361d404ebe0e": "virtualenv 21.7 to 21.14",
    "cfe56cafbd68fd31a0e87100f111d7d2f6b7157241096500013c07e88d80a22f": "virtualenv 21.15",
    "ee52b2e2e720a40885a6b4b90c40e28e5c70e550af74d5efd169eaa5db2a6f6f": "uv 0.2",
    "6cf30c56faf2a55228914dbbd17f8088ed371ebb08f5e7fa6fd931f913fcaf1d": "uv 0.5 to 0.8",
    "cfb3db86aaa53bb62b5ff764970bec2d71c9228590a0ebec57f6ec926cc0bf1a": "uv 0.13",
}

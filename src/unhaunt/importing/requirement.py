"""From the name of a distribution to the names that it is imported by. Pure: no IO."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: distributions whose import names cannot be guessed from their own; PEP 503 normalised
_IMPORTED_AS = {
    "attrs": ("attr", "attrs"),
    "beautifulsoup4": ("bs4",),
    "biopython": ("Bio",),
    "django-environ": ("environ",),
    "djangorestframework": ("rest_framework",),
    "faiss-cpu": ("faiss",),
    "gitpython": ("git",),
    "google-api-python-client": ("googleapiclient", "apiclient"),
    "grpcio": ("grpc",),
    "msgpack-python": ("msgpack",),
    "mysqlclient": ("MySQLdb",),
    "opencv-contrib-python": ("cv2",),
    "opencv-python": ("cv2",),
    "opencv-python-headless": ("cv2",),
    "pillow": ("PIL",),
    "protobuf": ("google",),
    "psycopg2-binary": ("psycopg2",),
    "pycryptodome": ("Crypto",),
    "pyjwt": ("jwt",),
    "pymysql": ("pymysql",),
    "pyopenssl": ("OpenSSL",),
    "pyserial": ("serial",),
    "pytest": ("pytest", "_pytest"),
    "python-dateutil": ("dateutil",),
    "python-decouple": ("decouple",),
    "python-dotenv": ("dotenv",),
    "python-jose": ("jose",),
    "python-magic": ("magic",),
    "python-multipart": ("multipart", "python_multipart"),
    "python-slugify": ("slugify",),
    "pyyaml": ("yaml",),
    "pyzmq": ("zmq",),
    "ruamel-yaml": ("ruamel",),
    "scikit-image": ("skimage",),
    "scikit-learn": ("sklearn",),
    "setuptools": ("setuptools", "pkg_resources", "_distutils_hack"),
    "umap-learn": ("umap",),
}
_NAME = re.compile(r"\s*-?\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def requirement_names(text: str) -> Iterator[str]:
    """Yield the normalised names (PEP 503) that the lines of a requirements text ask for (PEP 508).

    Options (`-r`, `--index-url`), comments and direct URLs name no distribution.
    """
    for line in text.splitlines():
        bare = line.partition("#")[0].strip()
        match = _NAME.match(bare)
        if match and not bare.startswith("-") and "://" not in match[0] + bare[match.end() :][:3]:
            yield re.sub(r"[-_.]+", "-", match[1]).lower()


def import_names(distribution: str) -> tuple[str, ...]:
    """Return the names by which a distribution (normalised) is imported, as far as known."""
    known = _IMPORTED_AS.get(distribution)
    return known or (distribution.replace("-", "_"),)

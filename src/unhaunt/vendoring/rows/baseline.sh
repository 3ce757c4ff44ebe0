# When the image is built, after everything is installed: sh baseline.sh /opt/venv/bin/python
# Writes baseline.json beside unhaunt.pyz: what decides the imports of that Python.
set -eu
home=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
exec python3 -I -S "$home/unhaunt.pyz" \
    fingerprint -C / --no-config --python "$1" --output "$home/baseline.json"

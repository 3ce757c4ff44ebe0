# When a task starts: sh gate.sh COMMAND ...   (without a command: only compares)
# Compares this environment with baseline.json, then becomes the command. Writes nothing.
# Exit 1: it differs, and stderr says in what; exit 2: it could not be compared.
set -eu
home=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
python=$(python3 -I -S -c 'import json, sys
print(json.load(open(sys.argv[1]))["interpreter"]["executable"])' "$home/baseline.json" 2>/dev/null) ||
    { echo "error: $home/baseline.json is no fingerprint: run baseline.sh" >&2; exit 2; }
python3 -I -S "$home/unhaunt.pyz" \
    fingerprint -C / --no-config --python "$python" --format json </dev/null |
    python3 -I -S "$home/unhaunt.pyz" \
        compare -C / --no-config /dev/stdin "$home/baseline.json" >&2
[ $# -eq 0 ] || exec "$@"

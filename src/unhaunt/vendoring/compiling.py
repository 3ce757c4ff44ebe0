# An island: run by the Python whose bytecode it makes, under -I -S. REQUEST is put in front.
#
# A process of its own, because marshal writes down how often an object is used, and in a process
# that has done other things before, that differs.
import base64
import importlib.util
import json
import marshal
import sys

REQUEST = globals().get("REQUEST", "{}")
#: PEP 552: a pyc that is not compared with its source, which lies beside it in the same file
UNCHECKED = (1).to_bytes(4, "little")

for name, text in sorted(json.loads(REQUEST).items()):
    source = text.encode("latin-1")
    code = compile(source, f"unhaunt.pyz/{name}", "exec", dont_inherit=True, optimize=0)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    sys.stdout.write(f"{name} {base64.b64encode(head + marshal.dumps(code)).decode()}\n")

"""The digest of a table that golden answers and saved projects hold: SHA-256 of its schema, codes and steps."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from engine.data.digest import _steps


def fingerprint_sha256(data: Any) -> str:
    """Hexadecimal digest of all codes in memory and the whole schema."""
    codes = data.codes
    schema = {
        "names": data.names,
        "levels": [data.levels[name] for name in data.names],
        "kinds": [data.kinds[name] for name in data.names],
        "cuts": {name: list(data.cuts[name]) for name in sorted(data.cuts)},
        "shape": codes.shape,
        "type": codes.dtype.str,
    }
    if data.roles:
        schema["roles"] = dict(sorted(data.roles.items()))
    return hashlib.sha256(json.dumps(schema).encode() + codes.tobytes() + _steps(data)).hexdigest()

"""What a notebook gets of our values, taken apart."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping


def frame_document(bundle: Mapping[str, str]) -> str:
    """The document inside the frame, which is sandboxed and may load nothing."""
    assert set(bundle) == {"text/plain", "text/html"}
    found = re.fullmatch(
        r'<iframe sandbox="" srcdoc="([^"]*)" title="[^"]*" style="[^"<>]*"></iframe>', bundle["text/html"]
    )
    assert found is not None
    document = html.unescape(found[1])
    assert "default-src 'none'" in document and "http://" not in document.replace("http://www.w3.org/2000/svg", "")
    return document

"""What stands before the Diptych of one user: /etc/diptych/standalone_config.py, read by `jupyter-standaloneproxy`.

Other people on this computer reach the port of this Diptych as well. So it answers only who knows a secret, which is
made here anew each time, and which nobody but this user can read.
"""

import os
import secrets
import tempfile

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - Jupyter puts it there

USER = "X-Remote-User"
secret = secrets.token_urlsafe(32)
descriptor, file = tempfile.mkstemp(prefix="diptych-secret-")  # mode 600
with os.fdopen(descriptor, "w") as opened:
    opened.write(secret)

c.StandaloneProxyServer.absolute_url = True  # Diptych knows its path
c.StandaloneProxyServer.timeout = 60
c.StandaloneProxyServer.request_headers_override = {
    "X-Diptych-Proxy-Secret": secret,
    USER: os.environ["JUPYTERHUB_USER"],
    "X-Forwarded-Proto": "https",
}
c.StandaloneProxyServer.command = [
    "/opt/diptych/bin/diptych",
    "--headless",
    "--jobs=1",
    "--port={port}",
    "--base={base_url}",
    "--name=ward.example",
    f"--behind-proxy={USER}",
    f"--proxy-secret-file={file}",
]

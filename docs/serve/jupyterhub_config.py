"""JupyterHub that gives each user a Diptych in a process of their own: /etc/diptych/jupyterhub_config.py.

Start it with `jupyterhub -f /etc/diptych/jupyterhub_config.py`. People sign in with their account on this computer;
other ways of signing in are set here too.
"""

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - JupyterHub puts it there

c.JupyterHub.bind_url = "https://:443"
c.JupyterHub.ssl_cert = "/etc/diptych/cert.pem"
c.JupyterHub.ssl_key = "/etc/diptych/key.pem"
c.Authenticator.allowed_users = {"anna", "ben"}

c.Spawner.cmd = ["jupyter-standaloneproxy", "--config=/etc/diptych/standalone_config.py"]
c.Spawner.default_url = ""
c.Spawner.http_timeout = 60

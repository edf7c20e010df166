"""The console command `diptych`: start the dashboard on this computer, with nothing going out."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import shutil
import signal
import socket
import ssl
import stat
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from dashboard.jobs.job_queue import warm_up
from dashboard.network.standalone import check_vis_network, vis_network_file
from dashboard.server import operator
from dashboard.server.browsers import Access, new_key
from dashboard.server.exchange import exchange_key, exchange_token
from dashboard.server.faults import keep_messages_out_of_the_log, report
from dashboard.server.guard import BOOT, LOCAL_NAMES, Guard, UploadGate
from dashboard.server.limits import CPU_MINUTES, LONGEST_HOURS, Lock, UserLimits
from dashboard.server.log import Log, open_log
from dashboard.server.memory import KEEP_MINUTES, Memory, garbage, memory, remember
from dashboard.server.options import option_parser
from dashboard.server.paths import PathAccess, real_folder
from dashboard.server.proxy import USER, USER_KEY, Proxy
from dashboard.server.uploads import MOST_MEGABYTES
from dashboard.session.private_parts import (
    check_parts,
    forget_drawn_values,
    forget_files,
    is_active,
    let_go,
    looking_after_tabs,
    say_nothing_of_the_server,
    stored_uploads,
    this_tab,
)
from dashboard.text import plain
from dashboard.theme import streamlit_theme
from engine import DiptychError
from engine.data.reading.filetype import is_plain_file
from engine.data.reading.limits import MEGABYTE
from engine.words import short

APP = Path(__file__).parents[1] / "app.py"
ASSETS = Path(__file__).parents[1] / "network" / "assets"
STUDIES = (
    "The papers' studies are run from the repository of Diptych: python -m benchmarks.papers --help lists them; "
    "Evaluate shows what came of them."
)
UNPROTECTED = (
    "Other computers can reach this server. Without --certfile and --keyfile whoever sits between can read the link "
    "and every table."
)
UNNAMED = "Any host name is answered. Say with --name which one people type."
UNPRINTED = "..."
"""In place of the token of a file: what is printed stays in the journal of a system, and who runs it has the file."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, warm the job processes, serve until stopped; or look for servers, or stop one."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["study"]:
        print(STUDIES, file=sys.stderr)  # noqa: T201 - the command's own words
        sys.exit(2)
    if given[:1] in (["status"], ["stop"]):
        sys.exit(operator.main(given[0], given[1:]))
    opened = given[:1] == ["open"]
    options = option_parser(opened).parse_args(given[opened:])
    check_parts()
    check_vis_network()
    port = _checked_port(options.host, options.port) if options.port is not None else _free_port(options.host)
    pending = _project(options.file) if opened else None
    token, certificate = _token(options.host, options.token_file), _certificate(options.certfile, options.keyfile)
    if options.log is not None:
        open_log(_log(options.log))
    proxy = _proxy(options.host, options.behind_proxy, options.proxy_secret_file)
    if options.host not in LOOPBACK and certificate is None:
        print(UNPROTECTED, file=sys.stderr)  # noqa: T201 - the command's own words
    if proxy is None and _answered_names(options.host, options.name) is None:
        print(UNNAMED, file=sys.stderr)  # noqa: T201 - the command's own words
    paths = _paths(
        options.folder, options.work_folder, options.dask or "", shared=_is_shared(options.host, token, proxy)
    )
    _use_writable_kernel_cache()
    warm_up(options.jobs)
    password = new_key() if opened and options.host not in LOOPBACK else ""  # the file is for who reads the address
    serve(
        options.host,
        port,
        headless=options.headless,
        keep=options.keep,
        memory_mb=options.memory,
        pending=pending,
        password=password,
        token=token,
        printed_token=token if options.token_file is None else UNPRINTED,
        names=options.name,
        certificate=certificate,
        base=options.base,
        proxy=proxy,
        cpu_minutes=options.user_minutes,
        longest=options.longest,
        paths=paths,
        smallest_cell=options.smallest_cell,
    )


def _proxy(host: str, header: str | None, file: str | None) -> Proxy | None:
    """The proxy before the server, where it is said how it names its users and by what it is known."""
    if header is None and file is None:
        return None
    if header is None or file is None:
        _leave("A proxy needs both --behind-proxy and --proxy-secret-file.")
    if host not in LOOPBACK:
        _leave("Behind a proxy Diptych listens on this computer only; leave --host out.")
    return Proxy(header.lower(), _secret(file, "proxy secret"))


def _is_shared(host: str, token: str, proxy: Proxy | None) -> bool:
    """True where others than the user of this computer can reach the server."""
    return proxy is not None or bool(token) or host not in LOOPBACK


def _paths(folders: Sequence[str], work_folder: str | None, dask: str = "", *, shared: bool) -> PathAccess | None:
    """Access to tables by path, and who may count them: of others' computers only what the operator offers."""
    if dask and importlib.util.find_spec("distributed") is None:
        _leave('--dask needs one package more: pip install "diptych[cluster]".')
    for name in [*folders, *([work_folder] if work_folder is not None else [])]:
        try:
            real_folder(name)
        except (OSError, ValueError):
            _leave(
                f"There is no folder '{short(Path(name).name, 60)}' that can be used; check --folder and --work-folder."
            )
    if not folders and shared:
        return None
    place = None if work_folder is None else _work_folder(real_folder(work_folder))
    return PathAccess(tuple(map(real_folder, folders)) or None, place, dask)


def _work_folder(base: Path) -> Path:
    """A folder in it that goes with this server."""
    try:
        return _temporary_folder(base, "diptych-rows-")
    except OSError:
        _leave(f"Nothing can be written to the folder '{short(base.name, 60)}'; give another one with --work-folder.")


def _token(host: str, file: str | None) -> str:
    """Token in the link of a server that is reached from elsewhere; "" for one of this computer alone."""
    if file is None:
        return "" if host in LOOPBACK else new_key()
    return _secret(file, "token")


def _secret(file: str, kind: str) -> str:
    """The one line of a file that only the server, and who may use it, can read."""
    try:
        if not is_plain_file(Path(file)):
            raise FileNotFoundError
        secret = Path(file).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        _leave(f"The {kind} file '{Path(file).name}' cannot be read.")
    if not _SECRET.fullmatch(secret):
        _leave(f"A {kind} has 20 to 200 letters, digits, - and _, one line in its file.")
    return secret


def _log(file: str) -> Log:
    """The log of what is done, in a file that can be written."""
    try:
        return Log(Path(file).absolute(), this_tab)
    except OSError:
        _leave(f"The log file '{Path(file).name}' cannot be written.")


_SECRET = re.compile(r"[A-Za-z0-9_-]{20,200}")


def _certificate(certfile: str | None, keyfile: str | None) -> tuple[str, str] | None:
    """The files for TLS, where both are given and belong together."""
    if certfile is None and keyfile is None:
        return None
    if certfile is None or keyfile is None:
        _leave("TLS needs both --certfile and --keyfile.")
    try:
        if not (is_plain_file(Path(certfile)) and is_plain_file(Path(keyfile))):
            raise FileNotFoundError
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certfile, keyfile, password=lambda: "")
    except (OSError, ValueError):  # SSLError is an OSError
        _leave("The certificate and its key cannot be read, or do not belong together.")
    return certfile, keyfile


def _project(path: str) -> bytes:
    """The content of a file of ours, looked at before anything is served."""
    files = importlib.import_module("engine.project.file")  # a server without a file answers before this is loaded
    try:
        files.load(path)
        return Path(path).read_bytes()
    except (DiptychError, OSError) as error:
        _leave(str(error))


def _leave(sentence: str) -> NoReturn:
    """End the command before anything is served."""
    print(sentence, file=sys.stderr)  # noqa: T201 - the command's own words
    sys.exit(2)


def serve(
    host: str,
    port: int,
    *,
    headless: bool,
    script: Path = APP,
    keep: float = KEEP_MINUTES,
    memory_mb: int = 0,
    pending: bytes | None = None,
    password: str = "",
    token: str = "",
    printed_token: str = "",
    names: Sequence[str] = (),
    certificate: tuple[str, str] | None = None,
    base: str = "",
    proxy: Proxy | None = None,
    cpu_minutes: float = CPU_MINUTES,
    longest: float = LONGEST_HOURS,
    paths: PathAccess | None = None,
    smallest_cell: int = 0,
) -> None:
    """Serve `script` until stopped, and keep what nobody looks at for so many minutes; blocks.

    The first tab that comes opens `pending`, a file of ours, where its address says the password.

    Parameters
    ----------
    token : what a browser has to bring once, by its link
    printed_token : what the link has in its place where it is printed
    names : hosts that are answered
    certificate : files of the certificate and of its key, for TLS
    base : the path before all of its own
    proxy : what stands before the server and names its users
    cpu_minutes, longest : of a processor for each user an hour, and hours for which work is kept at most; both where
        others can reach the server: it has a token, stands behind a proxy or listens on another address than its own
    paths : which tables may be opened by their path; None for none
    smallest_cell : counts from 1 to below this are shown and saved nowhere; 0 hides none
    """
    sessions = remember(
        Memory(
            60 * keep,
            is_active,
            let_go,
            forget_files,
            watching=True,
            most=memory_mb * MEGABYTE,
            uploaded=stored_uploads,
        )
    )
    sessions.pending, sessions.password, sessions.paths = pending, password, paths
    sessions.smallest_cell = smallest_cell
    if _is_shared(host, token, proxy):
        sessions.limits, sessions.longest = UserLimits(cpu_seconds=60 * cpu_minutes), 3600 * longest
        sessions.lock = Lock(token=token, proxied=proxy is not None)
    keep_messages_out_of_the_log()
    say_nothing_of_the_server()
    _import_early()
    access = Access(port, token, certificate is not None or proxy is not None, base, proxy)
    answered = None if proxy is not None and not names else _answered_names(host, names)
    shown = _in_address(names[0] if names and proxy is None else host)
    address = f"{'http' if certificate is None else 'https'}://{shown}:{port}{base}"
    address += f"/?open={password}" if password else "/" if token else ""
    address += f"#token={printed_token}" if token else ""
    settings = configuration(host, port, headless=headless or proxy is not None)
    if proxy is not None:
        settings["server.trustedUserHeaders"] = {USER.decode(): USER_KEY}
    settings["server.baseUrlPath"] = base.strip("/")
    settings["server.allowedHosts"] = [] if answered is None else sorted(answered)
    if certificate is not None:
        settings["server.sslCertFile"], settings["server.sslKeyFile"] = certificate
    # left to itself the server would end by the signal, without what is to be done at the end of a program
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    about = {"port": port, "base": base}
    with (
        suppress(KeyboardInterrupt),
        operator.listening(about, _count_held, partial(signal.raise_signal, signal.SIGTERM)),
    ):
        build_app(access, answered, script, address).run(config=settings)


def _count_held() -> dict[str, int]:
    """Counts of what this server holds."""
    return memory().counts() | {"uploads": memory().uploads.total}


def _answered_names(host: str, names: Sequence[str]) -> frozenset[str] | None:
    """The hosts that are answered: those named, else the one listened on; None where that is every address."""
    if names:
        return frozenset(name.strip("[]").lower() for name in names)
    if host in LOOPBACK:
        return LOCAL_NAMES
    return None if host in ("0.0.0.0", "::") else frozenset({host.lower()})  # noqa: S104 - compared, not bound


def build_app(access: Access, names: frozenset[str] | None, script: Path = APP, address: str = "") -> Any:
    """The ASGI application: Streamlit behind our headers, with the assets of our components beside it.

    It says its address once it can be reached there. `names` are the hosts it answers to, None for any.
    """
    from starlette.middleware import Middleware
    from starlette.responses import FileResponse, JSONResponse, PlainTextResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
    from streamlit.starlette import App

    async def vis_network(_request: Any) -> FileResponse:
        return FileResponse(vis_network_file(), media_type="text/javascript")

    begun = new_key()[:16]

    async def boot(_request: Any) -> PlainTextResponse:
        return PlainTextResponse(begun)

    async def held(_request: Any) -> JSONResponse:
        return JSONResponse(_count_held())

    @asynccontextmanager
    async def serving(app: Any) -> AsyncIterator[None]:
        async with looking_after_tabs(app):
            if address:  # the port is bound by now
                print(f"Diptych is at {address} (stop with Ctrl+C)", flush=True)  # noqa: T201 - the command's own words
            try:
                yield
            finally:
                while _made:
                    _made.pop().cleanup()

    return App(
        script,
        lifespan=serving,
        routes=[
            Route(f"{access.base}/diptych/vis-network.js", vis_network),
            Route(f"{access.base}/diptych/held", held),
            Route(f"{access.base}{BOOT}", boot),
            Route(f"{access.base}/diptych/key", partial(exchange_key, access=access), methods=["POST"]),
            Route(f"{access.base}/diptych/token", partial(exchange_token, access=access), methods=["POST"]),
            Mount(f"{access.base}/diptych", StaticFiles(directory=ASSETS)),
        ],
        middleware=[
            Middleware(Guard, names=names, access=access),
            Middleware(UploadGate),
        ],
        on_script_error=_show_fault,
    )


def configuration(host: str, port: int, *, headless: bool) -> dict[str, Any]:
    """Streamlit's settings; they win over any configuration file on this computer."""
    return {
        "server.address": host,
        "server.port": port,
        "server.headless": headless,
        "server.showEmailPrompt": False,
        "server.fileWatcherType": "none",
        "server.runOnSave": False,
        "server.enableStaticServing": False,
        "server.enableAgentApi": False,
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.allowedHosts": ["localhost", "127.0.0.1", "::1"] if host in LOOPBACK else [],
        "server.maxUploadSize": MOST_MEGABYTES,
        "server.maxMessageSize": 200,
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "client.toolbarMode": "viewer",
        "client.allowedOrigins": [],
        "runner.magicEnabled": False,
        "runner.postScriptGC": False,  # see dashboard.server.memory
        "global.disableWidgetStateDuplicationWarning": True,  # a tab that comes back sets what its widgets said
        "logger.enableRich": False,
        "logger.hideWelcomeMessage": True,
        **streamlit_theme(),
    }


def _free_port(host: str, first: int = 8501, tries: int = 50) -> int:
    """The first port from `first` on that nobody listens on."""
    for port in range(first, first + tries):
        trouble = _unusable(host, port)
        if trouble is None:
            return port
        if trouble.errno not in (errno.EADDRINUSE, errno.EACCES):
            _leave(_of_trouble(host, port, trouble))
    _leave(f"No free port between {first} and {first + tries - 1}; choose one with --port.")


def _checked_port(host: str, port: int) -> int:
    """The port, where it can be listened on."""
    trouble = _unusable(host, port)
    return port if trouble is None else _leave(_of_trouble(host, port, trouble))


def _unusable(host: str, port: int) -> OSError | None:
    """Why nobody can listen on a port; None where somebody can."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name != "nt":  # as the server binds it: what a server that has just ended leaves is no hindrance
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as trouble:
        return trouble
    return None


def _of_trouble(host: str, port: int, trouble: OSError) -> str:
    """Why nobody can listen there, in a sentence."""
    if trouble.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; choose another one with --port."
    if trouble.errno == errno.EACCES:
        return f"Port {port} may not be used by this user; choose another one with --port, from 1024 on."
    return f"This computer cannot listen on '{short(host, 60)}'; choose one of its own addresses with --host."


def _in_address(host: str) -> str:
    text = "localhost" if host in ("0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    return f"[{text}]" if ":" in text else text


def _use_writable_kernel_cache() -> None:
    """Let numba keep compiled kernels somewhere: beside the code, else in a folder of this user alone."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    cache = Path(__file__).parents[2] / "engine" / "counting" / "__pycache__"
    try:
        cache.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            return
    except OSError:
        pass
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    private = base / "diptych" / "kernels"
    try:
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        private = _temporary_folder(Path(tempfile.gettempdir()), _KERNELS)
    os.environ["NUMBA_CACHE_DIR"] = str(private)


_KERNELS = "diptych-kernels-"


def _temporary_folder(base: Path, prefix: str) -> Path:
    """A folder of this user that goes with this server; what servers left that were killed goes now."""
    for left in base.glob(f"{prefix}*"):
        with suppress(OSError, ValueError):
            if _is_own_folder(left) and not _runs(int(left.name.split("-")[2])):
                shutil.rmtree(left, ignore_errors=True)
    made = tempfile.TemporaryDirectory(prefix=f"{prefix}{os.getpid()}-", dir=base, ignore_cleanup_errors=True)
    _made.append(made)
    return Path(made.name)


def _is_own_folder(path: Path) -> bool:
    """True where it is a folder of this user, and no link to one; nothing is where systems know no users by number."""
    status = path.lstat()
    return hasattr(os, "getuid") and stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


_made: list[tempfile.TemporaryDirectory[str]] = []
"""What goes with this server."""


def _runs(process: int) -> bool:
    """True where there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _import_early() -> None:
    """Import pandas before the first session: plotly looks into it while another session's thread still loads it."""
    import pandas  # noqa: F401 - loaded for everyone
    import plotly.graph_objects  # noqa: F401

    threading.Thread(target=_import_soon, daemon=True).start()


def _import_soon() -> None:
    """Load what the first answer needs while the reader still looks at the start page.

    By its name: an import at the top of this file would keep the server from answering until all of it is loaded.
    """
    with suppress(RuntimeError):  # threads that are asked for once the server has been stopped
        importlib.import_module("dashboard.warm").warm_pages()
        garbage().loaded()


def _show_fault(fault: Exception) -> bool:
    """Streamlit's hook for a fault in a page: a calm sentence, no traceback, no link."""
    import streamlit as st

    if isinstance(fault, DiptychError):
        st.error(plain(importlib.import_module("dashboard.session.masking").sentence_shown(str(fault))))
    else:
        st.error(plain(report(fault)))
        forget_drawn_values()
    return True


if __name__ == "__main__":
    main()

"""The command starts a server that keeps to itself."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime import backend_operation_handler
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.network import standalone
from dashboard.server import launcher, memory
from dashboard.server.browsers import Access
from dashboard.server.faults import keep_messages_out_of_the_log
from dashboard.server.guard import LOCAL_NAMES, Guard, content_security_policy
from dashboard.server.options import option_parser
from dashboard.server.paths import PathAccess
from dashboard.server.proxy import Proxy
from dashboard.theme import ARCS, evidence_colour


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """How records of faults are made, which a server changes."""
    factory = logging.getLogRecordFactory()
    yield
    logging.setLogRecordFactory(factory)


def test_configuration_is_known_and_private() -> None:
    """Every option exists in this Streamlit, and those that guard privacy have the value that guards it."""
    values = launcher.configuration("127.0.0.1", 8501, headless=True)
    known = config.get_config_options()
    assert not [name for name in values if name not in known]
    wanted = {
        "server.address": "127.0.0.1",
        "server.enableStaticServing": False,
        "server.enableAgentApi": False,
        "server.enableXsrfProtection": True,
        "server.enableCORS": True,
        "server.maxUploadSize": 200,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "client.toolbarMode": "viewer",
        "client.allowedOrigins": [],
    }
    assert {name: values[name] for name in wanted} == wanted


def test_the_studies_are_said_to_be_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with the command, and exit code 2."""
    with pytest.raises(SystemExit) as left:
        launcher.main(["study", "group_difference", "--quick"])
    assert left.value.code == 2
    assert "python -m benchmarks.papers" in capsys.readouterr().err


def test_policy_names_no_other_host() -> None:
    """The content policy allows this server and nothing else, and no evaluation of strings."""
    policy = content_security_policy()
    assert "http" not in policy
    assert "*" not in policy
    assert "'unsafe-eval'" not in policy
    script = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
    assert "'unsafe-inline'" not in script
    assert "frame-ancestors 'none'" in policy


def answer(names: frozenset[str] | None, host: str, kind: str = "http") -> list[dict[str, Any]]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"x-frame-options", b"SAMEORIGIN")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"hello"})

    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {}

    scope = {"type": kind, "headers": [(b"host", host.encode())]}
    asyncio.run(Guard(app, names)(scope, receive, send))
    return sent


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:80", "LOCALHOST"])
def test_own_names_are_answered_with_headers(host: str) -> None:
    """A request to the local server is answered, each security header exactly once."""
    start = answer(LOCAL_NAMES, host)[0]
    names = [name for name, _ in start["headers"]]
    assert start["status"] == 200
    assert dict(start["headers"])[b"x-frame-options"] == b"DENY"
    assert len(names) == len(set(names))
    assert {b"content-security-policy", b"referrer-policy", b"x-content-type-options"} <= set(names)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80"])
def test_foreign_host_names_are_refused(host: str) -> None:
    """A page elsewhere that points its own name at this computer gets nothing, by page or by socket."""
    assert answer(LOCAL_NAMES, host)[0]["status"] == 421
    assert answer(LOCAL_NAMES, host, "websocket")[0]["type"] == "websocket.close"
    assert answer(None, host)[0]["status"] == 200


def test_headers_of_the_refusal() -> None:
    """Even the refusal carries the headers."""
    assert b"content-security-policy" in dict(answer(LOCAL_NAMES, "evil.example")[0]["headers"])


def test_free_port_passes_by_one_in_use() -> None:
    """A port that somebody listens on is not chosen."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        assert launcher._free_port("127.0.0.1", taken) > taken


def test_ports_that_cannot_be_used_are_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """A number that is no port, a port that is taken, an address of another computer: exit code 2, nothing served."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = str(busy.getsockname()[1])
        for options, words in (
            (["--port", "99999"], "must be a whole number from 1 to 65535"),
            (["--port", "0"], "must be a whole number from 1 to 65535"),
            (["--port", "x"], "must be a whole number from 1 to 65535"),
            (["--port", taken], f"Port {taken} is taken by another program; choose another one with --port."),
            (["--host", "192.0.2.1", "--port", "8501"], "cannot listen on '192.0.2.1'"),
            (["--host", "192.0.2.1"], "cannot listen on '192.0.2.1'"),
            (["--base", "../up"], "must be a path of letters, digits"),
            (["open", "nowhere.diptych"], "nowhere.diptych"),
        ):
            with pytest.raises(SystemExit) as left:
                launcher.main(options)
            assert left.value.code == 2
            said = capsys.readouterr()
            assert words in said.err
            assert "Traceback" not in said.err
            assert said.out == ""


def test_who_is_reached_from_elsewhere_has_a_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A new one, or that of a file; on this computer alone none, unless one is asked for."""
    assert launcher._token("127.0.0.1", None) == ""
    assert len(launcher._token("192.0.2.7", None)) == 43
    assert launcher._token("192.0.2.7", None) != launcher._token("192.0.2.7", None)
    file = tmp_path / "token"
    file.write_text("a-token_of-20-letters\n")
    assert launcher._token("192.0.2.7", str(file)) == launcher._token("localhost", str(file)) == "a-token_of-20-letters"
    for content in ("", "short", "a token with spaces in it", "a" * 201):
        file.write_text(content)
        with pytest.raises(SystemExit) as left:
            launcher._token("192.0.2.7", str(file))
        assert left.value.code == 2
        assert "20 to 200 letters" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        launcher._token("192.0.2.7", str(tmp_path / "nowhere"))
    assert "'nowhere' cannot be read" in capsys.readouterr().err


def test_the_token_of_a_file_is_printed_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a service prints stays in a journal; a new token is in the link alone. Any host is answered with a word."""
    file, printed = tmp_path / "token", []
    file.write_text("a-token_of-20-letters\n")

    class App:
        def __init__(self, access: Access, _names: object, _script: object, address: str) -> None:
            printed.append((access.token, address))

        def run(self, config: object) -> None:
            assert "a-token_of-20-letters" not in str(config)

    for name, value in (("build_app", App), ("warm_up", lambda jobs: None), ("_import_early", lambda: None)):
        monkeypatch.setattr(launcher, name, value)
    monkeypatch.setattr(launcher.signal, "signal", lambda *_: None)
    monkeypatch.setattr(launcher.operator, "listening", lambda *_: nullcontext())
    before = memory.memory()
    try:
        every = ["--host", "0.0.0.0"]  # noqa: S104 - nothing is bound
        for options, words in (
            (["--token-file", str(file)], ()),
            (every, (launcher.UNPROTECTED, launcher.UNNAMED)),
            ([*every, "--name", "ward.example"], (launcher.UNPROTECTED,)),
        ):
            launcher.main(["--port", str(launcher._free_port("127.0.0.1")), *options])
            assert capsys.readouterr().err == "".join(f"{sentence}\n" for sentence in words)
    finally:
        memory.remember(before)
    (given, link), (made, made_link), _named = printed
    assert given == "a-token_of-20-letters"
    assert link.endswith("/#token=...")
    assert made_link.endswith(f"/#token={made}")


def test_certificates_that_do_not_fit_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cert.pem"
    file.write_text("no certificate")
    assert launcher._certificate(None, None) is None
    for given, words in (
        ((str(file), None), "needs both"),
        ((None, str(file)), "needs both"),
        ((str(file), str(file)), "cannot be read"),
        ((str(file), str(tmp_path / "nowhere")), "cannot be read"),
    ):
        with pytest.raises(SystemExit) as left:
            launcher._certificate(*given)
        assert left.value.code == 2
        assert words in capsys.readouterr().err


def test_which_hosts_are_answered() -> None:
    """Those that are named and no other; without a name the one listened on; any only where every address is."""
    assert launcher._answered_names("127.0.0.1", []) == LOCAL_NAMES
    assert launcher._answered_names("192.0.2.7", ["Ward.example", "[::1]"]) == {"ward.example", "::1"}
    assert launcher._answered_names("192.0.2.7", []) == {"192.0.2.7"}
    assert launcher._answered_names("::", []) is None


def test_the_address_is_said_once_the_port_is_bound(capsys: pytest.CaptureFixture[str]) -> None:
    """Not while the application is built, which may still fail."""

    @asynccontextmanager
    async def looking(_app: Any) -> AsyncIterator[None]:
        yield

    async def started() -> None:
        app = launcher.build_app(Access(1), LOCAL_NAMES, address="http://here:1")
        assert capsys.readouterr().out == ""
        async with app._user_lifespan(app):
            assert capsys.readouterr().out == "Diptych is at http://here:1 (stop with Ctrl+C)\n"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launcher, "looking_after_tabs", looking)
        asyncio.run(started())


def test_another_script_that_draws_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at before anything else is: its digest, or that it is there at all."""
    other = tmp_path / "vis-network.min.js"
    monkeypatch.setattr(standalone, "vis_network_file", lambda: other)
    for _ in range(2):
        with pytest.raises(SystemExit, match="was changed, so nothing is served"):
            launcher.main(["--headless"])
        other.write_text("fetch('https://elsewhere.example')")


def test_vis_network_comes_with_pyvis() -> None:
    """The drawing script is in the installed wheel."""
    assert launcher.vis_network_file().stat().st_size > 100_000


def test_help_and_bad_options(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` explains the options; a number of jobs below one is refused."""
    with pytest.raises(SystemExit) as end:
        launcher.main(["--help"])
    assert end.value.code == 0
    assert "--headless" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        launcher.main(["--jobs", "0"])


def test_kernel_cache_falls_back_to_a_private_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the program's own folder cannot be written, kernels go to a folder of this user."""
    monkeypatch.setattr(launcher, "__file__", str(tmp_path / "nowhere" / "dashboard" / "server" / "launcher.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    launcher._use_writable_kernel_cache()
    chosen = Path(os.environ["NUMBA_CACHE_DIR"])
    assert chosen == tmp_path / "cache" / "diptych" / "kernels"
    assert chosen.is_dir()


def test_kernels_in_the_temporary_folder_go_with_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those of a server that was killed go when the next one starts; a running one's and what is no folder stay."""
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    left, running, strange = (
        tmp_path / f"diptych-kernels-{name}" for name in (f"{int(gone.stdout)}-a", f"{os.getppid()}-b", "x")
    )
    for folder in (left, running, strange):
        folder.mkdir()
    (left / "kernel.nbi").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = launcher._temporary_folder(tmp_path, launcher._KERNELS)
    assert sorted(tmp_path.iterdir()) == sorted([mine, running, strange])
    assert oct(mine.stat().st_mode)[-3:] == "700"
    launcher._made.pop().cleanup()
    assert not mine.exists()


def test_what_may_be_opened_by_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On this computer alone every file; reached from elsewhere, or by a proxy, only what the operator offers."""
    proxy = Proxy("x-user", "a-secret-of-sixteen-letters")
    assert [launcher._is_shared("127.0.0.1", *more) for more in (("", None), ("token", None), ("", proxy))] == [0, 1, 1]
    assert launcher._is_shared("192.0.2.1", "", None)
    assert launcher._paths([], None, shared=False) == PathAccess(None)
    assert launcher._paths([], None, shared=True) is None
    offered = launcher._paths([str(tmp_path)], None, shared=True)
    assert offered == PathAccess((tmp_path.resolve(),))
    for wrong in ([str(tmp_path / "gone")], None), ([], str(tmp_path / "gone")):
        with pytest.raises(SystemExit):
            launcher._paths(*wrong, shared=False)
        assert capsys.readouterr().err == (
            "There is no folder 'gone' that can be used; check --folder and --work-folder.\n"
        )


def test_a_cluster_is_the_operators_choice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An address is checked for its form; without Dask a sentence ends the start."""
    options = option_parser().parse_args(["--dask", "10.0.0.5:8786"])
    paths = launcher._paths([], None, options.dask, shared=False)
    assert paths is not None and paths.dask == "tcp://10.0.0.5:8786" and paths.cluster == "10.0.0.5"
    for wrong in ("10.0.0.5", "http://10.0.0.5:80", "tcp://10.0.0.5:99999", "tcp://a b:1", "tcp://x:1/y"):
        with pytest.raises(SystemExit):
            option_parser().parse_args(["--dask", wrong])
        assert "must be the address of a scheduler" in capsys.readouterr().err
    monkeypatch.setattr(launcher.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit) as left:
        launcher._paths([], None, options.dask, shared=False)
    assert left.value.code == 2
    assert capsys.readouterr().err == '--dask needs one package more: pip install "diptych[cluster]".\n'


def test_rows_are_written_to_a_folder_that_goes_with_the_server(tmp_path: Path) -> None:
    """For this user only, below the folder that was given."""
    paths = launcher._paths([], str(tmp_path), shared=False)
    assert paths is not None
    assert paths.work_folder is not None
    assert paths.work_folder.parent == tmp_path.resolve()
    assert oct(paths.work_folder.stat().st_mode)[-3:] == "700"
    launcher._made.pop().cleanup()
    assert not list(tmp_path.iterdir())


def test_log_keeps_the_place_and_drops_the_message(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of a file to save, which Streamlit logs, has its lines of code but not what it said."""
    keep_messages_out_of_the_log()

    def content() -> bytes:
        raise ValueError(f"cell {41 + 1}")

    files = MediaFileManager(MemoryMediaFileStorage("/media"))
    request = BackendOperationRequest()
    request.deferred_file.file_id = files.add_deferred(content, None, "place")
    monkeypatch.setattr(backend_operation_handler._LOGGER, "propagate", True)
    asyncio.run(backend_operation_handler.DeferredFileHandler(lambda: files).handle(request, "tab"))
    assert "Error executing deferred callable" in caplog.text
    assert "cell 42" not in caplog.text
    assert "ValueError" in caplog.text
    assert "test_launcher.py" in caplog.text


def test_a_thread_that_ends_drops_its_message(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of pages are threads of Streamlit's, which Python writes of on its own."""
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    keep_messages_out_of_the_log()

    def work() -> None:
        raise ValueError(f"cell {41 + 1}")

    class Ended:
        def __del__(self) -> None:
            work()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    del (ended := [Ended()])[0]
    assert not ended
    assert caplog.text.count("builtins.ValueError") == 2
    assert caplog.text.count("Fault") == 2
    assert "cell 42" not in caplog.text + capsys.readouterr().err


def test_arc_styles_differ_by_colour_and_by_dash() -> None:
    """No two kinds of arc share a colour or a dash."""
    compared = [ARCS[name] for name in ("same", "only_a", "only_b", "reversed", "neither")]
    assert len({style.colour for style in compared}) == 5
    assert len({style.dash for style in compared}) == 5


def test_evidence_colour_is_white_at_even_odds_and_stops_at_the_limit() -> None:
    """Even odds are white; beyond the limit the colour stays; both signs differ."""
    assert evidence_colour(0.0) == "#FFFFFF"
    assert evidence_colour(float("nan")) == "#FFFFFF"
    assert evidence_colour(2.0) == evidence_colour(300.0) == evidence_colour(float("inf"))
    assert evidence_colour(-2.0) != evidence_colour(2.0)


@pytest.mark.parametrize(
    ("given", "shared"),
    [
        ({}, False),
        ({"token": "a-token-of-sixteen-letters"}, True),
        ({"proxy": Proxy("x-user", "a-secret-of-sixteen-letters")}, True),
        ({"host": "10.0.0.1", "names": ["ward.example"]}, True),
    ],
)
def test_limits_hold_where_others_can_reach_the_server(
    given: dict[str, Any], shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on loopback, where a web server without a sign-in of its own hands the link's visitors on."""
    before, ends = memory.memory(), SimpleNamespace(run=lambda **_: None)
    monkeypatch.setattr(launcher, "build_app", lambda *_: ends)
    monkeypatch.setattr(launcher, "_import_early", lambda: None)
    monkeypatch.setattr(launcher.signal, "signal", lambda *_: None)
    monkeypatch.setattr(launcher.operator, "listening", lambda *_: nullcontext())
    try:
        launcher.serve(**{"host": "127.0.0.1", "port": 8501, "headless": True, **given})
        known = memory.memory()
        assert (known.limits is not None, known.lock is not None, known.longest > 0) == (shared,) * 3
    finally:
        memory.remember(before)


def test_the_smallest_cell_reaches_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the command line to the memory that pages look into."""
    before, given = memory.memory(), []
    monkeypatch.setattr(launcher, "build_app", lambda *_: SimpleNamespace(run=lambda **_: None))
    monkeypatch.setattr(launcher, "warm_up", lambda _: None)
    monkeypatch.setattr(launcher, "_import_early", lambda: None)
    monkeypatch.setattr(launcher.signal, "signal", lambda *_: None)
    monkeypatch.setattr(launcher.operator, "listening", lambda *_: nullcontext())
    try:
        for more in ([], ["--smallest-cell", "11"]):
            launcher.main(["--headless", *more])
            given.append((memory.memory().smallest_cell, memory.memory().paths))
    finally:
        memory.remember(before)
    assert given == [(0, PathAccess(None)), (11, PathAccess(None))]


@pytest.mark.parametrize("wrong", ["1", "-5", "5.5", "1001", "", "\u0665", "none"])
def test_a_smallest_cell_is_a_whole_number_that_hides_something(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        option_parser().parse_args([f"--smallest-cell={wrong}"])
    assert "must be 0 or a whole number from 2 to 1,000" in capsys.readouterr().err

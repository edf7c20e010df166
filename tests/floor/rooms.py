"""The rooms and the arrows between them, drawn once. A room may import itself and what its line names."""

from __future__ import annotations

from tests.floor.tree import ROOT

_DATA = "data data.reading data.rows data.preparing"
_GRAPHS = "graphs graphs.drawing"
_LEARNING = (
    f"errors lazy words text notebook execution {_DATA} counting {_GRAPHS} models scores search measures resampling"
)

ENGINE = {
    "errors": "text",
    "lazy": "",
    "words": "",
    "text": "words",
    "notebook": "",
    "execution": "errors",
    "worker": "errors",
    "data.reading": "errors lazy words text execution worker",
    "data.rows": "errors lazy words text execution data.reading",
    "data": "errors lazy words text notebook execution data.reading data.rows data.preparing",
    "data.preparing": "errors lazy words text execution data data.reading data.rows",
    "counting": f"errors lazy execution {_DATA}",
    "graphs": "errors lazy words text notebook graphs.drawing",
    "graphs.drawing": "errors lazy words text notebook graphs",
    "models": f"errors lazy words text notebook execution {_DATA} counting {_GRAPHS}",
    "scores": f"errors lazy words text execution {_DATA} counting {_GRAPHS} models",
    "search": f"errors lazy words text execution {_DATA} counting {_GRAPHS} models scores",
    "measures": f"errors lazy words text execution {_DATA} {_GRAPHS}",
    "resampling": f"errors lazy words text execution {_DATA} measures",
    "methods": f"{_LEARNING} telling",
    "registry": "methods *",
    "simulation": f"errors lazy words text execution {_DATA} {_GRAPHS} models",
    "exchange": f"errors lazy words text execution {_DATA} {_GRAPHS} models",
    "telling": f"{_LEARNING} methods *",
    "comparison": f"{_LEARNING} telling methods exchange",
    "evaluation": f"{_LEARNING} telling methods * registry simulation exchange",
    "project": f"{_LEARNING} methods * registry comparison telling simulation exchange",
    "sklearn": f"{_LEARNING} methods *",
    "classroom": f"{_LEARNING} telling simulation",
    "face": f"{_LEARNING} methods * registry comparison telling simulation exchange project",
}
"""Room of the engine -> the rooms it may import. `*` stands for the folders of the methods, each a room of its own
that may import what `methods` may, and `methods`, but no other method."""

_FRAME = "theme styles text guide pages server jobs session forms network charts"

DASHBOARD = {
    "theme": "",
    "styles": "theme",
    "text": "",
    "guide": "",
    "pages": "session",
    "server": "theme text",
    "jobs": "theme text server",
    "session": "theme text server jobs",
    "forms": "theme text session",
    "network": "theme text session",
    "charts": "theme text",
    "views.shared": _FRAME,
    "views": f"{_FRAME} views.shared",
    "app_pages": f"{_FRAME} views.shared views",
    "app": f"{_FRAME} views.shared views app_pages",
    "warm": f"{_FRAME} views.shared views",
    "launcher": f"{_FRAME}",
}
"""Room of the dashboard -> the rooms of the dashboard it may import; all may import the engine and the samples.
A folder of `views` may import another one. `pages` is the list of the methods' pages, whose files stand in `app_pages`.
`launcher` and `app` are where the program begins; `warm` is what the launcher loads once the server answers."""


def room(module: str) -> str:
    """The room that a module of ours is in."""
    house, *parts = module.split(".")
    return _engine_room(parts) if house == "engine" else _dashboard_room(parts) if house == "dashboard" else house


def _engine_room(parts: list[str]) -> str:
    match parts:
        case []:
            return "face"
        case ["data", "reading" | "rows" | "preparing" as part, *_]:
            return f"data.{part}"
        case ["graphs", "drawing", *_]:
            return "graphs.drawing"
        case ["methods", "registry"]:
            return "registry"
        case ["methods", slug, *_] if is_method(slug):
            return f"methods.{slug}"
        case _:
            return parts[0]


def _dashboard_room(parts: list[str]) -> str:
    match parts:
        case ["server", "launcher"]:
            return "launcher"
        case ["views", "shared", *_]:
            return "views.shared"
        case _:
            return parts[0] if parts else "dashboard"


def is_method(name: str) -> bool:
    """Whether a name in `engine.methods` is the folder of a method."""
    return (ROOT / "engine" / "methods" / name).is_dir()


def allowed(source: str, target: str) -> bool:
    """Whether a module may import another, by their rooms."""
    here, there = room(source), room(target)
    if here == there:
        return True
    match source.split(".")[0], target.split(".")[0]:
        case "engine", "engine":
            return _in_engine(here, there)
        case "dashboard", "dashboard":
            return there in DASHBOARD[here].split()
        case "dashboard", _:
            return True
        case "sample_data", "engine":
            return True
    return False


def _in_engine(here: str, there: str) -> bool:
    if here.startswith("methods."):
        return there in f"methods {ENGINE['methods']}".split()
    named = ENGINE[here].split()
    return there in named or ("*" in named and there.startswith("methods."))

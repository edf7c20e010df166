"""What the workshop shows: the network, what is known, the two variables looked at, and what was done last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from dashboard.network.workshop import WorkshopEvent, place_network
from dashboard.session.session import session
from engine import DataError
from engine.classroom.network_questions import NetworkQuestion, make_questions
from engine.graphs.adjustment import confounded_pair
from engine.graphs.dag import to_networkx
from engine.methods.storing import encode
from engine.models import drawing
from engine.models.effects import Effect, describe_change, describe_state, holds_level
from engine.models.evidence import Posteriors, posteriors
from sample_data.workshop_networks import WORKSHOP_NETWORKS

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.session.caches import Point
    from engine.models.network import Network

SLUG = "workshop"
FIRST = f"sample {next(iter(WORKSHOP_NETWORKS))}"
"""The source that is shown first."""
FROM_FILE = "file"
"""What the source of a network from a file begins with."""
MOST_UNDONE = 50
CHANGED, DRAWN = " (changed)", "a network drawn here"
"""What a network is called that was changed, or drawn from nothing."""
NO_EFFECT = "The new arrow has no effect yet: type or draw probabilities below."
DRAWN_SEED = 1
"""Of the probabilities that a new arrow gets while nobody has typed any."""


class _Drawn(NamedTuple):
    """What a change by drawing replaces, and taking it back restores."""

    network: Network
    positions: dict[str, Point]
    about: str
    x: str
    y: str
    by_hand: bool


@dataclass
class WorkshopState:
    """The network under one's hands; it stays when another table is opened.

    Attributes
    ----------
    network, positions : what is drawn, and where
    about : what it is called
    source : where it came from, "" before the first
    evidence : name -> level of what is known
    done : name -> level of what was set by hand, in the view that sets
    x, y : the two variables looked at, "" where there are none
    earlier, changed : what was known before the last click, and the variable that it set or cleared
    error : what could not be done, in a sentence
    notice : what is good to know of what was done
    redraw : whether more than the picture has to be drawn again
    by_hand : whether probabilities were typed, or came with the network
    undone : what was there before the last changes by drawing
    """

    OUTLASTS_TABLE: ClassVar[bool] = True
    SLUG: ClassVar[str] = SLUG

    network: Network = field(default_factory=drawing.empty_network)
    positions: dict[str, Point] = field(default_factory=dict)
    about: str = ""
    source: str = ""
    evidence: dict[str, str] = field(default_factory=dict)
    done: dict[str, str] = field(default_factory=dict)
    x: str = ""
    y: str = ""
    earlier: dict[str, str] | None = None
    changed: str = ""
    error: str = ""
    notice: str = ""
    redraw: bool = False
    by_hand: bool = False
    undone: list[_Drawn] = field(default_factory=list)
    _first_ends: tuple[str, str] = ("", "")
    _next_end: str = "x"
    _prior: Posteriors | None = None
    _posterior: Posteriors | None = None
    _questions: list[NetworkQuestion] | None = None

    @property
    def is_resumable(self) -> bool:
        """Whether a reload comes back to it: something was opened, drawn or clicked."""
        first = WORKSHOP_NETWORKS[FIRST.partition(" ")[2]].evidence
        changed = bool(self.undone) or self.source not in ("", FIRST) or self.evidence != dict(first)
        return changed and bool(self.network.names)

    def to_plain(self) -> dict[str, Any]:
        """What a project's file holds of it."""
        return {
            "network": encode({part.name: getattr(self.network, part.name) for part in fields(self.network)}),
            "positions": self.positions,
            "about": self.about,
            "evidence": self.evidence,
            "done": self.done,
            "ends": [self.x, self.y],
            "by_hand": self.by_hand,
        }

    # -- the network ---------------------------------------------------------------------------------------------------

    def open(
        self,
        network: Network,
        about: str,
        source: str,
        ends: tuple[str, str] = ("", ""),
        evidence: Mapping[str, str] | None = None,
        places: Mapping[str, Point] | None = None,
    ) -> None:
        """Let a network take the place of the one that is there; boxes of the same variables stay where they are."""
        same = set(network.names) == set(self.network.names)
        self.positions = place_network(network, self.positions if same else places)
        self.network, self.about, self.source = network, about, source
        self.by_hand, self.undone = bool(network.names), []
        self._forget_computed()
        self.x, self.y = self._first_ends = ends if all(ends) else _two(network)
        self.evidence, self.earlier, self.changed, self.error, self.notice = {}, None, "", "", ""
        self.done = {}
        for name, level in (evidence or {}).items():
            self.set_level(name, level)

    def begin_doing(self) -> None:
        """Look at two variables with a common cause, where nobody has chosen others: only there are setting and seeing
        not alike."""
        if (self.x, self.y) == self._first_ends:
            self.x, self.y = confounded_pair(self.graph) or (self.x, self.y)
            self._first_ends = "", ""

    def draw(self, network: Network) -> None:
        """Let a changed network take the place of the one that is there; what still fits stays."""
        before = _Drawn(self.network, dict(self.positions), self.about, self.x, self.y, self.by_hand)
        self.undone = [*self.undone, before][-MOST_UNDONE:]
        if not self.about.endswith((CHANGED, DRAWN)):
            self.about += CHANGED
        self._replace(network, self.positions)

    def undo(self) -> None:
        """Take the last change by drawing back; what was dragged since stays there."""
        if self.undone:
            before = self.undone.pop()
            self._replace(before.network, {**before.positions, **self.positions})
            self.about, self.x, self.y, self.by_hand = before[2:]

    def _replace(self, network: Network, positions: Mapping[str, Point]) -> None:
        self.network, self.redraw, self.error, self.notice = network, True, "", ""
        fits = {name: positions[name] for name in network.names if name in positions}
        self.positions = place_network(network, fits)
        levels = dict(zip(network.names, network.levels, strict=True))
        self.evidence = {name: level for name, level in self.evidence.items() if level in levels.get(name, ())}
        self.done = {name: level for name, level in self.done.items() if level in levels.get(name, ())}
        self.earlier, self.changed = None, ""
        self._forget_computed()
        if not self._is_possible(self.evidence):
            self.evidence = {}
        if self.x not in levels or self.y not in levels:
            self.x, self.y = _two(network)

    def _forget_computed(self) -> None:
        self._prior = self._posterior = self._questions = None

    @property
    def graph(self) -> nx.DiGraph:
        """The arrows."""
        return to_networkx(self.network.parents, self.network.names)

    @property
    def questions(self) -> list[NetworkQuestion]:
        """Questions about the network, made once."""
        if self._questions is None:
            self._questions = make_questions(self.network)
        return self._questions

    # -- evidence ------------------------------------------------------------------------------------------------------

    @property
    def prior(self) -> Posteriors:
        """Probabilities while nothing is known."""
        if self._prior is None:
            self._prior = posteriors(self.network)
        return self._prior

    @property
    def posterior(self) -> Posteriors:
        """Probabilities given what is known."""
        if self._posterior is None:
            self._posterior = posteriors(self.network, self.evidence) if self.evidence else self.prior
        return self._posterior

    @property
    def given(self) -> dict[str, str]:
        """What is known of the variables other than the two looked at."""
        return {name: level for name, level in self.evidence.items() if name not in (self.x, self.y)}

    def set_level(self, name: str, level: str | None) -> None:
        """Let a variable be known to have a level, or not be known; impossible evidence is refused."""
        after = {key: value for key, value in self.evidence.items() if key != name}
        if level is not None:
            after[name] = level
        if after == self.evidence or not self._is_possible(after):
            return
        self.earlier, self.changed, self.evidence, self._posterior = self.evidence, name, after, None

    def add_known(self, name: str) -> None:
        """Let a variable be known at the level that questions are about, or where that cannot be, its most probable."""
        levels = self.network.levels[self.network.names.index(name)]
        wanted = holds_level(self.network, name)
        likely = dict(zip(levels, self.posterior[name].tolist(), strict=True))
        self.set_level(name, wanted if likely[wanted] > 0 else sorted(levels, key=likely.__getitem__)[-1])

    def clear(self) -> None:
        """Nothing is known."""
        self.evidence, self.done, self.earlier, self.changed, self._posterior = {}, {}, None, "", None
        self.error = self.notice = ""

    def _is_possible(self, evidence: Mapping[str, str]) -> bool:
        try:
            posteriors(self.network, evidence)
        except DataError as error:
            self.error = str(error)
            return False
        self.error = ""
        return True

    def effect(self) -> Effect | None:
        """What the last click did, or how X and Y stand; None without two variables."""
        if not self.x or not self.y:
            return None
        if self.earlier is None:
            return describe_state(self.network, self.x, self.y, self.evidence)
        return describe_change(self.network, self.x, self.y, self.earlier, self.evidence, self.changed)

    # -- setting, in place of seeing -----------------------------------------------------------------------------------

    @property
    def doing(self) -> dict[str, str]:
        """What is set: X at the level that questions are about, where nothing else was chosen, and what was clicked."""
        return ({self.x: holds_level(self.network, self.x)} if self.x else {}) | self.done

    def apply_doing(self, event: WorkshopEvent) -> None:
        """As `apply`, but a click on a bar sets a variable from outside."""
        if event.kind != "set":
            self.apply(event)
            return
        self.done = {name: level for name, level in self.done.items() if name != event.node}
        if event.level is not None:
            self.done[event.node] = event.level

    # -- the two variables ---------------------------------------------------------------------------------------------

    def choose(self, end: str, name: str) -> None:
        """Let X or Y be this variable; where it is the other of the two, they change places."""
        other = "y" if end == "x" else "x"
        if getattr(self, other) == name:
            setattr(self, other, getattr(self, end))
        setattr(self, end, name)
        self.earlier, self.changed, self.error = None, "", ""

    # -- what the picture says -----------------------------------------------------------------------------------------

    def apply(self, event: WorkshopEvent) -> None:
        """Do what was done to the picture; what cannot be is said in a sentence."""
        try:
            self._apply(event)
        except DataError as error:
            self.error = str(error)

    def _apply(self, event: WorkshopEvent) -> None:
        match event.kind:
            case "set":
                self.notice = ""
                self.set_level(event.node, event.level)
            case "end":
                self.choose(self._next_end, event.node)
                self._next_end = "y" if self._next_end == "x" else "x"
            case "add":
                network = drawing.add_variable(self.network, event.name)
                self.positions[event.name.strip()] = event.point
                self.draw(network)
            case "link":
                self.link(event.node, event.other)
            case "unlink":
                self.draw(drawing.remove_arrow(self.network, event.node, event.other))
            case "remove":
                self.draw(drawing.remove_variable(self.network, event.node))
            case "move":
                others = {name: point for name, point in self.positions.items() if name != event.node}
                self.positions = place_network(self.network, {**others, event.node: event.point})
            case "rename":
                self.rename(event.node, event.name)

    def link(self, source: str, target: str) -> None:
        """Draw an arrow; while nobody has typed probabilities, those of its target are drawn, so that it does
        something."""
        network = drawing.add_arrow(self.network, source, target)
        if not self.by_hand:
            network = drawing.draw_tables(network, DRAWN_SEED + len(self.undone), names=[target])
        self.draw(network)
        self.notice = NO_EFFECT if self.by_hand else ""

    def rename(self, name: str, new_name: str, levels: tuple[str, ...] | None = None) -> None:
        """Give a variable, and its levels, other names; what is known of it and where it stands stays."""
        network = drawing.rename_variable(self.network, name, new_name, levels)
        called = network.names[self.network.names.index(name)]
        ends = tuple(called if end == name else end for end in (self.x, self.y))
        self.positions[called] = self.positions[name]
        self.draw(network)
        self.x, self.y = ends


def _two(network: Network) -> tuple[str, str]:
    """Two variables to begin with: the first that an arrow joins, else the first two."""
    for child, family in enumerate(network.parents):
        if family:
            return network.names[family[0]], network.names[child]
    return (network.names[0], network.names[1]) if len(network.names) > 1 else ("", "")


def workshop() -> WorkshopState:
    """The workshop's state; its first network is a sample."""
    state = session().state(WorkshopState)
    if not state.source:
        open_sample_network(state, FIRST.partition(" ")[2])
    return state


def open_sample_network(state: WorkshopState, key: str) -> None:
    """Let a sample network take the place of the one that is there."""
    sample = WORKSHOP_NETWORKS[key]
    state.open(sample.make(), sample.about, f"sample {key}", (sample.x, sample.y), sample.evidence)

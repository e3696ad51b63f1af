"""The open elements of an HTML text: what an end tag closes, and what a start tag implies."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["BLOCKS", "VOID", "Stack"]

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_CLOSE_P = frozenset(
    """
    address article aside blockquote center details dialog dd dir div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search
    section summary table ul
    """.split()
)
_TABLE = frozenset("caption tbody td tfoot th thead tr".split())
_CONTAINERS = frozenset(
    "audio button canvas math noscript object select svg template video".split()
)
BLOCKS = _CLOSE_P | _TABLE | frozenset({"body"})
_CELLS = ("td", "th", "caption")
_SECTIONS = ("thead", "tbody", "tfoot")
_LISTS = ("ol", "ul", "menu", "dir")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_GROUPS = {
    **dict.fromkeys(_CELLS, ("#scope", "#cell")),
    **dict.fromkeys(_LISTS, ("#list",)),
    **dict.fromkeys(_SECTIONS, ("#rows",)),
    **dict.fromkeys(_HEADINGS, ("#heading",)),
    **dict.fromkeys(("dt", "dd"), ("#term",)),
    "table": ("#scope",),
}
# Under which keys an element that is open is found.
_KEYS = {
    name: (name, *_GROUPS.get(name, ()), *(("#block",) if name in BLOCKS else ()))
    for name in BLOCKS | set(_GROUPS)
}
# An element that ends where one of these begins: what closes, and what shields it.
_IMPLIED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "li": (("li",), ("#list", "#scope")),
    "dt": (("#term",), ("dl", "#scope")),
    "dd": (("#term",), ("dl", "#scope")),
    "tr": (("tr", "#cell"), ("table",)),
    "td": (("#cell",), ("table", "tr")),
    "th": (("#cell",), ("table", "tr")),
    **dict.fromkeys((*_SECTIONS, "caption"), (("#rows", "tr", "#cell"), ("table",))),
}

Closer = Callable[[], None]


class Stack:
    """Open elements by position; every question about them costs the same at any depth."""

    def __init__(self) -> None:
        self.n_hidden = 0
        self._names: list[str] = []
        self._closers: list[Closer | None] = []
        self._hidden: list[bool] = []
        self._places: dict[str, list[int]] = {}

    def last(self, *names: str) -> int:
        """Where the innermost open element of one of the names or groups stands, or -1."""
        best = -1
        for name in names:
            places = self._places.get(name)
            if places and places[-1] > best:
                best = places[-1]
        return best

    def __len__(self) -> int:
        return len(self._names)

    def matters(self, name: str) -> bool:
        """Whether an element that changes nothing must be known all the same, to end rightly."""
        return name in BLOCKS or bool(self._places.get(name))

    def push(self, name: str, closer: Closer | None, *, hidden: bool) -> None:
        """One more open element; `closer` is called when it ends."""
        place = len(self._names)
        self._names.append(name)
        self._closers.append(closer)
        self._hidden.append(hidden)
        self.n_hidden += hidden
        for key in _KEYS.get(name) or (name,):
            self._places.setdefault(key, []).append(place)

    def close_to(self, place: int) -> None:
        """Ends every element from the innermost to the one at `place`."""
        while len(self._names) > place:
            name, closer = self._names.pop(), self._closers.pop()
            self.n_hidden -= self._hidden.pop()
            for key in _KEYS.get(name) or (name,):
                self._places[key].pop()
            if closer is not None:
                closer()

    def imply(self, name: str) -> None:
        """Ends what cannot go on where one of `BLOCKS` begins."""
        if name in _CLOSE_P and (place := self.last("p")) > self.last("#scope"):
            self.close_to(place)
        if name[0] == "h" and (place := self.last("#heading")) == len(self._names) - 1 >= 0:
            self.close_to(place)
        if name == "table" and (place := self.last("table")) > self.last("#cell"):
            self.close_to(place)
        if name in _IMPLIED:
            closing, shields = _IMPLIED[name]
            shield = self.last(*shields)
            places = [place for key in closing if (place := self.last(key)) > shield]
            if places:
                self.close_to(min(places))

    def end(self, name: str) -> None:
        """Ends the element an end tag means, if it is open and nothing shields it."""
        places = self._places.get("#heading" if name in _HEADINGS else name)
        if not places:
            return
        place = places[-1]
        if name in BLOCKS or name in _CONTAINERS:
            shield = self.last("table") if name in _TABLE else self.last("#scope")
            if name == "li":
                shield = max(shield, self.last("#list"))
            if name == "table":
                shield = -1
        else:
            shield = self.last("#block")
        if place >= shield:
            self.close_to(place)

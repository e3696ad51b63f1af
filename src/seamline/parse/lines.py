"""One line of Markdown at a time: how much of it is taken, what its rest begins with.

This module is compiled where a C compiler is at hand (`lines.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from seamline.scan import COMPILED

__all__ = ["Lines", "plain_title"]

_COMPILED = COMPILED
_TAB = 4


class Lines:
    """A text, which must end in a line feed, line by line.

    Of the present line `start` and `stop` are the bounds, `at` is what is not yet
    taken and `column` where that stands with tabs filled up. `ink` is the first
    character there that is no blank (`stop` if there is none), `indent` how many
    columns before it are blank. `marked` is the end of the last container's marker.
    """

    def __init__(self, text: str, begin: int) -> None:
        self.text = text
        self.size = len(text)
        self.start = self.stop = self.at = self.ink = self.marked = begin
        self.stop = begin - 1
        self.column = self.indent = 0
        self.no_rule = -1

    def next_line(self) -> bool:
        """Go to the next line, if there is one."""
        start = self.stop + 1
        if start >= self.size:
            return False
        self.start = self.at = self.marked = start
        self.column = 0
        if _COMPILED:
            self.stop = c_find(self.text, "\n", start, self.size, 1)
        else:
            self.stop = self.text.find("\n", start)
        self.look()
        return True

    def look(self) -> None:
        """Find `ink` and `indent` from `at` on."""
        text, at, column = self.text, self.at, self.column
        c = text[at]
        while c == " " or c == "\t":  # noqa: PLR1714 - two comparisons in C
            column += 1 if c == " " else _TAB - column % _TAB
            at += 1
            c = text[at]
        self.ink = at
        self.indent = column - self.column

    def skip(self, columns: int) -> None:
        """Take so many columns of blanks; of a tab perhaps a part."""
        text = self.text
        self.indent -= columns
        while columns:
            width = 1 if text[self.at] == " " else _TAB - self.column % _TAB
            if width > columns:
                self.column += columns
                return
            self.at += 1
            self.column += width
            columns -= width

    def take(self, width: int) -> None:
        """Take the marker at `ink`, so many characters, and look on."""
        self.column += self.indent + width
        self.at = self.marked = self.ink + width
        self.look()

    def marker(self) -> int:
        """How many characters of a list marker stand at `ink`, 0 if there is none."""
        text, at = self.text, self.ink
        c = text[at]
        if c == "-" or c == "*" or c == "+":  # noqa: PLR1714
            at += 1
        else:
            most = at + 9
            while "0" <= c <= "9" and at < most:
                at += 1
                c = text[at]
            if at == self.ink or (c != "." and c != ")"):  # noqa: PLR1714
                return 0
            at += 1
        c = text[at]
        return at - self.ink if c == " " or c == "\t" or c == "\n" else 0  # noqa: PLR1714

    def is_first(self, width: int) -> bool:
        """Whether the list marker at `ink` is a bullet or the number 1."""
        text, last = self.text, self.ink + width - 2
        if width == 1:
            return True
        for at in range(self.ink, last):
            if text[at] != "0":
                return False
        return text[last] == "1"

    def is_rule(self) -> bool:
        """Whether the line from `ink` on is a thematic break of the character there."""
        if self.ink < self.no_rule:  # a longer rest of this line was none
            return False
        text, at, n_marks = self.text, self.ink, 0
        mark = c = text[at]
        while c == mark or c == " " or c == "\t":  # noqa: PLR1714
            if c == mark:
                n_marks += 1
            at += 1
            c = text[at]
        if n_marks > 2 and at == self.stop:
            return True
        self.no_rule = at
        return False

    def run(self, at: int) -> int:
        """Where the run of one character ends that begins at `at`."""
        text, mark = self.text, self.text[at]
        while text[at] == mark:
            at += 1
        return at

    def is_blank(self, at: int) -> bool:
        """Whether the line is blank from `at` on; form feeds are blank here."""
        text = self.text
        c = text[at]
        while c == " " or (c <= "\f" and c != "\n" and c >= "\t"):
            at += 1
            c = text[at]
        return at == self.stop

    def atx_level(self) -> int:
        """The level of the heading whose `#` stands at `ink`, 0 if it is none."""
        at = self.run(self.ink)
        c = self.text[at]
        if at - self.ink > 6 or not (c == " " or c == "\t" or c == "\n"):  # noqa: PLR1714
            return 0
        return at - self.ink

    def setext_level(self) -> int:
        """The level of the heading that the line from `ink` on underlines, 0 if it does not."""
        c = self.text[self.ink]
        if not (c == "=" or c == "-") or not self.is_blank(self.run(self.ink)):  # noqa: PLR1714
            return 0
        return 1 if c == "=" else 2

    def fence(self) -> int:
        """How long the code fence at `ink` is, 0 if there is none."""
        at = self.run(self.ink)
        if at - self.ink < 3:
            return 0
        if self.text[self.ink] == "`" and self.text.find("`", at, self.stop) >= 0:
            return 0
        return at - self.ink


def plain_title(raw: str) -> str | None:
    """The title of a heading that has no markup, None if it may have some."""
    tidy, before = True, " "
    for at in range(len(raw)):
        c = raw[at]
        if c in "\\`*_~[<&":
            return None
        if c == " ":
            tidy = tidy and before != " "
        elif (c < "!" or c > "~") and c.isspace():
            tidy = False
        before = c
    return raw if tidy and before != " " else " ".join(raw.split())

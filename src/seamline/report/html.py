"""One HTML file that holds a benchmark's whole result, and needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from seamline.bench import Results, write_atomically
from seamline.bench.recommend import recommend
from seamline.errors import InvalidConfig, InvalidDocument
from seamline.report.markup import Markup, data_block, tag
from seamline.report.model import standings
from seamline.report.payload import embedded_texts, payload
from seamline.report.recommendation import title
from seamline.report.sections import Section, sections
from seamline.types import Document

__all__ = ["page", "report_html", "write_report"]

_STYLES = (
    "theme.css",
    "page.css",
    "charts.css",
    "choice.css",
    "passages.css",
    "failed.css",
    "questions.css",
    "narrow.css",
    "print.css",
)
_SCRIPTS = ("text.js", "passage.js", "splits.js", "failed.js", "explore.js", "detail.js", "main.js")


def write_report(
    results: Results,
    documents: Mapping[str, Document] | Iterable[Document],
    path: str | Path,
    timings: Mapping[str, Any] | None = None,
) -> Path:
    """Write the report to `path`, whole or not at all, and return the path.

    `documents` are those that were measured, in any order or by id; `timings` are those of the
    results unless given. The file loads nothing, runs only its own script, and
    shows documents as text whatever they hold.

    Raises:
        InvalidDocument: a document is missing or has changed since it was measured.
        InvalidConfig: the results hold no strategy, or an argument has the wrong type.
    """
    if not isinstance(path, str | Path):
        raise InvalidConfig(f"a report's path must be a string or a Path, got {_kind(path)}")
    target = Path(path)
    text = report_html(results, documents, timings)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, text)
    return target


def report_html(
    results: Results,
    documents: Mapping[str, Document] | Iterable[Document],
    timings: Mapping[str, Any] | None = None,
) -> str:
    """The text of the report; see `write_report`."""
    if not isinstance(results, Results):
        raise InvalidConfig(
            f"a report shows the Results of run_bench or Results.load, got {_kind(results)}"
        )
    by_id = _by_id(documents)
    _check(results, by_id)
    texts = embedded_texts(results.data, by_id)
    found = recommend(results)
    placed = standings(results, found)
    timings = results.timings if timings is None else timings
    parts = sections(results, placed, found, timings=timings, texts=texts)
    script = "".join(["(() => {\n'use strict';\n", *map(_asset, _SCRIPTS), "})();\n"])
    data = data_block(payload(results.data, placed, texts), "data")
    return page(title(found), parts, data, tag("script", Markup(script)), script=script)


def page(title: str, parts: Sequence[Section], *after: Markup, script: str = "") -> str:
    """A page of these sections; `after` follows them, and of scripts only `script` may run."""
    style = "".join(map(_asset, _STYLES))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("link", rel="icon", href="data:,"),
        tag("title", f"{title} · seamline"),
        tag("style", Markup(style)),
    )
    body = tag("body", *_body(parts), *after)
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _kind(value: object) -> str:
    return f"a value of type {type(value).__name__}"


def _by_id(documents: Any) -> Mapping[str, Document]:
    if not isinstance(documents, Iterable):
        raise InvalidConfig(f"a report needs Documents to show, got {_kind(documents)}")
    listed = list(documents.values() if isinstance(documents, Mapping) else documents)
    wrong = next((one for one in listed if not isinstance(one, Document)), None)
    if wrong is not None:
        raise InvalidConfig(
            f"a report needs Documents to show, got {_kind(wrong)} among them: "
            "read_documents makes them from files"
        )
    return {one.id: one for one in listed}


def _check(results: Results, documents: Mapping[str, Document]) -> None:
    for row in results.data["documents"]:
        document = documents.get(row["id"])
        if document is None:
            raise InvalidDocument(
                f"a report needs the documents that were measured, but {row['id']!r} is not "
                "among those given: add it"
            )
        if document.digest != row["digest"]:
            raise InvalidDocument(
                f"a report needs the documents as they were measured, but {row['id']!r} has "
                "changed since: run the benchmark again"
            )


def _body(parts: Sequence[Section]) -> list[Markup]:
    links = [tag("a", part.short, href=f"#{part.id}") for part in parts if part.short]
    main = [tag("section", *part.content, id=part.id, class_=part.class_) for part in parts]
    nav = tag("nav", *links, aria_label="Sections")
    first = next((part for part in parts if part.short), None)
    if first is None:
        return [tag("main", *main)]
    skip = tag("a", f"Skip to: {first.short}", href=f"#{first.id}", class_="skip")
    return [skip, nav, tag("main", *main)]


def _asset(name: str) -> str:
    return (files("seamline.report") / "static" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing may load, and only this style and this script count."""
    allowed = f"'{_hash(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src {allowed}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

"""`seamline golden draft`: questions about documents, by a model or from the documents alone."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.locking import alone
from seamline.cli.options import Debug, Json, Quiet, Strict, examples, limits_here, whole
from seamline.cli.output import note, print_json, render, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.progress import Bar
from seamline.cli.skips import leave, refuse_all_skipped, tell_skipped
from seamline.errors import InvalidConfig, InvalidDocument, SeamlineError
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.golden.chat import Chat
    from seamline.golden.draft import Drafts
    from seamline.golden.grow import Existing
    from seamline.parse import Skipped
    from seamline.types import Document

__all__ = ["EXAMPLES", "draft"]

EXAMPLES = examples(
    "seamline golden draft docs/ -n 40",
    "seamline golden draft docs/ --llm http://localhost:11434/v1 --model qwen3 --append",
    "seamline golden draft docs/ --llm https://api.openai.com/v1 --model gpt-5-mini --dry-run",
)
_SHOWN = 3  # messages of failed calls

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="DOCS", help="Documents: files and folders, or a folder with docs/."),
]
N = Annotated[
    int, typer.Option("-n", "--n", metavar="N", parser=whole, help="Questions wanted, at most.")
]
Llm = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="A server that speaks OpenAI's chat/completions, such as http://localhost:11434/v1.  "
        "[default: none; questions are made of headings, docstrings, table rows and FAQ]",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model to ask.  [default: none; needed with --llm]"),
]
KeyEnv = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The environment variable that holds the server's key.  "
        "[default: OPENAI_API_KEY if it is set]",
    ),
]
Out = Annotated[
    Path, typer.Option(metavar="FILE", help="Where the questions go; a file that is not there.")
]
Append = Annotated[bool, typer.Option("--append", help="Add to FILE; its lines stay as they are.")]
Force = Annotated[bool, typer.Option("--force", help="Write FILE anew, whatever it holds.")]
Seed = Annotated[
    int,
    typer.Option(metavar="N", parser=whole, help="Draws the passages; the same seed, the same."),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say how many calls and tokens it would take; ask nothing."),
]


def draft(
    docs: Paths,
    *,
    n: N = 50,
    llm: Llm = None,
    model: Model = None,
    key_env: KeyEnv = None,
    out: Out = Path("golden.jsonl"),
    append: Append = False,
    force: Force = False,
    seed: Seed = 0,
    dry_run: DryRun = False,
    as_json: Json = False,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Draft questions about documents, to be reviewed by a person.

    With --llm a model is asked about passages that are drawn without looking at any strategy. A
    question stays if its answer stands verbatim in the passage, the model finds it again in a
    wider one, and it neither copies its answer nor repeats another question.

    Without, headings, docstrings, table rows and FAQ ask for what stands below or beside them:
    good to see what breaks, but easier than people's questions, and easiest for strategies that
    index headings or cut by structure.

    Every line says "source": "synthetic" and "reviewed": false, and `seamline bench` reports
    such questions apart. What was dropped, and why, is counted on stderr.
    """
    from seamline.golden.grow import read_existing

    if not dry_run:
        _check_out(out, docs, append=append, force=force)
    chat = _chat(llm, model, key_env)
    skipped: list[Skipped] | None = None if strict else []
    documents = _read(docs, out, skipped, strict=strict)
    tell_skipped(skipped or (), quiet=quiet)
    if dry_run:
        _tell_estimate(documents, n, seed, chat, as_json=as_json)
        return
    with alone(out), whole_file(out) as file:  # opened before the work, lest that be lost
        existing = read_existing(out, documents) if append and out.is_file() else None
        drafts = _drafted(documents, n, seed, chat, existing, quiet=quiet)
        _tell_dropped(drafts, existing, quiet=quiet)
        if append and out.is_file():  # a person may have added to it since
            existing = read_existing(out, documents)
        file.write(_grown(drafts, existing))
    if as_json:
        print_json(_record(out, drafts, chat, existing))
    elif drafts.questions:
        _show(drafts)
    _tell_kept(drafts, n, out, chat, existing, quiet=quiet)
    _tell_next(docs, drafts, out, chat, quiet=quiet)
    leave(skipped or ())


def _grown(drafts: Drafts, existing: Existing | None) -> str:
    """The set: the lines that there were, as they were, and those that are new.

    Raises:
        InvalidDocument: there are none at all.
    """
    from seamline.golden.grow import draft_lines

    before = existing.text if existing else ""
    lines = draft_lines(drafts.questions, existing.ids if existing else ())
    if not (lines or before):
        raise InvalidDocument("at least one question must be kept to write a set, but none was")
    end = "" if not before or before.endswith("\n") else "\n"
    return "".join((before, end, *(f"{line}\n" for line in lines)))


def _check_out(out: Path, docs: Sequence[Path], *, append: bool, force: bool) -> None:
    from seamline.config import CONFIG_FILE
    from seamline.lock.lock import LOCK_FILE

    if append and force:
        raise InvalidConfig("one of --append and --force can be given, got both")
    if out.is_file() and not (append or force):
        raise InvalidConfig(
            f"--out must be a new file, but {out} is there: give --append to add to it, or "
            "--force to write it anew"
        )
    among = () if _is_golden(out) else docs  # a golden set may lie among the documents
    inputs = {"the config file": Path(CONFIG_FILE), "the lock": Path(LOCK_FILE)}
    refuse_overwriting({"--out": out}, inputs, among)
    if not out.parent.is_dir():
        raise InvalidConfig(f"the folder of --out must exist, got {str(out)!r}")


def _is_golden(path: Path) -> bool:
    """Whether a file has questions, or nothing at all."""
    from seamline.golden.records import read_records

    try:
        return path.is_file() and (not path.stat().st_size or bool(read_records(path)[0]))
    except SeamlineError:  # no UTF-8
        return False


def _chat(llm: str | None, model: str | None, key_env: str | None) -> Chat | None:
    from seamline.golden.chat import Chat

    if llm is None:
        given = {"--model": model, "--key-env": key_env}
        if named := [name for name, value in given.items() if value is not None]:
            raise InvalidConfig(f"{named[0]} needs --llm URL, the server that has the model")
        return None
    return Chat(url=llm, model=model or "", key_env=key_env)


def _read(
    docs: Sequence[Path], out: Path, skipped: list[Skipped] | None, *, strict: bool
) -> list[Document]:
    """The documents, without the golden set to be written and what lies beside docs/."""
    from seamline.golden.sets import is_set, read_set

    paths = [docs[0] / "docs"] if len(docs) == 1 and is_set(docs[0]) else docs
    limits = limits_here()
    documents = read_set(paths, out, skipped=skipped, strict=strict, limits=limits)
    refuse_all_skipped(len(documents), skipped or ())
    return documents


def _drafted(
    documents: Sequence[Document],
    n: int,
    seed: int,
    chat: Chat | None,
    existing: Existing | None,
    *,
    quiet: bool,
) -> Drafts:
    from seamline.golden.draft import draft_by_model, draft_known_items

    asked = existing.questions if existing else ()
    if chat is None:
        return draft_known_items(documents, n, seed=seed, existing=asked)
    with Bar(quiet=quiet) as bar:
        return draft_by_model(
            documents,
            n,
            chat,
            seed=seed,
            existing=asked,
            progress=lambda kept, asked, most: bar(
                f"{counted(kept, 'question')} kept, passages", chat.model, asked, most
            ),
        )


def _tell_estimate(
    documents: Sequence[Document], n: int, seed: int, chat: Chat | None, *, as_json: bool
) -> None:
    from dataclasses import asdict

    from seamline.cli.output import emit
    from seamline.golden.draft import estimate

    if chat is None:
        raise InvalidConfig("--dry-run needs --llm URL: without a model nothing is called")
    cost = estimate(documents, n, seed=seed)
    if as_json:
        print_json({"model": chat.model, **asdict(cost)})
        return
    emit(
        f"{counted(n, 'question')} from {chat.model}: {cost.least_calls:,} to "
        f"{counted(cost.most_calls, 'call')}, about {cost.least_tokens:,} to "
        f"{counted(cost.most_tokens, 'token')}"
    )


def _tell_dropped(drafts: Drafts, existing: Existing | None, *, quiet: bool) -> None:
    if existing and existing.broken:
        first = existing.broken[0]
        note(
            f"{counted(len(existing.broken), 'error')} in what is there (the first in line "
            f"{first.line}): left as it is; see seamline golden validate"
        )
    for message in drafts.failures[:_SHOWN]:
        note(f"failed: {message}")
    if len(drafts.failures) > _SHOWN:
        note(f"and {counted(len(drafts.failures) - _SHOWN, 'call')} more failed")
    if drafts.dropped:
        reasons = ", ".join(f"{n:,} {why}" for why, n in drafts.dropped.most_common())
        note(f"dropped {counted(drafts.dropped.total(), 'draft')}: {reasons}", quiet=quiet)


def _tell_kept(
    drafts: Drafts, n: int, out: Path, chat: Chat | None, existing: Existing | None, *, quiet: bool
) -> None:
    """How many questions are new, and how many there are with those that were there."""
    n_kept = len(drafts.questions)
    used = f"; {counted(chat.calls, 'call')}, {counted(chat.tokens, 'token')}" if chat else ""
    short = f" of {n:,} wanted" if n_kept < n else ""
    told = f"{counted(n_kept, 'question')}{short}"
    if existing is None:
        told += ", none reviewed yet"
    else:
        told += f" added, none reviewed yet; {existing.n + n_kept:,} in all"
    note(f"{out}: {told}{used}", quiet=quiet)


def _tell_next(
    docs: Sequence[Path], drafts: Drafts, out: Path, chat: Chat | None, *, quiet: bool
) -> None:
    """What the drafts are, and what is to be done with them."""
    if not drafts.questions:
        return
    if chat is None:
        note(
            "known items look up what stands in a document: they show what breaks, and are no "
            "questions to choose by",
            quiet=quiet,
        )
    command = shlex.join(["seamline", "golden", "validate", *map(str, docs), "--golden", str(out)])
    note(f"next: review the drafts, then {command}", quiet=quiet)


def _record(
    out: Path, drafts: Drafts, chat: Chat | None, existing: Existing | None
) -> dict[str, Any]:
    return {
        "path": str(out),
        "questions": len(drafts.questions),
        "in_all": len(drafts.questions) + (existing.n if existing else 0),
        "kinds": dict(Counter(one.kind for one in drafts.questions)),
        "documents": len({one.document.id for one in drafts.questions}),
        "dropped": dict(drafts.dropped.most_common()),
        "failures": list(drafts.failures),
        "calls": chat.calls if chat else 0,
        "tokens": chat.tokens if chat else 0,
    }


def _show(drafts: Drafts) -> None:
    """The number of questions of each kind, with one of them."""
    from seamline.report import drafts_table

    render(drafts_table(drafts.questions))

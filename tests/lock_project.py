"""A folder with documents, golden set and seamline.toml, small enough to be locked in a moment."""

import json
from pathlib import Path

from seamline.bench import run_bench
from seamline.config import load_config
from seamline.golden.sets import load_set
from seamline.lock.run import Project

TOPICS = ("pump", "valve", "belt", "gauge", "filter", "motor", "hose", "relay", "tank", "shaft")
FACTS = (
    "The {topic} of unit {unit} was painted {colour} when the hall was built.",
    "Its manual says that the {topic} of unit {unit} wants oil of grade {n} in spring.",
    "In winter the {topic} of unit {unit} is drained, and the drain closed by hand.",
    "Whoever hears the {topic} of unit {unit} rattle calls room {room} at once.",
)
COLOURS = ("green", "red", "blue", "grey")


def text_of(unit):
    """Four paragraphs about each of three parts of a unit."""
    paragraphs = []
    for k in range(3):
        topic = TOPICS[(unit + 3 * k) % len(TOPICS)]
        values = {"topic": topic, "unit": unit, "colour": COLOURS[unit % 4]}
        values |= {"n": 10 + unit, "room": 100 + unit}
        paragraphs += [fact.format(**values) for fact in FACTS]
    return f"# Unit {unit}\n\n" + "\n\n".join(paragraphs) + "\n"


def question_of(unit, k):
    """A question about a part of a unit, its gold a sentence."""
    topic = TOPICS[(unit + 3 * k) % len(TOPICS)]
    gold = FACTS[1 + k].format(topic=topic, unit=unit, colour="", n=10 + unit, room=100 + unit)
    start = text_of(unit).index(gold)
    asked = ("Which oil wants", "How is winter kept from", "Who is called about")[k]
    return {
        "id": f"u{unit:02}-{k}",
        "doc_id": f"u{unit:02}.md",
        "question": f"{asked} the {topic} of unit {unit}?",
        "answers": [{"start": start, "end": start + len(gold), "text": gold}],
    }


def write_set(folder, n=12):
    """`docs/` with n documents and `golden.jsonl` with three questions about each."""
    (folder / "docs").mkdir(parents=True)
    lines = []
    for unit in range(n):
        (folder / "docs" / f"u{unit:02}.md").write_text(text_of(unit), encoding="utf-8")
        lines += [json.dumps(question_of(unit, k)) for k in range(3)]
    (folder / "golden.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_config(folder, strategy="recursive(size=32, overlap=0)", more="", **settings):
    """seamline.toml, with `more` as it stands below the settings."""
    known = {"docs": "docs", "golden": "golden.jsonl", "strategy": strategy}
    known |= {"retriever": "bm25", "budget": 60, **settings}
    lines = [f"{key} = {json.dumps(value)}" for key, value in known.items()]
    file = Path(folder, "seamline.toml")
    file.write_text("\n".join([*lines, more]) + "\n", encoding="utf-8")
    return file


def locked(folder, **settings):
    """The project in `folder`, measured and locked."""
    file = write_config(folder, **settings)
    config = load_config(file)
    results = run_bench(*load_set(config.docs, config.golden), config)
    results.save(folder / "report")
    project = Project(file)
    project.lock(folder / "report").save(project.lock_file)
    return project


def rewrite_lock(project, change):
    """Change what is in the lock, as data."""
    data = json.loads(project.lock_file.read_text(encoding="utf-8"))
    change(data)
    project.lock_file.write_text(json.dumps(data), encoding="utf-8")


def edit(path, old, new):
    """Replace a text that must be in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")

"""Short talks, in which most people speak once, are turns; lists with labels are none."""

from __future__ import annotations

import pytest

from seamline.parse import parse_text
from seamline.split import parse_strategy

TALKS = {
    "meeting": (
        "Standup, 4 June\n"
        "\n"
        "Anna: Who takes the release?\n"
        "Bert: I do, once the tests pass.\n"
        "Anna: Thanks. Anything else?\n"
        "Carla: The pump order is late, we need a call.\n"
    ),
    "blank": (
        "Anna: Shall we move the launch to May?\n"
        "\n"
        "Bert: I would rather keep April.\n"
        "\n"
        "Carla: You both forget the audit.\n"
        "\n"
        "Anna: Then May it is.\n"
    ),
    "timed": (
        "[09:00] Anna Roth: Shall we start?\n"
        "[09:01] Bert Kehl: I am here.\n"
        "[09:02] Anna Roth: Good. You have the numbers?\n"
        "[09:05] Carla Diaz: I do. Sales are up by four per cent.\n"
    ),
    "bold": (
        "## Call\n"
        "\n"
        "**Maya:** Did the customer answer you?\n"
        "\n"
        "**Tom:** Not yet, I wrote again.\n"
        "\n"
        "**Maya:** Please call them.\n"
        "\n"
        "**Lee:** I can do it on Monday.\n"
        "\n"
        "## Notes\n"
        "\n"
        "Nothing.\n"
    ),
    "german": (
        "Protokoll\n"
        "\n"
        "Anna: Wer übernimmt die Freigabe?\n"
        "Bert: Ich.\n"
        "Anna: Danke. Noch etwas?\n"
        "Carla: Wir brauchen Öl.\n"
    ),
    "titles": (
        "Dr. Falk: Where does it hurt?\n"
        "Ms. Ruiz: In my back, since we moved house.\n"
        "Dr. Falk: Did you lift something heavy?\n"
        "Nurse Obi: She told me of a piano.\n"
    ),
}
OTHERS = {
    "kv": ("Name: Halden.\nTown: York.\nName: Orrin.\nRiver: Ouse.\n"),
    "notes": (
        "Note: You need a coat.\nWarning: We do not wait.\nNote: Bring your hat.\nTip: Ask us.\n"
    ),
    "recipe": (
        "Dough: Mix flour and water.\n"
        "Filling: Whisk the eggs.\n"
        "Dough: Roll it out.\n"
        "Glaze: Brush it with milk.\n"
    ),
    "schedule": (
        "Monday: Oil the pump.\n"
        "Tuesday: Check the belt.\n"
        "Monday: Oil it again.\n"
        "Friday: Clean the filter.\n"
    ),
    "glossary": (
        "Pump: A machine that moves water.\n"
        "Belt: What drives it.\n"
        "Pump: See above.\n"
        "Filter: What keeps dirt out.\n"
    ),
    "prose": (
        "Anna: Who takes it?\n"
        "\n"
        "The room was silent.\n"
        "\n"
        "Bert: I do.\n"
        "\n"
        "It rained.\n"
        "\n"
        "Anna: Thanks, you are kind.\n"
        "\n"
        "Carla: We go.\n"
        "\n"
        "Then they left, and nobody came back to us.\n"
    ),
    "changelog": (
        "Added: You can now export.\n"
        "Fixed: We no longer crash.\n"
        "Added: Your files are kept.\n"
        "Removed: The old menu.\n"
    ),
    "status": (
        "Server: Restarted.\nDatabase: Upgraded.\nServer: Restarted again.\nCache: Emptied.\n"
    ),
    "faqish": (
        "Shipping: How long does it take? You wait two days.\n"
        "Returns: Can I return it? Yes.\n"
        "Payment: Which cards do you take? All.\n"
        "Support: How do I reach you? By mail.\n"
    ),
}


def speakers(text, media_type="text/markdown"):
    blocks = parse_text(text, media_type=media_type).blocks
    return [block.title for block in blocks if block.kind == "turn"]


@pytest.mark.parametrize("name", TALKS)
@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_a_talk_of_three_people_is_seen(name, media_type):
    if (name, media_type) != ("bold", "text/plain"):  # its headings are none in plain text
        found = speakers(TALKS[name], media_type)
        assert (len(found), len(set(found))) == (4, 3)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_labels_are_no_speakers(name, media_type):
    assert speakers(OTHERS[name], media_type) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Bert: I do, ", "Anna: I do, "),  # nobody speaks between
        ("Who takes the release?", "Take the release."),  # nothing is asked ...
        ("need a call.", "need a call\n"),  # the last is no sentence
        ("Carla: The", "the second man: The"),  # not a name
        ("Carla: The", "\nIt rained.\n\nCarla: The"),  # something stands between
        ("a call.", "a call.\n\nThen they left."),  # something stands below
        ("Anna: Thanks.", "Dora: Thanks."),  # nobody speaks again
    ],
)
def test_what_a_short_talk_needs(old, new):
    talk = TALKS["meeting"].replace("Anything else?", "That is all.")
    assert len(speakers(talk)) == 4
    assert speakers(talk.replace(old, new, 1)) == []


def test_a_longer_talk_in_one_order_is_a_list_of_records():
    one = "Anna: Do you agree?\nBert: I do.\nCarla: I do too.\n"
    assert len(speakers(f"{one}Anna: Thanks.\n")) == 4
    record = "Task: Do you know it?\nWork: You oil it.\nTeam: We do.\n"
    assert speakers(record * 2) == speakers(one * 2)


def test_the_answer_has_its_question():
    found = parse_text(TALKS["meeting"], media_type="text/plain")
    chunks = parse_strategy("adaptive(target=6)").split(found)
    contexts = [chunk.context for chunk in chunks if chunk.text.startswith("Bert")]
    assert contexts == ["Anna: Who takes the release?"]

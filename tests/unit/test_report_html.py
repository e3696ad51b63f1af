"""The HTML file: whole, self-contained, and inert whatever the documents hold."""

import base64
import hashlib
import json
from html.parser import HTMLParser

import pytest
from report_samples import HOSTILE, STRATEGIES, changed, corpus, measured

from seamline.errors import InvalidDocument, SeamlineError
from seamline.report import payload as payload_module
from seamline.report import write_report
from seamline.report.html import report_html
from seamline.report.markup import data_block, tag, with_specs
from seamline.report.model import standings
from seamline.types import Document


class Page(HTMLParser):
    """Elements, text and scripts of a page, as a browser's parser finds them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.scripts, self.text, self.inside = [], [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        if tag in ("script", "style"):
            self.scripts.append([tag, dict(attrs), ""])

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside in ("script", "style"):
            self.scripts[-1][2] += data
        else:
            self.text.append(data)

    def block(self, **wanted):
        (found,) = [text for _, attrs, text in self.scripts if wanted.items() <= attrs.items()]
        return found

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def sample():
    return measured()


@pytest.fixture(scope="module")
def page(sample):
    return Page(report_html(*sample))


@pytest.fixture(scope="module")
def data(page):
    return json.loads(page.block(id="data"))


def test_a_document_that_holds_a_script_adds_no_element(sample, page):
    assert HOSTILE in {document.text for document in sample[1].values()}
    assert [kind for kind, *_ in page.scripts] == ["style", "script", "script"]
    assert "i" not in {name for name, _ in page.elements}
    text = report_html(*sample)
    assert text.count("window.__pwned") == text.count("\\u003cscript\\u003ewindow.__pwned") == 1
    assert not {"\u2028", "\x1b", "<!--"} & {
        text[i : i + n] for i in range(len(text)) for n in (1, 4)
    }


def test_documents_questions_and_gold_come_through_unchanged(sample, data):
    results, documents = sample
    assert dict(zip(data["documents"]["id"], data["documents"]["text"], strict=True)) == {
        doc_id: document.text for doc_id, document in documents.items()
    }
    asked = results.data["questions"]
    assert data["questions"]["text"] == [question["text"] for question in asked]
    assert data["questions"]["slots"] == [question["slots"] for question in asked]


def test_chunks_hits_and_cut_answers_can_be_read_back(sample, data):
    for one, packed in zip(standings(sample[0]), data["strategies"], strict=True):
        assert packed["spec"] == one.row["spec"]
        for doc_id, gaps in zip(data["documents"]["id"], data["cuts"][packed["cut"]], strict=True):
            spans, start = [], 0
            for gap, size in zip(gaps[::2], gaps[1::2], strict=True):
                start += gap
                spans.append([start, start + size])
            assert spans == one.row["chunks"][doc_id]
        hits = [flat[i : i + 3] for flat in packed["retrieved"] for i in range(0, len(flat), 4)]
        assert hits == [hit[:3] for found in one.row["retrieved"] for hit in found]
        assert len(packed["split"]) == len(one.row["containment"]["split"])


def test_values_a_question_are_those_of_the_results(sample, data):
    best = standings(sample[0])[0].row
    for name, values in zip(data["measures"], data["strategies"][0]["values"], strict=True):
        assert values == pytest.approx(best["measures"][name]["values"], rel=1e-3)


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(page):
    (policy,) = [
        attrs["content"]
        for name, attrs in page.elements
        if name == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for kind, rule in (("style", "style-src"), ("script", "script-src")):
        (text,) = [t for k, attrs, t in page.scripts if k == kind and "id" not in attrs]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_nothing_is_loaded_and_nothing_needs_an_inline_style(page):
    for name, attrs in page.elements:
        assert not {"src", "style", "srcset"} & attrs.keys(), (name, attrs)
        assert not any(key.startswith("on") for key in attrs), (name, attrs)
        assert attrs.get("href", "#")[0] == "#" or attrs["href"] == "data:,"
    style = next(text for kind, _, text in page.scripts if kind == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_without_scripts_the_headline_the_ranking_and_all_sections_are_there(sample, page):
    best = sample[0].summary()[0]
    assert f"{best.mean:.3f}" in page.words
    for title in (
        "Ranking by Recall@40t",
        "Quality against cost",
        "What moves the needle",
        "Recall against tokens",
        "Recall@40t by tag",
        "Chunk sizes",
        "Best similarity",
        "Containment",
        "Costs and time",
        "Settings",
    ):
        assert title in page.words
    for spec in STRATEGIES:
        assert page.words.count(spec.partition("(")[2] or spec) >= 8
    assert "1 question left out" in page.words


def test_every_section_of_the_navigation_exists(page):
    ids = {attrs.get("id") for _, attrs in page.elements}
    targets = [attrs["href"][1:] for name, attrs in page.elements if name == "a"]
    assert len(targets) > 8
    assert set(targets) <= ids


def test_tables_have_captions_and_headers(page):
    names = [name for name, _ in page.elements]
    assert names.count("table") == names.count("caption") >= 5
    scopes = [attrs.get("scope") for name, attrs in page.elements if name == "th"]
    assert set(scopes) == {"row", "col"}


def test_similarities_are_drawn_when_there_are_vectors(sample):
    def change(row, i):
        n = len(row["retrieved"])
        row["top1"] = [
            {"similarity": 0.7 + 0.1 * (q % 2), "doc_id": "pump-0.md", "start": 0, "end": 9}
            for q in range(n)
        ]

    page = Page(report_html(changed(sample[0], change), sample[1]))
    paths = [attrs for name, attrs in page.elements if name == "path"]
    everything = paths[: 2 * len(STRATEGIES)]
    n = len(sample[0].data["questions"])
    assert sum(one["d"].count("h0") for one in everything) == n * len(STRATEGIES)
    assert {one["class"] for one in paths} == {"under", "over"}
    assert "embeds nothing" not in page.words
    assert "embeds nothing" in Page(report_html(*sample)).words


def test_aligned_chunks_are_counted(sample):
    def change(row, i):
        row["aligned"] = {"chunks": 40, "exact": 37} if i == 0 else None

    words = Page(report_html(changed(sample[0], change), sample[1])).words
    assert "found word for word" in words
    assert "40 37" in words


def test_timings_of_the_run_or_those_given_are_shown(sample):
    spec = STRATEGIES[0]
    given = {
        "stages": {"read": {"seconds": 77.5}},
        "strategies": {spec: {"split": {"seconds": 9.5}}},
    }
    words = Page(report_html(*sample, given)).words
    assert "read 77.50 s" in words
    assert "9.50" in words
    assert "Seconds by stage" not in Page(report_html(*sample, {})).words


def test_of_many_strategies_and_questions_only_the_best_have_what_they_retrieved(
    sample, monkeypatch
):
    n = len(sample[0].data["questions"])
    monkeypatch.setattr(payload_module, "MOST_RANKINGS", 2 * n)
    data = json.loads(Page(report_html(*sample)).block(id="data"))
    kept = [one["retrieved"] is not None for one in data["strategies"]]
    assert kept == [True, True, False, False, False]
    monkeypatch.setattr(payload_module, "MOST_RANKINGS", 1)
    data = json.loads(Page(report_html(*sample)).block(id="data"))
    assert sum(one["retrieved"] is not None for one in data["strategies"]) == 1


def test_texts_beyond_the_limit_are_left_out_and_counted(sample, monkeypatch):
    sizes = [len(document.text) for document in sample[1].values()]
    monkeypatch.setattr(payload_module, "MOST_TEXT", sum(sizes) - 1)
    page = Page(report_html(*sample))
    data = json.loads(page.block(id="data"))
    missing = [i for i, text in enumerate(data["documents"]["text"]) if text is None]
    assert len(missing) == 1
    assert data["cuts"][0][missing[0]] is None
    assert "The text of 1 document is left out" in page.words


def test_documents_nobody_asks_about_are_the_first_to_be_left_out(sample, monkeypatch):
    results = sample[0]
    asked = [q for q in results.data["questions"] if q["doc_id"] != "pump-0.md"]
    fewer = type(results)({**results.data, "questions": asked})
    total = sum(len(document.text) for document in sample[1].values())
    monkeypatch.setattr(payload_module, "MOST_TEXT", total - 1)
    texts = payload_module.embedded_texts(fewer.data, sample[1])
    assert "pump-0.md" not in texts
    assert len(texts) == len(sample[1]) - 1


def test_the_same_results_give_the_same_bytes(sample, tmp_path):
    first = write_report(*sample, tmp_path / "a" / "report.html", timings={})
    again = write_report(measured()[0], sample[1], tmp_path / "b.html", timings={})
    assert first.read_bytes() == again.read_bytes()
    assert [path.name for path in first.parent.iterdir()] == ["report.html"]


def test_a_missing_or_changed_document_is_refused_and_nothing_written(sample, tmp_path):
    results, documents = sample
    path = tmp_path / "report.html"
    with pytest.raises(InvalidDocument, match=r"'pump-3\.md' is not among"):
        write_report(results, {k: v for k, v in documents.items() if k != "pump-3.md"}, path)
    changed_one = {**documents, "pump-3.md": Document.from_text("New.", "pump-3.md")}
    with pytest.raises(InvalidDocument, match="changed since"):
        write_report(results, changed_one, path)
    assert not path.exists()


def test_documents_may_come_in_any_shape(sample):
    results, documents = sample
    expected = report_html(results, documents)
    for given in (list(documents.values()), tuple(documents.values()), iter(documents.values())):
        assert report_html(results, given) == expected
    assert report_html(results, documents.values()) == expected


@pytest.mark.parametrize("wrong", [None, 7, "docs", ["a.md"], {"a.md": "text"}])
def test_documents_of_another_type_are_refused(sample, wrong, tmp_path):
    with pytest.raises(SeamlineError, match="needs Documents"):
        write_report(sample[0], wrong, tmp_path / "report.html")


def test_other_arguments_of_a_wrong_type_are_refused(sample, tmp_path):
    with pytest.raises(SeamlineError, match="shows the Results"):
        write_report(sample[0].data, sample[1], tmp_path / "report.html")
    with pytest.raises(SeamlineError, match="path must be"):
        write_report(*sample, None)


def test_equal_values_share_a_rank_and_charts_tell_them_apart(sample):
    primary = sample[0].data["config"]["primary"]

    def change(row, _):
        one = {**row["measures"][primary], "mean": 0.5}
        row["measures"] = {**row["measures"], primary: one}

    page = Page(report_html(changed(sample[0], change), sample[1]))
    packed = json.loads(page.block(id="data"))["strategies"]
    assert [one["label"] for one in packed] == ["1a", "1b", "1c", "1d", "1e"]
    for label in ("1a", "1b", "1c", "1d", "1e"):
        assert page.text.count(label) >= 6
    buttons = [attrs for name, attrs in page.elements if name == "button"]
    series = [attrs["data-s"] for attrs in buttons if "data-s" in attrs]
    assert series == ["0", "1", "2", "3", "4"]


def test_intervals_are_marked_and_explained_row_by_row(sample):
    primary = sample[0].data["config"]["primary"]

    def change(row, i):
        method = "wilson" if i == 0 else "cluster-t"
        one = {**row["measures"][primary], "interval": method, "low": 0.25, "high": 0.75}
        row["measures"] = {**row["measures"], primary: one}
        row["difference"] = {**row["difference"], "interval": None}

    page = Page(report_html(changed(sample[0], change), sample[1]))
    cells = [text for text in page.text if text.startswith("0.250–0.750")]
    assert sorted(cells) == ["0.250–0.750"] * 4 + ["0.250–0.750†"]
    assert "† Wilson's interval of a share" in page.words
    assert "* questions were drawn again" not in page.words


def test_notes_stand_in_the_warning_box(sample):
    noted = type(sample[0])({**sample[0].data, "notes": ["The budget <b>holds</b> it all."]})
    page = Page(report_html(noted, sample[1]))
    assert "The budget <b>holds</b> it all." in page.text
    assert "b" in {name for name, _ in page.elements}


def test_what_could_not_be_read_stands_in_the_warning_box_and_in_full_below(sample):
    missed = [{"id": f"{name}.pdf", "why": "must be <i>whole</i>"} for name in "abcdefg"]
    documents = [dict(row) for row in sample[0].data["documents"]]
    documents[0]["pages_without_text"] = [2, 30]
    data = {**sample[0].data, "documents": documents, "skipped_documents": missed}
    page = Page(report_html(type(sample[0])(data), sample[1]))
    assert "7 files could not be read, so that no figure is about them: a.pdf, b.pdf" in page.words
    assert "2 pages without text, pictures perhaps, are in no figure" in page.words
    assert "7 files left out" in page.text
    assert page.text.count("must be <i>whole</i>") == 7
    assert "pages without text" in page.text
    assert "2, 30" in page.text
    plain = Page(report_html(*sample))
    assert "file left out" not in plain.words
    assert "pages without text" not in plain.words


def tagged(results, counts):
    """Results whose first questions have these tags, each on as many as given."""
    asked = [{**question, "tags": []} for question in results.data["questions"]]
    for name, n in counts.items():
        for question in asked[:n]:
            question["tags"] = [*question["tags"], name]

    def change(row, _):
        mean = {row_name: {"mean": 0.5, "n": 1} for row_name in row["measures"]}
        row["by_tag"] = dict.fromkeys(counts, mean)
        row["top1"] = [
            {"similarity": 0.4, "doc_id": "pump-0.md", "start": 0, "end": 9} for _ in asked
        ]

    return type(results)({**changed(results, change).data, "questions": asked})


def test_tags_of_few_questions_are_named_in_a_line_and_have_no_panel(sample):
    given = tagged(sample[0], {"wide": 12, "some": 9, "three": 3, "two": 2, "one": 1})
    page = Page(report_html(given, sample[1]))
    heads = {text for text in page.text if text in ("wide", "some", "three", "two", "one")}
    assert heads == {"wide", "some", "three"}
    assert "Tags of few questions, not shown: two (2), one (1)." in page.words
    strips = "Tags of few questions, not shown: some (9), three (3), two (2), one (1)."
    assert strips in page.words


def test_numbers_in_small_panels_come_with_names(sample):
    page = Page(report_html(tagged(sample[0], {"wide": 12}), sample[1]))
    titles = [attrs["title"] for name, attrs in page.elements if name == "li" and "title" in attrs]
    assert len(titles) == 2 * len(STRATEGIES)
    names = [attrs for name, attrs in page.elements if attrs.get("class") == "note names"]
    assert len(names) == 1


def test_the_bundled_model_comes_with_a_word_on_its_cosines(sample):
    given = tagged(sample[0], {})
    said = "The bundled model's cosines are lower"
    assert said not in Page(report_html(given, sample[1])).words
    config = {**given.data["config"], "embedder": "minilm"}
    bundled = type(given)({**given.data, "config": config})
    assert said in Page(report_html(bundled, sample[1])).words


@pytest.mark.parametrize("n", [1, 2])
def test_the_smallest_results_have_a_report(n):
    documents, questions = corpus(n + 1)
    results, by_id = measured(n + 1, strategies=("whole",), budgets=(40,))
    page = Page(report_html(results, by_id))
    assert len(documents) == n + 1
    assert f"Based on {len(questions) - 1} questions" in page.words


def test_of_many_strategies_the_best_15_are_drawn_and_all_are_in_tables():
    specs = tuple(f"fixed(size={n}, overlap=0)" for n in range(10, 37))
    page = Page(report_html(*measured(3, strategies=specs)))
    lines = [a for name, a in page.elements if name == "g" and "line" in a.get("class", "")]
    assert len(lines) == 15
    assert len({attrs["data-s"] for attrs in lines}) == 15
    assert page.words.count("Drawn are the best 15 of 27.") >= 3
    assert all(spec in page.words for spec in specs)


def test_a_measure_of_which_less_is_better_has_a_report():
    results, documents = measured(4, measures=("Tokens@3", "Recall@3"))
    page = Page(report_html(results, documents))
    assert "Ranking by Tokens@3" in page.words


def test_markup_escapes_text_and_attributes():
    made = tag("p", "a < b", title='"q" & \x00', hidden=True, class_=None, x=0.5)
    assert made == '<p title="&quot;q&quot; &amp; �" hidden x="0.5">a &lt; b</p>'
    assert tag("div", tag("br"), "<br>") == "<div><br>&lt;br&gt;</div>"


def test_a_data_block_cannot_be_ended_from_inside():
    text = "</script><!--&\u2028\u2029"
    block = data_block({"t": text}, "d")
    assert block.count("</script>") == 1
    assert not {"<!--", "\u2028", "\u2029"} & {block[i : i + n] for i in range(99) for n in (1, 4)}
    assert json.loads(Page(block).block(id="d")) == {"t": text}


def test_strategies_in_a_sentence_are_found_longest_first():
    made = with_specs("fixed and fixed(size=9) <", ["fixed", "fixed(size=9)"])
    assert made.count("<code") == 2
    assert "fixed(<wbr>size=9)</code> &lt;" in made

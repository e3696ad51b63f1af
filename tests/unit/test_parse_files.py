import os
import socket

import pytest

from seamline.errors import (
    InvalidConfig,
    InvalidDocument,
    MissingInput,
    SeamlineError,
    UnsupportedFormat,
)
from seamline.parse import find_files, parse_file, read_documents


@pytest.fixture
def tree(tmp_path):
    """Makes files, given by their paths, in a folder of its own."""

    def make(*names, root="docs"):
        for name in names:
            path = tmp_path / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"Text of {name}.\n", encoding="utf-8")
        return tmp_path / root

    return make


def ids(*paths):
    return [doc_id for _, doc_id in find_files(paths)]


def test_a_folder_s_files_are_sorted_by_their_relative_path(tree):
    docs = tree("b.md", "a/z.txt", "a-b.md", "a/b/c.MARKDOWN", "B.text", "é.mkd", "a.mdown")
    expected = ["B.text", "a-b.md", "a.mdown", "a/b/c.MARKDOWN", "a/z.txt", "b.md", "é.mkd"]
    assert ids(docs) == ids(str(docs)) == expected
    assert [path for path, _ in find_files([docs])] == [docs / name for name in expected]


def test_arguments_keep_their_order_and_files_go_by_their_name(tree):
    docs = tree("z.md", "y/b.md")
    assert ids(docs / "z.md", docs / "y") == ["z.md", "b.md"]


def test_one_path_may_be_given_bare(tree):
    docs = tree("a.md")
    assert find_files(docs) == find_files(str(docs)) == [(docs / "a.md", "a.md")]


def test_documents_come_in_that_order_with_id_and_source(tree):
    docs = tree("b.md", "a.txt")
    documents = read_documents([docs])
    assert iter(documents) is documents
    assert [(d.id, d.source, d.text, d.media_type) for d in documents] == [
        ("a.txt", str(docs / "a.txt"), "Text of a.txt.\n", "text/plain"),
        ("b.md", str(docs / "b.md"), "Text of b.md.\n", "text/markdown"),
    ]


def test_dotfiles_and_dot_folders_are_left_out(tree):
    assert ids(tree("a.md", ".hidden.md", ".git/b.md", "c/.d/e.md", ".DS_Store")) == ["a.md"]


def test_an_empty_file_is_a_document(tmp_path):
    (tmp_path / "a.md").touch()
    assert [d.text for d in read_documents([tmp_path])] == [""]


def test_nothing_given(tree):
    with pytest.raises(MissingInput, match="at least one file or folder"):
        find_files([])


def test_a_path_that_is_not_there_is_named(tree):
    docs = tree("a.md")
    with pytest.raises(MissingInput, match=r"must exist, got '.*nowhere'"):
        find_files([docs, docs / "nowhere"])
    with pytest.raises(MissingInput, match=r"nowhere\.md.*No such file"):
        parse_file(docs / "nowhere.md")


def test_a_folder_without_documents_says_what_documents_are(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden.md").touch()
    with pytest.raises(MissingInput, match=r"documents are \.md, \.txt"):
        find_files([tmp_path])


def test_a_folder_is_not_a_file(tmp_path):
    (tmp_path / "a.md").mkdir()
    with pytest.raises(MissingInput, match="Is a directory"):
        parse_file(tmp_path / "a.md")


def test_files_of_unknown_format_are_all_named(tree):
    docs = tree("a.md", "b.xyz", "c/README", "d.tar.gz")
    with pytest.raises(UnsupportedFormat) as caught:
        find_files([docs])
    message = str(caught.value)
    assert all(str(docs / name) in message for name in ("b.xyz", "c/README", "d.tar.gz"))
    assert "a.md" not in message
    with pytest.raises(UnsupportedFormat, match=r"b\.xyz"):
        parse_file(docs / "b.xyz")


def test_beyond_ten_files_of_unknown_format_are_counted(tree):
    docs = tree(*(f"{number:02}.xyz" for number in range(13)))
    with pytest.raises(UnsupportedFormat, match=r"09\.xyz' and 3 more:") as caught:
        find_files([docs])
    assert "10.xyz" not in str(caught.value)


def test_everything_is_checked_before_anything_is_read(tree):
    docs = tree("a.md")
    (docs / "b.md").write_bytes(b"\xff\xff")
    (docs / "c.xyz").touch()
    with pytest.raises(UnsupportedFormat, match=r"c\.xyz"):
        next(read_documents([docs]))


def test_a_bad_document_is_named_where_it_comes(tree):
    docs = tree("a.md")
    (docs / "b.md").write_bytes(b"caf\xe9")
    documents = read_documents([docs])
    assert next(documents).id == "a.md"
    with pytest.raises(InvalidDocument, match=r"b\.md must be UTF-8"):
        next(documents)


def test_the_same_file_is_read_once(tree):
    docs = tree("a.md", "b.md")
    assert ids(docs, docs, docs / "a.md", docs / "." / "b.md") == ["a.md", "b.md"]


def test_different_files_with_one_id_get_their_folder_in_front(tree):
    first, second = tree("a.md", "x.md", root="one"), tree("a.md", "y.md", root="two")
    assert ids(first, second) == ["one/a.md", "x.md", "two/a.md", "y.md"]
    assert ids(first / "a.md", second / "a.md") == ["one/a.md", "two/a.md"]


def test_ids_that_stay_alike_are_refused(tree):
    first, second = tree("a.md", root="v1/docs"), tree("a.md", root="v2/docs")
    with pytest.raises(InvalidConfig, match=r"'docs/a\.md'") as caught:
        find_files([first, second])
    assert str(first / "a.md") in str(caught.value)
    assert str(second / "a.md") in str(caught.value)


def test_a_made_up_id_never_hides_a_real_one(tree):
    first, second = tree("a.md", root="one"), tree("a.md", root="two")
    third = tree("one/a.md", root="three")
    with pytest.raises(InvalidConfig, match=r"'one/a\.md'"):
        find_files([first, second, third])


def test_the_current_folder_has_a_name_too(tree, monkeypatch):
    here, other = tree("a.md", root="here"), tree("a.md", root="other")
    monkeypatch.chdir(here)
    assert ids(".", other) == ["here/a.md", "other/a.md"]


def test_loops_of_links_end(tree):
    docs = tree("a.md", "sub/b.md")
    (docs / "sub" / "up").symlink_to(docs)
    (docs / "sub" / "here").symlink_to(docs / "sub")
    assert ids(docs) == ["a.md", "sub/b.md"]


@pytest.mark.parametrize("name", ["a", "z"])
def test_a_link_never_hides_the_folder_it_leads_to(tree, name):
    docs = tree("m/b.md")
    (docs / name).symlink_to(docs / "m")
    assert ids(docs) == ["m/b.md"]


def test_linked_files_and_folders_from_elsewhere_are_read(tree):
    docs, other = tree("a.md"), tree("b.md", root="other")
    (docs / "linked").symlink_to(other)
    (docs / "c.md").symlink_to(other / "b.md")
    assert ids(docs) == ["a.md", "c.md", "linked/b.md"]


@pytest.mark.parametrize("target", ["gone.md", "a.md"])
def test_a_link_to_nowhere_or_to_itself_is_named(tmp_path, target):
    (tmp_path / "a.md").symlink_to(tmp_path / target)
    with pytest.raises(MissingInput, match=r"regular file, got '.*a\.md', a broken link"):
        find_files([tmp_path])


def test_pipes_and_sockets_are_named_and_never_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.md")
    with pytest.raises(MissingInput, match=r"pipe\.md', a pipe"):
        find_files([tmp_path])
    (tmp_path / "pipe.md").unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.txt")
        with pytest.raises(MissingInput, match=r"socket\.txt"):
            find_files([tmp_path])


def test_a_file_name_that_is_not_unicode_is_refused(tmp_path):
    try:
        open(os.fsencode(tmp_path) + b"/\xff.md", "wb").close()  # noqa: PTH123
    except OSError:
        pytest.skip("this file system only takes Unicode names")
    with pytest.raises(InvalidDocument, match="valid Unicode"):
        find_files([tmp_path])


def test_every_refusal_can_be_caught_as_one_class(tmp_path):
    for bad in ([], [tmp_path], [tmp_path / "x"]):
        with pytest.raises(SeamlineError):
            find_files(bad)


def test_a_link_that_leads_to_itself_is_a_broken_one(tmp_path):
    (tmp_path / "a.md").write_text("A.")
    (tmp_path / "loop.md").symlink_to("loop.md")
    with pytest.raises(MissingInput, match="a broken link: mend it"):
        find_files([tmp_path])
    (tmp_path / "deep").symlink_to("deep")
    with pytest.raises(MissingInput, match="a path must exist"):
        find_files([tmp_path / "deep"])
    skipped = []
    found = find_files([tmp_path], skipped=skipped, leave_out=[tmp_path / "loop.md"])
    assert [doc_id for _, doc_id in found] == ["a.md"]
    assert {one.doc_id for one in skipped} >= {"deep"}

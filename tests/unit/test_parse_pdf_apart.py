"""PDF files in a process apart: one that hangs PDFium or crashes it does not end the run."""

import os
import signal
import threading
import time

import pytest
from pdf_samples import IMAGE, pdf, text

from seamline.errors import InvalidDocument
from seamline.parse import Limits, read_documents
from seamline.parse.pdf import PdfParser
from seamline.parse.pdf_apart import PdfApart

pytest.importorskip("pypdfium2", reason="needs the extra pdf")
GOOD = pdf(text(50, 700, "Oil the pump."), IMAGE)


def bomb(depth=9, fan=10):
    """A page whose forms draw each other: ten to the power of `depth` letters in 3 KB."""
    inner, font = "", "/Font << /F1 5 0 R >>"
    page = "BT /F1 10 Tf 50 700 Td (a) Tj ET /X Do"
    bodies = ["/X Do " * fan] * depth + ["BT /F1 10 Tf 50 600 Td (a) Tj ET"]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << {font} /XObject << /X 6 0 R >> >> >>",
        f"<< /Length {len(page)} >>\nstream\n{page}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, body in enumerate(bodies):
        inner = f"/XObject << /X {7 + i} 0 R >>" if i < depth else ""
        objects.append(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources "
            f"<< {font} {inner} >> /Length {len(body)} >>\nstream\n{body}\nendstream"
        )
    data, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n"
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        f"{data}xref\n0 {size}\n0000000000 65535 f \n{rows}"
        f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    ).encode()


@pytest.fixture
def apart():
    with PdfApart() as one:
        yield one


def test_a_document_is_the_same_as_when_it_is_read_here(apart):
    for data in (GOOD, pdf(text(50, 700, "More."), title="Manual")):
        assert apart.parse(data, "a.pdf") == PdfParser().parse(data, "a.pdf")


def test_one_process_reads_all_files_and_ends_with_the_run():
    with PdfApart() as apart:
        apart.parse(GOOD, "a.pdf")
        first = apart._process
        apart.parse(GOOD, "b.pdf")
        with pytest.raises(InvalidDocument, match=r"c\.pdf must be a PDF file"):
            apart.parse(b"text", "c.pdf")
        assert apart._process is first
    assert first.returncode is not None


def test_no_process_is_started_without_a_pdf():
    with PdfApart() as apart:
        assert apart._process is None


def test_a_page_that_does_not_end_is_given_up_and_the_next_file_is_read(apart):
    began = time.monotonic()
    with pytest.raises(InvalidDocument, match=r"a\.pdf must be read within 0\.5 seconds"):
        apart.parse(bomb(), "a.pdf", Limits(max_seconds=0.5))
    assert time.monotonic() - began < 60
    assert apart.parse(GOOD, "b.pdf").text == "Oil the pump."


def test_a_process_that_dies_under_a_file_refuses_it_and_the_next_file_is_read(apart):
    apart.parse(GOOD, "a.pdf")
    dying = threading.Timer(0.2, os.kill, (apart._process.pid, signal.SIGKILL))
    dying.start()
    with pytest.raises(InvalidDocument, match=r"b\.pdf .* PDFium crashes .*exit code -9"):
        apart.parse(bomb(), "b.pdf", Limits(max_seconds=30))
    dying.join()
    assert apart.parse(GOOD, "c.pdf").text == "Oil the pump."


def test_a_process_that_died_between_files_is_replaced(apart):
    apart.parse(GOOD, "a.pdf")
    apart._process.kill()
    apart._process.wait()
    assert apart.parse(GOOD, "b.pdf").text == "Oil the pump."


@pytest.mark.parametrize("executable", ["", "/no/such/python", "/bin/true"])
def test_where_no_process_can_be_started_files_are_read_here(apart, monkeypatch, executable):
    monkeypatch.setattr("sys.executable", executable)
    assert apart.parse(GOOD, "a.pdf").text == "Oil the pump."
    assert apart._process is None


def test_a_hostile_file_of_a_folder_is_skipped_and_the_others_go_on(tmp_path):
    (tmp_path / "a.pdf").write_bytes(GOOD)
    (tmp_path / "b.pdf").write_bytes(bomb())
    (tmp_path / "c.md").write_bytes(b"Oil.")
    (tmp_path / "d.pdf").write_bytes(GOOD)
    skipped = []
    read = read_documents([tmp_path], skipped=skipped, limits=Limits(max_seconds=0.5))
    assert [document.id for document in read] == ["a.pdf", "c.md", "d.pdf"]
    assert [one.doc_id for one in skipped] == ["b.pdf"]
    assert skipped[0].why.startswith("must be read within 0.5 seconds")
    with pytest.raises(InvalidDocument, match=r"must be read within 0\.5 seconds"):
        list(read_documents([tmp_path / "b.pdf"], skipped=[], limits=Limits(max_seconds=0.5)))


def test_limits_reach_the_other_process(apart):
    with pytest.raises(InvalidDocument, match="must be at most 10 bytes"):
        apart.parse(GOOD, "a.pdf", Limits(max_bytes=10))

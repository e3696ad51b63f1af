"""Small PDF files made by hand: text at places, several pages, fonts and bookmarks."""

import zlib

BODY, BOLD = "F1", "F2"


def text(x, y, words, size=10, font=BODY):
    """Draws words with their baseline at (x, y), in points from the bottom left."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def lines(x, y, words, size=10, step=12, font=BODY):
    """Draws lines one below the other."""
    return "".join(text(x, y - i * step, line, size, font) for i, line in enumerate(words))


def rule(x0, y0, x1, y1):
    """Draws a line from one point to another."""
    return f"{x0} {y0} m {x1} {y1} l S\n"


def bar(x, y, width, height):
    """Fills a rectangle whose bottom left corner is at (x, y)."""
    return f"{x} {y} {width} {height} re f\n"


IMAGE = "q 100 0 0 100 50 50 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q\n"


def pdf(*pages, title="", encrypt=False, rotate=0, compress=False):
    """The bytes of a PDF file whose pages are the strings of drawing commands."""
    n_pages = len(pages)
    kids = " ".join(f"{5 + 2 * i} 0 R" for i in range(n_pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {n_pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for i, page in enumerate(pages):
        stream = page.encode("cp1252", errors="replace")
        filters = ""
        if compress:
            stream, filters = zlib.compress(stream), " /Filter /FlateDecode"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate {rotate} /Contents "
            f"{6 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R "
            "/F3 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >> >>".encode(),
            f"<< /Length {len(stream)}{filters} >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    objects.append(f"<< /Title ({title}) >>".encode())
    locked = ""
    if encrypt:
        secret = "(" + "x" * 32 + ")"
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /O {secret} /U {secret} /P -4 >>".encode())
        locked = f" /Encrypt {len(objects)} 0 R /ID [(a) (b)]"
    data = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    info = 5 + 2 * n_pages
    data += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {info} 0 R{locked} >>\n".encode()
    )
    return data + f"startxref\n{start}\n%%EOF\n".encode()

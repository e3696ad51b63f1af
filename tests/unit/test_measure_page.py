"""docs/measures.md leaves no measure out."""

import pytest

from seamline.measure import describe


@pytest.mark.parametrize("name", [row.name for row in describe()])
def test_every_measure_is_on_the_page(root, name):
    page = (root / "docs" / "measures.md").read_text(encoding="utf-8")
    assert f"`{name}@" in page or f"`{name}`" in page

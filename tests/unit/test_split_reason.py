"""Why a region is cut as it is, where the strategy is not one of seamline's own."""

from seamline.split import as_strategy
from seamline.split.strategies import reason_of


class Halves:
    """A splitter of somebody else."""

    def split_text(self, text: str) -> list[str]:
        return [text[: len(text) // 2], text[len(text) // 2 :]]


def test_a_splitter_of_somebody_else_gives_its_name_for_a_reason():
    assert reason_of(as_strategy(Halves()), "table") == "as Halves cuts"

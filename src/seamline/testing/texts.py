"""Odd texts to test a strategy with, as Hypothesis strategies (needs `hypothesis`)."""

from __future__ import annotations

from hypothesis import strategies as st

from seamline.types import Document

__all__ = ["documents", "odd_texts"]

_PARTS = [
    *("word", "I", "Dr.", "end.", "so?", "yes!", "don't", "foo_bar(baz)", "123456789", "x/\n/y"),
    *("\n", "\n\n", "\n\n\n\n", "  ", "\t", "\n    ", "\r\n", "\r", "\x0c", "\u3000", "\xa0"),
    *("\n## Head\n", "\n### Sub\n", "- item", "1. step", "|a|b|\n", "```\ncode\n```", "> quote"),
    *("\u4e2d\u6587\u5b57\u3002", "\u4f60\u597d\uff0c", "e\u0301", " \u0301", "\u200d", "\u0600"),
    *("\U0001f469\u200d\U0001f52c", "\U0001f1e8\U0001f1ed\U0001f1ef\U0001f1f5", "\U0001d4b3"),
    *("\u0915\u094d\u0937\u093f", "\ufeff", "\u2028", "...", "$$x$$", "a" * 40, "\x00"),
    *("<|endoftext|>", "<script>", "Section 2. Scope\n", "Q: why?\nA: so.\n"),
]


def odd_texts(max_parts: int = 60) -> st.SearchStrategy[str]:
    """Texts made of what breaks chunkers, and of any Unicode at all."""
    any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    parts = st.lists(st.one_of(st.sampled_from(_PARTS), any_text), max_size=max_parts)
    return st.builds(str.join, st.sampled_from(["", " ", "\n"]), parts)


def documents(max_parts: int = 60) -> st.SearchStrategy[Document]:
    """Plain and Markdown documents of odd text."""
    return st.builds(
        lambda text, media_type: Document.from_text(text, "odd", media_type=media_type),
        odd_texts(max_parts),
        st.sampled_from(["text/plain", "text/markdown"]),
    )

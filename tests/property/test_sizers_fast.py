"""The faster tokenizer of the extra `fast` gives the same ids as the one that is always there."""

from __future__ import annotations

from functools import cache, partial

import pytest
import toktok
from hypothesis import example, given
from hypothesis import strategies as st

from seamline.sizers import tokens
from seamline.testing.texts import odd_texts

pytest.importorskip("gigatoken", reason="needs the extra fast")

NAMES = st.sampled_from(tokens.BPE_VOCABULARIES)


@cache
def encoders(name):
    tokenizer = toktok._encoding(name)
    slow = partial(tokenizer.encode_to_numpy, disallowed_special=())
    return slow, tokens._fast_encode(name, tokenizer.token_byte_values())


@given(NAMES, odd_texts())
@example("cl100k_base", "")
@example("o200k_base", "a" * 5000 + "\n" * 900 + "\U0001f9e0" * 300)
def test_the_ids_are_the_same(name, text):
    slow, fast = encoders(name)
    assert fast(text).tolist() == slow(text).tolist()


@given(NAMES, st.lists(st.integers(0, 99_000), max_size=80))
def test_the_ids_of_any_row_of_tokens_are_the_same(name, ids):
    spelled = toktok._encoding(name).token_byte_values()
    text = b"".join(spelled[i] for i in ids).decode(errors="replace")
    slow, fast = encoders(name)
    assert fast(text).tolist() == slow(text).tolist()


@pytest.mark.parametrize("name", tokens.BPE_VOCABULARIES)
def test_nothing_changes_when_it_takes_over(name, monkeypatch):
    monkeypatch.setattr(tokens, "_WORTH_LOADING", 10)
    vocabulary = tokens._Vocabulary(name)
    text = "Pumps don't run dry \U0001f9e0\u6c34\u6cf5. <|endoftext|>\n\n"
    first, *rest = (vocabulary.encode(text).tolist() for _ in range(4))
    assert rest == [first] * 3
    assert type(vocabulary._encode.__self__).__module__.startswith("gigatoken")

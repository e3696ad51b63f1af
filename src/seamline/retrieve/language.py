"""Which language a corpus is written in: stop words counted in a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from seamline.retrieve.stopwords import languages, stop_words
from seamline.retrieve.words import split_text

__all__ = ["detect_language"]

_TEXTS = 64
_CHARACTERS = 2000
# Running prose is a third to a half stop words; code and tables of another
# language hit a list by chance in about one word of a hundred.
_LEAST_SHARE = 0.05


def detect_language(texts: Sequence[str]) -> str | None:
    """The stemmer's name for the language of `texts`, None where unclear.

    At most 64 texts, evenly spaced, are read, 2,000 characters of each. The
    language whose stop words occur most often wins if they are at least 5 % of
    the words; ties go to the order of `stopwords.languages()`. None (no stemming,
    no stop words) is also the answer for scripts without a list, such as Chinese.

    Example:
        >>> detect_language(["Wer das liest, ist nicht allein."])
        'german'
    """
    step = -(-len(texts) // _TEXTS) or 1
    counts = Counter[str]()
    n_unspaced = 0
    for text in texts[::step]:
        words, runs = split_text(text[:_CHARACTERS])
        counts.update(word.lower() for word in words)
        n_unspaced += sum(map(len, runs))
    hits = {name: sum(counts[word] for word in stop_words(name)) for name in languages()}
    best = max(hits, key=hits.__getitem__)
    enough = hits[best] >= max(1.0, _LEAST_SHARE * (counts.total() + n_unspaced))
    return best if enough else None

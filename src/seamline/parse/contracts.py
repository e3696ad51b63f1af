"""Which texts are contracts, long or short, and what their numbered lists are made of."""

from __future__ import annotations

import re

from seamline.parse.columns import replaced
from seamline.parse.heads import count_words
from seamline.types import Block, Blocks, Span

__all__ = ["is_contract", "without_lists"]

_LEGAL = (
    "shall hereby herein hereof hereto hereunder hereinafter thereof therein whereas agreement "
    "pursuant notwithstanding witnesseth licensor licensee lessor lessee indemnif covenant "
    "terminat warrant liabilit parties vertrag auftragnehmer auftraggeber gemäß hiermit haftung "
    "kündigung vereinbarung contrat contractant présent contrato partes"
).split()
# Without any of these no text is a contract: the words of the long ones, those of all.
_SURE = ("shall", "agreement", "vertrag", "contrat", "vereinbarung")
_NEEDED = (*_SURE, "contract", "lease", "deed", "licen", "amendment", "terms")
_SAMPLE = 20_000  # code points at the start, and as many in the middle
_DENSITY = 12  # such words in a thousand
_DISTINCT = 5

# A short contract calls itself one, or has two parties by their roles who each shall do
# something; it says what is owed, and other things that contracts say, close together.
_ITSELF = re.compile(
    r"\b(?:this|present) (?:[\w-]+ ){0,3}?"
    r"(?:agreement|contract|lease|licen[cs]e|deed|amendment|addendum|undertaking)\b"
    r"|\bthese (?:[\w-]+ ){0,2}?terms\b|\bdiese[rsm]? (?:\w+)?(?:vertrag|vereinbarung)"
    r"|\b(?:présent|presente) contrat",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(Landlord|Tenant|Licensor|Licensee|Lessor|Lessee|Supplier|Customer|Discloser|Recipient"
    r"|Employer|Employee|Contractor|Subcontractor|Buyer|Seller|Purchaser|Vendor|Lender|Borrower"
    r"|Company|Consultant|Distributor|Manufacturer|Guarantor|Franchisee|Franchisor|Reseller)"
    r"(?:[’']s)? (?:shall|will|may not|must|agrees?|warrants?|undertakes?|hereby|fails)\b"
)
_OWED = re.compile(
    r"\b(?:shall|agrees? (?:to|that)|undertakes? to|warrants?|covenants?|indemnif\w+|be liable"
    r"|verpflichtet|haftet|s['’]engage|se obliga)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(here(?:by|in|to|of|under)|there(?:of|in|to)|whereas|notwithstanding|pursuant to"
    r"|provided,? (?:that|however)|govern(?:ed by|ing law)|jurisdiction|breach|without limitation"
    r"|damages|severab|entire agreement|force majeure|assign(?:s|ment)?\b|confidential|injunct"
    r"|in writing|notice|terminat|liab|third part|remedy|full force|survive|(?:ge)?kündig|haftung"
    r"|schriftform|résili|préavis|responsab)",
    re.IGNORECASE,
)
_SHORT_DENSITY = 25  # of what is owed and said, in a thousand words
_SHORT_DISTINCT = 2
_ROLES, _OWED_BY_ROLES, _SAID_OF_ROLES = 2, 3, 3
_NUMBERED = re.compile(r"\d{1,3}[.)]")


def is_contract(text: str) -> bool:
    """Whether a text reads like a contract: a long one by its words, a short one by its phrases.

    Judged by two parts of it, so the cost does not grow with the text.

    Example:
        >>> is_contract("The pump is oiled daily. Section 1. Oil.")
        False
        >>> is_contract("1. Ada shall pay Ben. 2. This contract ends by notice in writing.")
        True
    """
    middle = len(text) // 2 if len(text) > 2 * _SAMPLE else len(text)
    parts = (0, _SAMPLE), (middle, middle + _SAMPLE)
    if not any(count_words(text, _NEEDED, *part) for part in parts):
        return False
    sample = text[:_SAMPLE] + text[middle : middle + _SAMPLE]
    n_words = sample.count(" ") + sample.count("\n") + 1
    n_sure = sum(count_words(text, _SURE, *part) for part in parts)
    return (n_sure >= 3 and _is_legal(sample.lower(), n_words)) or _is_short(sample, n_words)


def _is_legal(sample: str, n_words: int) -> bool:
    """Whether there are many words of the law, and several of them."""
    counts = [sample.count(word) for word in _LEGAL]
    enough = sum(counts) * 1000 >= _DENSITY * n_words and sum(counts) >= 10
    return enough and sum(count > 0 for count in counts) >= _DISTINCT


def _is_short(sample: str, n_words: int) -> bool:
    """Whether it reads like a contract although it is too short for many words of the law."""
    names_itself = _ITSELF.search(sample) is not None
    if not names_itself and len({found[1] for found in _ROLE.finditer(sample)}) < _ROLES:
        return False
    n_owed = sum(1 for _ in _OWED.finditer(sample))
    said = [found[1].lower() for found in _SAID.finditer(sample)]
    if (n_owed + len(said)) * 1000 < _SHORT_DENSITY * n_words:
        return False
    if names_itself:
        return n_owed > 0 and len(set(said)) >= _SHORT_DISTINCT
    return n_owed >= _OWED_BY_ROLES and len(set(said)) >= _SAID_OF_ROLES


def without_lists(text: str, blocks: Blocks) -> Blocks:
    """The blocks, numbered lists that lie in no other as the paragraphs that they are made of.

    So each item may begin a clause, and what stands between two lists belongs to the
    item before it. Lists inside items stay.
    """
    kinds, starts, ends = blocks.kinds, blocks.starts, blocks.ends
    gone: dict[int, list[Block]] = {}
    outer = until = item = 0  # where the outermost block, the open list and its item end
    for at, kind in enumerate(kinds):
        start, end = starts[at], ends[at]
        if start >= outer:
            outer = end
            if kind == "list" and _NUMBERED.match(text, start):
                gone[at], until = [], end
        elif kind == "list_item" and item <= start < until:
            item = end
            gone[at] = [_head(text, blocks, at)]
            if at + 1 < len(kinds) and kinds[at + 1] == "paragraph" and starts[at + 1] < end:
                gone[at + 1] = []
    return replaced(blocks, gone) if gone else blocks


def _head(text: str, blocks: Blocks, at: int) -> Block:
    """The number of an item with the paragraph that it begins with."""
    start, end, then = blocks.starts[at], blocks.ends[at], at + 1
    if then < len(blocks) and blocks.starts[then] < end:
        end = blocks.ends[then] if blocks.kinds[then] == "paragraph" else blocks.starts[then]
    return Block("paragraph", Span(start, start + len(text[start:end].rstrip())))

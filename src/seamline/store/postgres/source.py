"""What is asked of the server for one reader, inside one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from seamline.errors import StoreError
from seamline.store import records
from seamline.store.postgres.binary import halves, vector_text
from seamline.store.postgres.conditions import readable
from seamline.store.postgres.gathered import Run
from seamline.store.postgres.link import Connection
from seamline.store.postgres.schema import Tables
from seamline.store.values import Columns, Ints, Reader, Terms
from seamline.types import FloatArray

__all__ = ["Places", "Source", "State", "Weighed"]

Places = tuple[Ints, Ints]
"""int64[n], int64[n]: documents and ordinals of chunks."""

_MANY = 2_000  # documents whose content is read at a time


class State(NamedTuple):
    """A namespace's row: how far it is, how much is in it, whether it has its indexes."""

    revision: int
    oldest: int
    chunks: int
    settled: bool


class Weighed(NamedTuple):
    """Terms to look for: the first `few` of them bring chunks, all of `terms` weigh them."""

    few: int
    terms: Terms
    weights: Sequence[float]
    mean: float

    @property
    def found(self) -> Terms:
        """The terms that bring chunks."""
        return self.terms[: self.few]


@dataclass(slots=True, eq=False)
class Source:
    """Questions to a namespace's tables; whatever is asked, only for what the reader may read.

    `ended` holds something once the transaction is over, in which the server knew the reader.
    """

    connection: Connection
    tables: Tables
    reader: Reader
    state: State
    dim: int
    ended: list[bool] = field(default_factory=list)

    @property
    def at(self) -> int:
        """The revision that is read."""
        return self.state.revision if self.reader.as_of is None else self.reader.as_of

    def _ask(self, statement: str, parameters: Sequence[Any]) -> Any:
        """The first row."""
        return self._run(statement, parameters).fetchone()

    def _run(self, statement: str, parameters: Sequence[Any]) -> Any:
        if self.ended:
            raise StoreError("a view must be used while it is read, but reading has ended")
        return self.connection.execute(self.tables.sql(statement), parameters, binary=True)

    def _arrays(self, statement: str, parameters: Sequence[Any]) -> Places:
        found = [_longs(one) for one in self._ask(statement, parameters)]
        return found[0], found[1]

    def documents(self, most: int | None = None) -> Places:
        """The numbers of documents, in order, and how many chunks each has; `most` + 1 at most."""
        which, parameters = readable(self.reader, self.at)
        limit = None if most is None else most + 1
        return self._arrays(
            "SELECT array_agg(number ORDER BY number), array_agg(n_chunks ORDER BY number) FROM "  # noqa: S608
            f"(SELECT number, n_chunks FROM @document d WHERE {which} LIMIT %s) part",
            [*parameters, limit],
        )

    def totals(self) -> tuple[int, int]:
        """How many documents and chunks there are."""
        which, parameters = readable(self.reader, self.at)
        row = self._ask(
            f"SELECT count(*), coalesce(sum(n_chunks), 0)::bigint FROM @document d WHERE {which}",  # noqa: S608
            parameters,
        )
        return row[0], row[1]

    def some_documents(self, n: int) -> Ints:
        """The numbers of `n` documents, in order, that chance would pick: always the same."""
        which, parameters = readable(self.reader, self.at)
        row = self._ask(
            "SELECT array_agg(number ORDER BY number) FROM (SELECT number FROM @document d "  # noqa: S608
            f"WHERE {which} ORDER BY hashint8extended(number, 0) LIMIT %s) part",
            [*parameters, n],
        )
        return np.empty(0, np.int64) if row[0] is None else row[0]

    def among(self, numbers: Ints) -> Ints:
        """Those of the documents that may be read, in order."""
        which, parameters = readable(self.reader, self.at)
        row = self._ask(
            f"SELECT array_agg(number ORDER BY number) FROM @document d WHERE {which} "  # noqa: S608
            "AND number = ANY (%s)",
            [*parameters, numbers],
        )
        return np.empty(0, np.int64) if row[0] is None else row[0]

    def rows(self, columns: str, table: str, numbers: Ints) -> Iterator[tuple[Any, ...]]:
        """The rows of documents that may be read, as `among` said."""
        for at in range(0, len(numbers), _MANY):
            yield from self._run(
                f"SELECT {columns} FROM @{table} d WHERE tenant = %s AND number = ANY (%s)",  # noqa: S608
                (self.reader.tenant, numbers[at : at + _MANY]),
            )

    def pages(self, wanted: Places) -> dict[tuple[int, int], str]:
        """Pages of text by document and number."""
        found = self._run(
            "SELECT p.number, p.page, p.text FROM @page p JOIN unnest(%s, %s) "
            "AS w (number, page) USING (number, page) WHERE p.tenant = %s",
            (*wanted, self.reader.tenant),
        )
        return {(number, page): bytes(text).decode() for number, page, text in found}

    def columns(self, numbers: Ints) -> Iterator[tuple[int, Columns]]:
        """The columns of documents."""
        for number, data in self.rows("number, columns", "content", numbers):
            yield number, records.load_columns(data)

    def scores(self, vector: FloatArray, numbers: Ints, n: int) -> FloatArray:
        """float32[n]: the cosines of all chunks of documents, by document, then by place."""
        row = self._ask(
            "SELECT array_agg((-(vec <#> %s::halfvec))::real ORDER BY number, ordinal) "
            "FROM @chunk WHERE tenant = %s AND number = ANY (%s)",
            (vector_text(vector), self.reader.tenant, numbers),
        )
        return _whole(row[0], n)

    def scores_at(self, vector: FloatArray, runs: Sequence[Run]) -> FloatArray:
        """float32[n]: the cosines of the chunks of runs, which are in order."""
        row = self._ask(
            "SELECT array_agg((-(c.vec <#> %s::halfvec))::real ORDER BY c.number, c.ordinal) "
            "FROM unnest(%s, %s, %s) AS w (number, low, high) JOIN @chunk c "
            "ON c.number = w.number AND c.ordinal >= w.low AND c.ordinal < w.high "
            "AND c.tenant = %s",
            (vector_text(vector), *_bounds(runs), self.reader.tenant),
        )
        return _whole(row[0], sum(run.high - run.low for run in runs))

    def vectors_at(self, runs: Sequence[Run]) -> FloatArray:
        """float32[n, d]: the vectors of the chunks of runs, which are in order."""
        row = self._ask(
            "SELECT string_agg(halfvec_send(c.vec), '' ORDER BY c.number, c.ordinal) "
            "FROM unnest(%s, %s, %s) AS w (number, low, high) JOIN @chunk c "
            "ON c.number = w.number AND c.ordinal >= w.low AND c.ordinal < w.high "
            "AND c.tenant = %s",
            (*_bounds(runs), self.reader.tenant),
        )
        vectors = halves(row[0] or b"", self.dim)
        _whole(vectors, sum(run.high - run.low for run in runs))
        return vectors

    def near_exactly(self, vector: FloatArray, k: int) -> Places:
        """The k chunks nearest to a vector, each compared."""
        which, parameters = readable(self.reader, self.at)
        return self._arrays(
            "WITH compared AS MATERIALIZED (SELECT number, ordinal, vec <#> %s::halfvec AS far "  # noqa: S608
            "FROM @chunk c WHERE tenant = %s AND number IN "
            f"(SELECT d.number FROM @document d WHERE {which})) "
            "SELECT array_agg(number), array_agg(ordinal) FROM (SELECT number, ordinal "
            "FROM compared ORDER BY far, number, ordinal LIMIT %s) best",
            [vector_text(vector), self.reader.tenant, *parameters, k],
        )

    def near_by_index(self, vector: FloatArray, k: int, reach: int) -> Places:
        """The k chunks nearest to a vector as the graph finds them, or fewer."""
        # What is read must come by the graph: sorting all would be right, but slow.
        self._run(
            "SELECT set_config('hnsw.ef_search', %s, true), set_config('enable_sort', 'off', true),"
            " set_config('hnsw.iterative_scan', 'relaxed_order', true)",
            [str(reach)],
        )
        which, parameters = readable(self.reader, self.at)
        found = self._arrays(
            "SELECT array_agg(number), array_agg(ordinal) FROM (SELECT number, ordinal "  # noqa: S608
            "FROM @chunk c WHERE tenant = %s AND (access = '{}' OR access && %s::text[]) "
            f"AND (SELECT true FROM @document d WHERE d.number = c.number AND {which}) "
            "ORDER BY vec <#> %s::halfvec LIMIT %s) best",
            [
                self.reader.tenant,
                sorted(self.reader.access),
                *parameters,
                vector_text(vector),
                k,
            ],
        )
        self._run("SELECT set_config('enable_sort', 'on', true)", [])
        return found

    def with_words(self, asked: Weighed, k: int) -> tuple[Places, Ints]:
        """The k chunks that BM25 puts first among those with one of the terms to find.

        And in how many chunks each of these terms is (int64[found]), whatever their number.
        """
        which, parameters = readable(self.reader, self.at)
        self._run("SELECT set_config('seamline.terms', %s::bigint[]::text, true)", [asked.found])
        gains: list[Any] = []
        for term, weight in zip(asked.terms.view(np.int64).tolist(), asked.weights, strict=True):
            gains += [weight, term]
        each = [f"gain{i}" for i in range(len(asked.terms))]
        row = self._ask(
            "WITH part AS MATERIALIZED (SELECT number, ordinal, terms, counts, "  # noqa: S608
            "0.3 + 0.9 * length / %s AS norm FROM @word w WHERE tenant = %s AND terms && %s "
            f"AND (SELECT true FROM @document d WHERE d.number = w.number AND {which})), "
            "gained AS MATERIALIZED (SELECT number, ordinal, "
            f"{', '.join(f'{_GAIN} AS {name}' for name in each)} FROM part), "
            f"best AS (SELECT number, ordinal FROM gained ORDER BY {' + '.join(each)} DESC, "
            "number, ordinal LIMIT %s) "
            "SELECT (SELECT array_agg(number) FROM best), (SELECT array_agg(ordinal) FROM best), "
            f"(SELECT ARRAY[{', '.join(f'count(*) FILTER (WHERE {name} > 0)' for name in each)}] "
            "FROM gained)",
            [max(asked.mean, 1.0), self.reader.tenant, asked.found, *parameters, *gains, k],
        )
        numbers, ordinals, counted = map(_longs, row)
        return (numbers, ordinals), counted[: len(asked.found)]


_GAIN = "coalesce(%s::float8 * (1 - norm / (norm + counts[array_position(terms, %s::bigint)])), 0)"


def _longs(found: Any) -> Ints:
    longs: Ints = np.empty(0, np.int64) if found is None else found.astype(np.int64)
    return longs


def _bounds(runs: Sequence[Run]) -> list[Ints]:
    """The documents of runs, their first chunks, and those after their last."""
    return [np.array([run[i] for run in runs], np.int64) for i in (0, 2, 3)]


def _whole(found: Any, n: int) -> FloatArray:
    scores: FloatArray = np.empty(0, np.float32) if found is None else found
    if len(scores) != n:
        raise StoreError(
            f"there must be a vector for each of {n} chunks, but there are {len(scores)}: ingest "
            "again, into a namespace that was dropped"
        )
    return scores

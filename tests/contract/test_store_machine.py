"""Random work on a store, compared after each step with the same work in memory."""

import shutil
import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from seamline.store import Reader, key, open_store
from seamline.testing.stores import INFO, make_entry, seen

pytest_plugins = ["postgres_server"]

NAMES = st.sampled_from(["a", "b", "é", "d"])
TENANTS = st.sampled_from(["", "t"])
LABELS = st.frozensets(st.sampled_from(["x", "y"]))
WORDS = ("one", "two", "three", "four", "five")
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    max_size=5,
).map(lambda lines: "".join(f"{line.capitalize()}. " for line in lines))
KEEP = st.integers(0, 2)
WHERE = st.one_of(
    st.none(),
    st.integers(0, 3).map(lambda year: key("year") >= year),
    st.integers(0, 3).map(lambda year: ~(key("year") == year)),
    st.sampled_from(["x", "y"]).map(lambda tag: key("tags").has(tag)),
)


class StoreMachine(RuleBasedStateMachine):
    """A store beside the memory store; `url` says which."""

    url = "sqlite:///{folder}/index.db"

    @initialize()
    def begin(self):
        self.folder = Path(tempfile.mkdtemp())
        self.store = open_store(self.url.format(folder=self.folder))
        self.store.drop(INFO.name)
        self.memory = open_store("memory://")
        self.pair = [store.create(INFO) for store in (self.store, self.memory)]
        self.revisions = {0}

    def both(self, work):
        ours, theirs = (work(namespace) for namespace in self.pair)
        assert ours == theirs
        return ours

    @rule(
        names=st.lists(NAMES, min_size=1, max_size=3, unique=True),
        text=TEXTS,
        tenant=TENANTS,
        access=LABELS,
        tags=LABELS,
        year=st.integers(0, 3),
        keep=KEEP,
    )
    def put(self, names, text, keep, **facts):
        facts["metadata"] = {"year": facts.pop("year")}
        entries = [make_entry(name, f"{text}Of {name}.", **facts) for name in names]
        self.revisions.add(self.both(lambda one: one.put(entries, keep_versions=keep)))

    @rule(names=st.lists(NAMES, max_size=3), tenant=TENANTS, keep=KEEP)
    def remove(self, names, tenant, keep):
        if self.both(lambda one: one.remove(tenant, names, keep_versions=keep)):
            self.revisions.add(max(self.revisions) + 1)

    @rule()
    def open_again(self):
        self.store.close()
        self.store = open_store(self.url.format(folder=self.folder))
        self.pair[0] = self.store.open(INFO.name)

    @rule(tenant=TENANTS, access=LABELS, where=WHERE, words=st.sets(st.sampled_from(WORDS)))
    def search(self, tenant, access, where, words):
        reader = Reader(tenant, access, where)
        self.both(lambda one: seen(one, reader, sorted(words) or ("none",)))

    @rule(tenant=TENANTS, back=st.integers(0, 4))
    def search_as_of(self, tenant, back):
        reader = Reader(tenant, frozenset("xy"), as_of=max(max(self.revisions) - back, 0))
        self.both(lambda one: _or_error(lambda: seen(one, reader)))

    @invariant()
    def agree(self):
        if not hasattr(self, "pair"):
            return
        for tenant in ("", "t"):
            self.both(lambda one, tenant=tenant: list(one.doc_ids(tenant)))
            self.both(lambda one, tenant=tenant: seen(one, Reader(tenant, frozenset("xy"))))
            self.both(lambda one, tenant=tenant: one.digests(tenant, ["a", "b"]))
            self.both(
                lambda one, tenant=tenant: [held.version for held in one.versions(tenant, "a")]
            )

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)


def _or_error(work):
    try:
        return work()
    except ValueError as error:
        return str(error)


TestSqlite = StoreMachine.TestCase
TestSqlite.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


def test_postgres(postgres_url):
    class PostgresMachine(StoreMachine):
        url = postgres_url

    run_state_machine_as_test(
        PostgresMachine, settings=settings(max_examples=15, stateful_step_count=12, deadline=None)
    )

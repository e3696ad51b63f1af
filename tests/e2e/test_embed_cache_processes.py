"""The cache file under many processes, and under a process that is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np

from seamline.embed.cache import CachedEmbedder

# An embedder whose vectors follow from the text, slow enough to be caught at work.
EMBEDDER = """
import hashlib, sys, time
import numpy as np
from seamline.embed.cache import CachedEmbedder

class Hashing:
    fingerprint = "hashing"
    pause = 0.0
    def embed_documents(self, texts):
        time.sleep(self.pause)
        rows = [np.frombuffer(hashlib.sha512(t.encode()).digest(), np.uint8) for t in texts]
        rows = np.array(rows, np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)
    embed_queries = embed_documents
"""
scope = {}
exec(EMBEDDER, scope)
Hashing = scope["Hashing"]


def start(code, *arguments):
    command = [sys.executable, "-W", "error", "-c", EMBEDDER + code, *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # forking with threads warns
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_many_processes_begin_and_fill_one_file_at_once(tmp_path):
    path = tmp_path / "v.sqlite3"
    code = """
start = int(sys.argv[2])
cached = CachedEmbedder(Hashing(), sys.argv[1])
for i in range(start, start + 1000, 50):
    cached.embed_documents([str(j) for j in range(i, i + 200)])
print(cached.misses)
"""
    workers = [start(code, path, first) for first in (0, 0, 500, 1000)]
    for worker in workers:
        worker.communicate(timeout=120)
        assert worker.returncode == 0
    cached = CachedEmbedder(Hashing(), path)
    texts = [str(i) for i in range(2150)]
    assert np.array_equal(cached.embed_documents(texts), Hashing().embed_documents(texts))
    assert (cached.hits, cached.misses) == (2150, 0)


def test_a_killed_run_keeps_what_it_committed(tmp_path):
    path = tmp_path / "v.sqlite3"
    code = """
Hashing.pause = 0.02
cached = CachedEmbedder(Hashing(), sys.argv[1])
for i in range(0, 1_000_000, 100):
    cached.embed_documents([str(j) for j in range(i, i + 100)])
    print(i + 100, flush=True)
"""
    worker = start(code, path)
    done = 0
    while done < 1000:
        done = int(worker.stdout.readline())
    time.sleep(0.01)
    os.kill(worker.pid, signal.SIGKILL)
    told = worker.communicate()[0].split()
    done = int(told[-1]) if told else done
    cached = CachedEmbedder(Hashing(), path)
    texts = [str(i) for i in range(done)]
    assert np.array_equal(cached.embed_documents(texts), Hashing().embed_documents(texts))
    assert (cached.hits, cached.misses) == (done, 0)
    cached.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_forked_process_opens_the_file_for_itself(tmp_path):
    code = """
import os
cached = CachedEmbedder(Hashing(), sys.argv[1])
cached.embed_documents(["a"])
child = os.fork()
if child == 0:
    cached.embed_documents(["a", "b"])
    ok = (cached.hits, cached.misses) == (1, 2)
    os._exit(0 if ok else 1)
_, status = os.waitpid(child, 0)
cached.embed_documents(["b"])
print(status, cached.hits)
"""
    worker = start(code, tmp_path / "v.sqlite3")
    assert worker.communicate(timeout=60)[0].split() == ["0", "1"]

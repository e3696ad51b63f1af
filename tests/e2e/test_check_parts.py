"""`seamline check` where parts from outside change: a model, a plugin's chunker, a signal."""

import json
import shutil
import signal
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from cli_runner import SEAMLINE, done, environment, run

from lock_project import edit, write_config, write_set


class Handler(BaseHTTPRequestHandler):
    """Answers with vectors that depend on the text and on which model the server has loaded."""

    def log_message(self, *args):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = []
        for i, text in enumerate(asked["input"]):
            rng = np.random.default_rng([self.server.loaded, *text.encode()])
            data.append({"index": i, "embedding": rng.normal(size=16).tolist()})
        raw = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


@pytest.fixture
def server():
    pytest.importorskip("httpx", reason="needs the extra http")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        made.loaded = 1
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def checked(project, code, **more):
    process = run("check", cwd=project, **more)
    assert process.returncode == code, (process.stdout, process.stderr)
    assert "Traceback" not in process.stderr
    return process.stdout


def test_a_swapped_model_is_noticed_by_its_name_and_by_its_answers(server, tmp_path):
    write_set(tmp_path)
    spec = f'http(url="http://127.0.0.1:{server.server_port}/v1", model=one)'
    write_config(tmp_path, retriever="dense", embedder=spec)
    done("bench", "--quiet", cwd=tmp_path)
    done("lock", cwd=tmp_path)
    assert checked(tmp_path, 0).startswith("PASS: ")

    server.loaded = 2  # the same name, and vectors of the first one are still in the cache
    out = checked(tmp_path, 2)
    assert out.startswith("NOT COMPARABLE: changed since the lock: model.")
    assert "answers otherwise (cosine " in out

    server.loaded = 1
    edit(tmp_path / "seamline.toml", "model=one", "model=two")
    out = " ".join(checked(tmp_path, 2).split())
    assert out.startswith("NOT COMPARABLE: changed since the lock: model.")
    assert "model=one) (http-" in out
    assert "model=two) (http-" in out


CHUNKER = '''
from dataclasses import dataclass
from seamline.types import Chunk

@dataclass(frozen=True)
class Lines:
    """Chunks of a few lines."""
    lines: int = 4

    def __str__(self):
        return f"lines(lines={self.lines})"

    def split(self, document):
        text, start, found = document.text, 0, []
        for part in text.split("\\n\\n"):
            end = start + len(part)
            if part.strip():
                found.append(Chunk(document.id, start, end, text[start:end], len(found)))
            start = end + 2
        return found
'''


def installed(site, version):
    """A package that plugs a strategy in, as an installer would leave it."""
    site.mkdir(exist_ok=True)
    (site / "lines_chunker.py").write_text(CHUNKER, encoding="utf-8")
    for old in site.glob("*.dist-info"):
        shutil.rmtree(old)
    info = site / f"lines_chunker-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: lines-chunker\nVersion: {version}\n"
    )
    (info / "entry_points.txt").write_text("[seamline.strategies]\nlines = lines_chunker:Lines\n")
    return {"PYTHONPATH": str(site)}


def test_a_chunker_of_another_package_that_was_upgraded(tmp_path):
    write_set(tmp_path)
    env = installed(tmp_path / "site", "1.0")
    write_config(tmp_path, strategy="lines(lines=4)")
    done("bench", "--quiet", cwd=tmp_path, env=env)
    done("lock", cwd=tmp_path, env=env)
    assert checked(tmp_path, 0, env=env).startswith("PASS: ")

    env = installed(tmp_path / "site", "1.1")
    edit(tmp_path / "site" / "lines_chunker.py", 'split("\\n\\n")', 'split(" wants ")')
    edit(tmp_path / "site" / "lines_chunker.py", "end + 2", "end + 7")
    out = " ".join(checked(tmp_path, 1, env=env).split())
    assert out.startswith("BOUNDARIES MOVED: ")
    assert "the chunker is another one (changed versions: lines-chunker 1.0 → 1.1)" in out
    assert "u00.md: " in out


@pytest.mark.parametrize("command", ["lock", "check"])
def test_a_command_that_is_stopped_loses_nothing(tmp_path, command):
    """It is stopped while it waits for an embedding server that has accepted, and says nothing."""
    pytest.importorskip("httpx", reason="needs the extra http")
    write_set(tmp_path)
    write_config(tmp_path)
    done("bench", "--quiet", cwd=tmp_path)
    done("lock", cwd=tmp_path)
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(120)
        spec = f'http(url="http://127.0.0.1:{silent.getsockname()[1]}/v1", model=silent)'
        results = tmp_path / "report" / "results.json"
        data = json.loads(results.read_text("utf-8"))
        if command == "lock":  # as if it had been measured with that model
            from seamline.embed import parse_embedder

            data["config"]["embedder_fingerprint"] = parse_embedder(spec).fingerprint
            data["strategies"][0]["retriever"] = "dense"
            results.write_text(json.dumps(data), encoding="utf-8")
            kept[results] = results.read_bytes()
        config = write_config(tmp_path, retriever="dense", embedder=spec)
        kept[config] = config.read_bytes()
        with subprocess.Popen(
            [SEAMLINE, command, *(["--junit", "junit.xml"] if command == "check" else [])],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            connection, _ = silent.accept()
            with connection:
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (143, "", "")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == kept

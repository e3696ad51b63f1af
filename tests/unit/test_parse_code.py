import ast
import subprocess
import sys
import sysconfig
import textwrap
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seamline.errors import MissingExtra
from seamline.parse import find_files, parse_bytes, parse_file, parse_text
from seamline.parse.code import CodeParser, code_blocks
from seamline.parse.code_grammars import GRAMMARS
from seamline.parse.code_languages import language_of_file, language_of_name
from seamline.parse.formats import PARSERS

ROOT = Path(__file__).parents[2]


def rows(language, text, kinds=("definition",)):
    """Kind's first letter where several are asked for, level, title, first and last line."""
    document = CodeParser(language).parse(text, "file")
    found = []
    for block in document.blocks:
        if block.kind in kinds:
            lines = document.text[block.span.start : block.span.end].split("\n")
            found.append((block.level, block.title, lines[0], lines[-1]))
    return found


def cuts(language, text, kind):
    document = CodeParser(language).parse(text, "file")
    return [document.text[b.span.start : b.span.end] for b in document.blocks if b.kind == kind]


PYTHON = '''"""Tanks.

All of them."""
import os

LIMITS = {
    "low": 1,

    "high": 9,
}

# A water tank.
@register(
    "tank")
class Tank(Base):
    """Holds water."""

    LIMIT = 900

    # the level
    @property
    def level(self):
        """Litres.

        Never negative."""
        return self._level
        # nothing more
    def drain(self):  # noqa
        def inner(): return 1
        return inner
if LIMITS:
    async def prüfe(größe):
        return größe
'''


def test_python_definitions_with_decorators_comments_and_nesting():
    assert rows("python", PYTHON) == [
        (1, "class Tank", "# A water tank.", "        return inner"),
        (2, "def level", "    # the level", "        # nothing more"),
        (2, "def drain", "    def drain(self):  # noqa", "        return inner"),
        (3, "def inner", "        def inner(): return 1", "        def inner(): return 1"),
        (1, "def prüfe", "    async def prüfe(größe):", "        return größe"),
    ]


def test_a_python_signature_holds_decorators_head_and_docstring():
    signatures = cuts("python", PYTHON, "signature")
    assert signatures[0].startswith("# A water tank.\n@register(")
    assert signatures[0].endswith('class Tank(Base):\n    """Holds water."""')
    assert signatures[1].endswith('Never negative."""')
    assert signatures[2] == "    def drain(self):  # noqa"


def test_statements_end_at_blank_lines_between_them_only():
    assert cuts("python", PYTHON, "statement") == [
        '"""Tanks.\n\nAll of them."""\nimport os',
        'LIMITS = {\n    "low": 1,\n\n    "high": 9,\n}',
        "    LIMIT = 900",
        "if LIMITS:",
    ]


def test_strings_of_several_lines_are_blocks():
    assert cuts("python", PYTHON, "string") == [
        '"""Tanks.\n\nAll of them."""',
        '"""Litres.\n\n        Never negative."""',
    ]


def test_metadata_of_a_module():
    document = parse_text(PYTHON, "a", media_type="text/x-python")
    lines = document.text.split("\n")
    assert document.metadata["title"] == "Tanks."
    assert document.metadata["language"] == "python"
    assert document.metadata["errors"] == 0
    starts = document.metadata["lines"]
    assert len(starts) == len(lines) - 1
    assert [document.text[at:].split("\n", 1)[0] for at in starts] == lines[:-1]


# Language, text, and its definitions: level, title, first line, last line.
CASES = [
    (
        "javascript",
        """import a from "a";
/** Loads.
 * @returns {Promise} */
export default async function load(x) {
  const inner = () => {
    return 1;
  };
}
export const f = async (a) => {
  return a;
}; // end
module.exports = {
  save: function () {
    return 1;
  },
  drain() { return 2; },
};
class A extends B {
  #p = 1;

  get level() { return 1 }
}
Tank.prototype.fill = function () {
  return 2;
};
(function () {
  function hidden() { return 1; }
})();
""",
        [
            (1, "function load", "/** Loads.", "}"),
            (2, "const inner", "  const inner = () => {", "  };"),
            (1, "const f", "export const f = async (a) => {", "}; // end"),
            (1, "save", "  save: function () {", "  },"),
            (1, "drain()", "  drain() { return 2; },", "  drain() { return 2; },"),
            (1, "class A", "class A extends B {", "}"),
            (2, "level()", "  get level() { return 1 }", "  get level() { return 1 }"),
            (1, "Tank.prototype.fill", "Tank.prototype.fill = function () {", "};"),
            (1, "function hidden", *["  function hidden() { return 1; }"] * 2),
        ],
    ),
    (
        "typescript",
        """@Component({
  load() { return 1; }
})
export class A<T> implements I {
  @Output()
  drain(): void {}
}
/** I */
export interface X extends Y {
  a: string;
}
declare module "tank" {
  export function z(): void;
}
type Z = { a: 1 };
""",
        [
            (1, "class A", "@Component({", "}"),
            (2, "drain()", "  @Output()", "  drain(): void {}"),
            (1, "interface X", "/** I */", "}"),
            (1, 'module "tank"', 'declare module "tank" {', "}"),
            (2, "function z", *["  export function z(): void;"] * 2),
            (1, "type Z", *["type Z = { a: 1 };"] * 2),
        ],
    ),
    (
        "tsx",
        """export const App: FC = ({ a }) => {
  return <div>{a}</div>;
};
""",
        [(1, "const App: FC", "export const App: FC = ({ a }) => {", "};")],
    ),
    (
        "java",
        """package a;

/**
 * Doc.
 */
@Entity
@Table(name = "x")
public class Tank<T> extends B {
    private int level = 1;

    /** Drains. */
    @Override
    public void drain(int litres) throws E {
    }
    Tank() { }
}
""",
        [
            (1, "class Tank", "/**", "}"),
            (2, "drain()", "    /** Drains. */", "    }"),
            (2, "Tank()", "    Tank() { }", "    Tank() { }"),
        ],
    ),
    (
        "go",
        """// Package a.
package a

// Tank holds.
type Tank struct {
	level int
}

type (
	A int
	B struct {
		x int
	}
)

// Drain drains.
func (t *Tank) Drain(n int) error {
	return nil
}

func Map[T any](a []T) {}
""",
        [
            (1, "type Tank", "// Tank holds.", "}"),
            (1, "type A", "\tA int", "\tA int"),
            (1, "type B", "\tB struct {", "\t}"),
            (1, "func (t *Tank) Drain", "// Drain drains.", "}"),
            (1, "func Map", *["func Map[T any](a []T) {}"] * 2),
        ],
    ),
    (
        "rust",
        """use std::fmt;

/// Tank
#[derive(Debug)]
pub struct Tank {
    level: u32,
}
impl fmt::Display for Tank {
    /// Shows.
    #[inline]
    fn fmt(&self) -> fmt::Result {
        Ok(())
    }
}
#[cfg(test)]
mod tests {
    use super::*;
}
macro_rules! m { () => {} }
""",
        [
            (1, "struct Tank", "/// Tank", "}"),
            (1, "impl fmt::Display for Tank", "impl fmt::Display for Tank {", "}"),
            (2, "fn fmt", "    /// Shows.", "    }"),
            (1, "mod tests", "#[cfg(test)]", "}"),
            (1, "macro_rules! m", *["macro_rules! m { () => {} }"] * 2),
        ],
    ),
    (
        "c",
        """#ifndef A_H
#define A_H
/* A tank. */
struct tank {
  int level;
};
typedef struct {
  int x;
} Point;
struct tank *make(int a);
#define MAX(a, b) \\
  ((a) > (b) ? (a) : (b))
// Makes.
static struct tank *make(int a)
{
  return 0;
}
#endif
""",
        [
            (1, "struct tank", "/* A tank. */", "};"),
            (1, "typedef Point", "typedef struct {", "} Point;"),
            (1, "#define MAX", "#define MAX(a, b) \\", "  ((a) > (b) ? (a) : (b))"),
            (1, "make()", "// Makes.", "}"),
        ],
    ),
    (
        "cpp",
        """namespace pumps {
/// Tank.
template <typename T>
class Tank : public Base {
 public:
  Tank() : level_(0) {}
  template <class U> void fill(U u) {
  }
};

}  // namespace pumps
template <typename T>
T& Tank<T>::drain(int n) {
}
extern "C" {
int plain(void) { return 1; }
}
""",
        [
            (1, "namespace pumps", "namespace pumps {", "}  // namespace pumps"),
            (2, "class Tank", "/// Tank.", "};"),
            (3, "Tank()", *["  Tank() : level_(0) {}"] * 2),
            (3, "fill()", "  template <class U> void fill(U u) {", "  }"),
            (1, "Tank<T>::drain()", "template <typename T>", "}"),
            (1, "plain()", *["int plain(void) { return 1; }"] * 2),
        ],
    ),
    (
        "csharp",
        """using System;
namespace A.B
{
    /// <summary>Tank</summary>
    [Serializable]
    public class Tank : Base
    {
        public int Level { get; set; }
        public int Big
        {
            get { return 1; }
        }
        [Obsolete]
        public Task<int> Drain<T>(int n)
        {
            return 1;
        }
    }
}
""",
        [
            (1, "namespace A.B", "namespace A.B", "}"),
            (2, "class Tank", "    /// <summary>Tank</summary>", "    }"),
            (3, "Big", "        public int Big", "        }"),
            (3, "Drain()", "        [Obsolete]", "        }"),
        ],
    ),
    (
        "ruby",
        """# Tank
class Tank < Base
  LIMIT = 1

  # drains
  def drain(n)
    1
  end
  def self.make
  end
  private def hidden
  end
end
""",
        [
            (1, "class Tank", "# Tank", "end"),
            (2, "def drain", "  # drains", "  end"),
            (2, "def self.make", "  def self.make", "  end"),
            (2, "def hidden", "  private def hidden", "  end"),
        ],
    ),
    (
        "php",
        """<?php
namespace A;

/**
 * Tank.
 */
#[Attr]
final class Tank extends Base
{
    /** d */
    public function drain(int $n): int
    {
    }
}
function load() {}
""",
        [
            (1, "class Tank", "/**", "}"),
            (2, "function drain", "    /** d */", "    }"),
            (1, "function load", *["function load() {}"] * 2),
        ],
    ),
    (
        "bash",
        """#!/bin/bash
# loads
function load() {
  echo 1
}
drain () { echo 1; }
""",
        [
            (1, "function load", "# loads", "}"),
            (1, "function drain", *["drain () { echo 1; }"] * 2),
        ],
    ),
    (
        "sql",
        """-- Orders
CREATE TABLE IF NOT EXISTS shop.orders (
  id INT PRIMARY KEY -- id
); -- done
SELECT 1;
CREATE VIEW v AS SELECT 1;
CREATE FUNCTION f(a int) RETURNS int AS $$
BEGIN
  RETURN 1;
END;
$$ LANGUAGE plpgsql;
""",
        [
            (1, "CREATE TABLE shop.orders", "-- Orders", "); -- done"),
            (1, "CREATE VIEW v", *["CREATE VIEW v AS SELECT 1;"] * 2),
            (
                1,
                "CREATE FUNCTION f",
                "CREATE FUNCTION f(a int) RETURNS int AS $$",
                "$$ LANGUAGE plpgsql;",
            ),
        ],
    ),
    (
        "kotlin",
        """/** Tank */
@Serializable
data class Tank(val x: Int) : Base() {
    fun drain(n: Int): Int {
        return 1
    }
}
""",
        [
            (1, "class Tank", "/** Tank */", "}"),
            (2, "fun drain", "    fun drain(n: Int): Int {", "    }"),
        ],
    ),
    (
        "swift",
        """/// Tank
extension Tank {
    func drain() {
    }
}
""",
        [(1, "extension Tank", "/// Tank", "}"), (2, "func drain", "    func drain() {", "    }")],
    ),
    (
        "scala",
        """/** Tank */
object Tank {
  def make =
    1
}
""",
        [(1, "object Tank", "/** Tank */", "}"), (2, "def make", "  def make =", "    1")],
    ),
    (
        "lua",
        """-- drains
function M.drain(n)
  return 1
end
M.save = function(a)
  return 1
end
""",
        [
            (1, "function M.drain", "-- drains", "end"),
            (1, "M.save", "M.save = function(a)", "end"),
        ],
    ),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES, ids=[c[0] for c in CASES])
def test_definitions_of_each_language(language, text, expected):
    assert rows(language, text) == expected
    assert CodeParser(language).parse(text, "file").metadata["errors"] == 0


def test_every_language_has_a_case():
    assert {grammar.name for grammar in GRAMMARS} == {"python", *(case[0] for case in CASES)}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "javascript",
            "let a = `x\ny`;\n/* 1\n2 */\nlet b = 'one';\n// single\n",
            ["`x\ny`", "/* 1\n2 */"],
        ),
        ("go", "package a\nvar x = `a\nb`\n", ["`a\nb`"]),
        ("bash", 'x="a\nb"\ncat <<EOF\none\nEOF\n', ['"a\nb"', "<<EOF\none\nEOF"]),
        ("php", "<?php\n$x = <<<X\na\nX;\n", ["<<<X\na\nX"]),
        ("sql", "SELECT 'a\nb';\n", ["'a\nb'"]),
        ("java", 'class A { String s = """\n a\n """; }\n', ['"""\n a\n """']),
    ],
)
def test_strings_and_comments_of_several_lines(language, text, expected):
    assert cuts(language, text, "string") == expected


def test_definitions_inside_arguments_and_decorators_are_not_torn_out():
    text = "@reg({\n  load() { return 1; },\n})\nclass A extends mix({\n  b() { return 1; },\n}) {\n}\n"
    assert [row[1] for row in rows("typescript", text)] == ["class A"]


def test_a_comment_after_a_blank_line_belongs_to_no_definition():
    text = "# apart\n\ndef a(): pass\n\n# near\ndef b(): pass\nx = 1  # behind\ndef c(): pass\n"
    assert [row[2] for row in rows("python", text)] == ["def a(): pass", "# near", "def c(): pass"]


def test_blocks_begin_with_their_indentation():
    text = "class Tank:\n\tLIMIT = 1\n\n\tdef drain(self):\n\t\treturn 0\n"
    assert cuts("python", text, "statement") == ["\tLIMIT = 1"]
    assert cuts("python", text, "definition")[1] == "\tdef drain(self):\n\t\treturn 0"


def test_line_ends_and_a_byte_order_mark_change_nothing():
    plain = parse_bytes(PYTHON.encode(), "a.py")
    other = parse_bytes(b"\xef\xbb\xbf" + PYTHON.replace("\n", "\r\n").encode(), "a.py")
    assert other == plain


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\f\n"])
@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.name)
def test_nothing_but_blanks_has_no_blocks(grammar, text):
    document = CodeParser(grammar.name).parse(text, "a")
    assert document.blocks == ()
    assert document.metadata["lines"][0] == 0


HOSTILE = {
    "parentheses": "(" * 10_000,
    "closed parentheses": "(" * 10_000 + ")" * 10_000,
    "braces": "{" * 10_000,
    "one word": "a" * 200_000,
    "line feeds": "\n" * 200_000,
    "quotes": '"' * 10_001,
    "redirects": "<" * 30_000,
    "brackets": "[" * 30_000,
    "half-finished": "class Tank {\n  drain(\nclass B:\n def c(self\n",
    "zeros": "\0a\0(" * 50,
    "emoji": "😀" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.name)
def test_no_text_is_too_odd(grammar, text):
    document = CodeParser(grammar.name).parse(text, "a")
    assert document.text == text
    covered = sum(len(b.span) for b in document.blocks if b.kind in ("statement", "definition"))
    assert covered > 0 or not text.strip()


def test_work_that_grows_with_the_square_is_refused_and_said():
    document = CodeParser("bash").parse("echo 1\n\n" + "<" * 200_000, "a.sh")
    assert document.metadata["unparsed"] is True
    assert document.metadata["errors"] == 1
    assert [len(block.span) for block in document.blocks] == [6, 200_000]


def test_definitions_nested_thousands_deep():
    text = "function f(){" * 20_000 + "}" * 20_000
    blocks = CodeParser("javascript").parse(text, "a.js").blocks
    assert max(block.level for block in blocks if block.kind == "definition") > 1_000


def test_one_line_of_minified_javascript():
    text = "".join(f"function f{i}(a){{return a.map(x=>x*{i})}}" for i in range(5_000))
    found = rows("javascript", text)
    assert [row[1] for row in found] == [f"function f{i}" for i in range(5_000)]


def test_errors_are_counted_and_the_rest_is_read():
    document = CodeParser("python").parse("def a():\n    x = )\n\ndef b():\n    return 1\n", "a.py")
    assert document.metadata["errors"] > 0
    assert "def b" in [block.title for block in document.blocks]


def test_a_header_of_cpp_is_read_as_cpp_and_one_of_c_as_c():
    cpp = parse_bytes(b"namespace a {\nclass Tank { public: int x; };\n}\n", "tank.h")
    c = parse_bytes(b"struct tank { int class; };\n", "tank.h")
    assert (cpp.metadata["language"], cpp.media_type) == ("cpp", "text/x-c++")
    assert [b.title for b in cpp.blocks if b.kind == "definition"] == ["namespace a", "class Tank"]
    assert (c.metadata["language"], c.metadata["errors"]) == ("c", 0)


def test_the_title_is_the_file_name_without_a_docstring():
    assert parse_bytes(b"int x;\n", "src/tank.c").metadata["title"] == "tank.c"
    assert parse_bytes(b"x = 1\n", "src/tank.py").metadata["title"] == "tank.py"


def test_form_feeds_are_no_pages():
    assert "pages" not in parse_bytes(b"x = 1\n\x0c\ny = 2\n", "a.py").metadata


def test_every_extension_is_registered_with_its_own_language():
    for grammar in GRAMMARS:
        for extension in grammar.extensions:
            parser = PARSERS.get(extension)
            assert parser.grammar is grammar
            assert language_of_file(f"A{extension.upper()}") is grammar
            assert parser.media_type == grammar.media_type


@pytest.mark.parametrize(
    ("info", "name"),
    [
        ("py", "python"),
        ("Python", "python"),
        ("{.python .numberLines}", "python"),
        ("js title='a.js'", "javascript"),
        ("jsx", "javascript"),
        ("ts", "typescript"),
        ("tsx", "tsx"),
        ("sh", "bash"),
        ("bash", "bash"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("rust,no_run", "rust"),
        ("go{1,3}", "go"),
        ("golang", "go"),
        ("text", None),
        ("", None),
        ("{}", None),
    ],
)
def test_names_of_languages_in_fences(info, name):
    grammar = language_of_name(info)
    assert (grammar.name if grammar else None) == name


def test_blocks_of_a_piece_of_code_are_relative_to_it():
    text = "# größer\ndef prüfe():\n    return 1"
    blocks = code_blocks(text, "py")
    assert [(b.kind, text[b.span.start : b.span.end]) for b in blocks] == [
        ("definition", text),
        ("signature", "# größer\ndef prüfe():"),
    ]
    assert not code_blocks(text, "brainfuck")


def test_php_in_a_fence_needs_no_opening_tag():
    for text in ("function a() {}", "<?php function a() {}"):
        assert "function a" in [block.title for block in code_blocks(text, "php")]


def python_files():
    library = Path(sysconfig.get_path("stdlib"))
    return sorted((ROOT / "src").rglob("*.py"))[::6] + sorted(library.glob("[a-c]*.py"))[::4]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: path.name)
def test_definitions_of_real_python_are_those_of_ast(path):
    document = parse_file(path)
    found = [b for b in document.blocks if b.kind == "definition"]
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    nodes = [n for n in ast.walk(ast.parse(document.text)) if isinstance(n, kinds)]
    assert sorted(b.title.split()[1] for b in found) == sorted(node.name for node in nodes)
    for block in found:
        body = document.text[block.span.start : block.span.end]
        wrapped = f"if 1:\n{body}" if body[0] in " \t" else body
        parsed = ast.parse(wrapped).body[0]
        parsed = parsed.body[0] if wrapped is not body else parsed
        assert parsed.name == block.title.split()[1]


def test_folders_of_code_are_found(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.rs").write_text("fn a() {}\n")
    assert [doc_id for _, doc_id in find_files([tmp_path])] == ["a.py", "b.rs"]


def test_without_the_extra_the_error_names_it():
    program = textwrap.dedent("""
        import sys
        sys.modules["tree_sitter"] = None
        from seamline.errors import MissingExtra
        from seamline.parse import parse_text
        from seamline.parse.code import code_blocks
        try:
            parse_text("x = 1", media_type="text/x-python")
        except MissingExtra as error:
            print(error)
        print(list(code_blocks("x", "unknown")))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'seamline[code]'" in done.stdout
    assert done.stdout.endswith("[]\n")
    assert issubclass(MissingExtra, ImportError)


def test_threads_read_side_by_side():
    texts = ["".join(f"def f{n}_{i}():\n    return {i}\n" for i in range(800)) for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: rows("python", text), texts * 3))
    for n, names in enumerate(found):
        assert [row[1] for row in names] == [f"def f{n % 4}_{i}" for i in range(800)]


def test_texts_that_were_read_are_let_go():
    tracemalloc.start()
    text = "echo a\n" * 30_000
    CodeParser("bash").parse(text, "a.sh")
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(5):
        CodeParser("bash").parse(text, "a.sh")
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < len(text)

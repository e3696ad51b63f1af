"""What the syntax trees of each language call definitions, strings and comments."""

from __future__ import annotations

from seamline.parse.code_grammar import Grammar

__all__ = ["GRAMMARS"]


_BLOCKS = ("block", "declaration_list", "class_body", "interface_body", "enum_body")
_PREPROCESSOR = (
    "preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef field_declaration_list "
    "declaration_list linkage_specification"
)

_C_TYPES = {
    "struct_specifier": "struct {}",
    "union_specifier": "union {}",
    "enum_specifier": "enum {}",
    "type_definition": "typedef {}",
}
_C_FUNCTIONS = {"function_definition": "{}()", "preproc_function_def": "#define {}"}
_JS_FUNCTIONS = {
    "function_declaration": "function {}",
    "generator_function_declaration": "function* {}",
    "method_definition": "{}()",
}
_JS_BOUND = (
    "lexical_declaration variable_declaration expression_statement pair field_definition "
    "public_field_definition"
)
_TS_TYPES = {
    "class_declaration": "class {}",
    "abstract_class_declaration": "class {}",
    "interface_declaration": "interface {}",
    "enum_declaration": "enum {}",
    "internal_module": "namespace {}",
    "module": "module {}",
}
_TS_FUNCTIONS = {
    **_JS_FUNCTIONS,
    "function_signature": "function {}",
    "type_alias_declaration": "type {}",
}


def _typescript(name: str, extensions: tuple[str, ...], aliases: tuple[str, ...]) -> Grammar:
    return Grammar(
        name,
        f"text/x-{name}",
        "tree_sitter_typescript",
        extensions,
        aliases,
        entry=f"language_{name}",
        types=_TS_TYPES,
        functions=_TS_FUNCTIONS,
        bound=tuple(_JS_BOUND.split()),
        wrappers=("export_statement", "ambient_declaration"),
        transparent=(*_BLOCKS, "statement_block"),
        comments=("comment", "html_comment"),
        attached=("decorator",),
        strings=("string", "template_string"),
    )


GRAMMARS = (
    Grammar(
        "python",
        "text/x-python",
        "tree_sitter_python",
        (".py", ".pyi", ".pyw"),
        ("py", "python3", "py3", "pyi"),
        types={"class_definition": "class {}"},
        functions={"function_definition": "def {}"},
        wrappers=("decorated_definition",),
        transparent=("block",),
        strings=("string",),
        remark=(b"#",),
    ),
    Grammar(
        "javascript",
        "text/javascript",
        "tree_sitter_javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        ("js", "jsx", "mjs", "cjs", "node", "ecmascript"),
        types={"class_declaration": "class {}"},
        functions=_JS_FUNCTIONS,
        bound=tuple(_JS_BOUND.split()),
        wrappers=("export_statement",),
        transparent=_BLOCKS,
        comments=("comment", "html_comment"),
        attached=("decorator",),
        strings=("string", "template_string"),
    ),
    _typescript("typescript", (".ts", ".mts", ".cts"), ("ts", "mts", "cts")),
    _typescript("tsx", (".tsx",), ()),
    Grammar(
        "java",
        "text/x-java",
        "tree_sitter_java",
        (".java",),
        types={
            "class_declaration": "class {}",
            "interface_declaration": "interface {}",
            "enum_declaration": "enum {}",
            "record_declaration": "record {}",
            "annotation_type_declaration": "@interface {}",
            "module_declaration": "module {}",
        },
        functions={
            "method_declaration": "{}()",
            "constructor_declaration": "{}()",
            "compact_constructor_declaration": "{}()",
        },
        transparent=(*_BLOCKS, "enum_body_declarations", "annotation_type_body"),
        comments=("line_comment", "block_comment"),
        strings=("string_literal",),
    ),
    Grammar(
        "go",
        "text/x-go",
        "tree_sitter_go",
        (".go",),
        ("golang",),
        types={"type_spec": "type {}", "type_alias": "type {}"},
        functions={"function_declaration": "func {}", "method_declaration": "<"},
        wrappers=("type_declaration",),
        transparent=("field_declaration_list",),
        strings=("raw_string_literal", "interpreted_string_literal"),
    ),
    Grammar(
        "rust",
        "text/x-rust",
        "tree_sitter_rust",
        (".rs",),
        ("rs",),
        types={
            "struct_item": "struct {}",
            "enum_item": "enum {}",
            "union_item": "union {}",
            "trait_item": "trait {}",
            "impl_item": "{",
            "mod_item": "mod {}",
            "foreign_mod_item": "{",
        },
        functions={
            "function_item": "fn {}",
            "function_signature_item": "fn {}",
            "macro_definition": "macro_rules! {}",
        },
        transparent=(*_BLOCKS, "field_declaration_list", "enum_variant_list"),
        comments=("line_comment", "block_comment"),
        attached=("attribute_item",),
        strings=("string_literal", "raw_string_literal"),
    ),
    Grammar(
        "c",
        "text/x-c",
        "tree_sitter_c",
        (".c", ".h"),
        ("h",),
        types=_C_TYPES,
        functions=_C_FUNCTIONS,
        transparent=tuple(_PREPROCESSOR.split()),
        strings=("string_literal", "raw_string_literal"),
    ),
    Grammar(
        "cpp",
        "text/x-c++",
        "tree_sitter_cpp",
        (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp"),
        ("c++", "cc", "cxx", "hpp", "hxx"),
        types={
            **_C_TYPES,
            "class_specifier": "class {}",
            "namespace_definition": "namespace {}",
            "concept_definition": "concept {}",
        },
        functions=_C_FUNCTIONS,
        wrappers=("template_declaration",),
        transparent=tuple(_PREPROCESSOR.split()),
        strings=("string_literal", "raw_string_literal"),
    ),
    Grammar(
        "csharp",
        "text/x-csharp",
        "tree_sitter_c_sharp",
        (".cs", ".csx"),
        ("cs", "c#", "dotnet"),
        types={
            "class_declaration": "class {}",
            "interface_declaration": "interface {}",
            "struct_declaration": "struct {}",
            "record_declaration": "record {}",
            "enum_declaration": "enum {}",
            "namespace_declaration": "namespace {}",
        },
        functions={
            "method_declaration": "{}()",
            "constructor_declaration": "{}()",
            "destructor_declaration": "~{}()",
            "operator_declaration": "{",
            "conversion_operator_declaration": "{",
            "indexer_declaration": "{",
            "delegate_declaration": "delegate {}",
            "local_function_statement": "{}()",
        },
        bound=("property_declaration", "event_declaration"),
        transparent=(*_BLOCKS, "enum_member_declaration_list", "preproc_if", "preproc_else"),
        strings=(
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
        ),
        bodies=("accessor_list",),
    ),
    Grammar(
        "ruby",
        "text/x-ruby",
        "tree_sitter_ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        ("rb",),
        types={"class": "class {}", "module": "module {}", "singleton_class": "{"},
        functions={"method": "def {}", "singleton_method": "<"},
        transparent=("body_statement",),
        strings=("string", "heredoc_body", "string_array", "chained_string"),
        modifiers=(
            b"private",
            b"protected",
            b"public",
            b"module_function",
            b"private_class_method",
        ),
        remark=(b"#",),
    ),
    Grammar(
        "php",
        "text/x-php",
        "tree_sitter_php",
        (".php", ".phtml", ".php5", ".php7"),
        entry="language_php",
        types={
            "class_declaration": "class {}",
            "interface_declaration": "interface {}",
            "trait_declaration": "trait {}",
            "enum_declaration": "enum {}",
            "namespace_definition": "namespace {}",
        },
        functions={"function_definition": "function {}", "method_declaration": "function {}"},
        transparent=(*_BLOCKS, "compound_statement", "enum_declaration_list"),
        strings=("string", "encapsed_string", "heredoc", "nowdoc"),
        remark=(b"//", b"/*", b"#"),
    ),
    Grammar(
        "bash",
        "text/x-shellscript",
        "tree_sitter_bash",
        (".sh", ".bash", ".zsh", ".ksh"),
        ("sh", "shell", "zsh", "ksh", "shellscript"),
        functions={"function_definition": "function {}"},
        strings=("string", "raw_string", "ansi_c_string", "heredoc_redirect"),
        remark=(b"#",),
    ),
    Grammar(
        "sql",
        "text/x-sql",
        "tree_sitter_sql",
        (".sql", ".ddl"),
        ("mysql", "postgresql", "postgres", "plpgsql", "sqlite", "ddl"),
        functions={
            f"create_{kind}": f"CREATE {kind.replace('_', ' ').upper()} {{}}"
            for kind in (
                "table view materialized_view function procedure trigger index schema type "
                "sequence database role policy extension"
            ).split()
        },
        wrappers=("statement",),
        comments=("comment", "marginalia"),
        strings=("literal", "function_body"),
        bodies=("column_definitions", "function_body", "create_query", "procedure_body"),
        remark=(b"--", b"/*"),
    ),
    Grammar(
        "kotlin",
        "text/x-kotlin",
        "tree_sitter_kotlin",
        (".kt", ".kts"),
        ("kt", "kts"),
        types={
            "class_declaration": "<",
            "object_declaration": "object {}",
            "companion_object": "companion object",
        },
        functions={"function_declaration": "fun {}", "secondary_constructor": "constructor"},
        transparent=("class_body", "enum_class_body"),
        comments=("line_comment", "block_comment"),
        strings=("string_literal", "multiline_string_literal"),
        bodies=("class_body", "enum_class_body", "function_body", "block"),
    ),
    Grammar(
        "swift",
        "text/x-swift",
        "tree_sitter_swift",
        (".swift",),
        types={"class_declaration": "<", "protocol_declaration": "protocol {}"},
        functions={
            "function_declaration": "func {}",
            "protocol_function_declaration": "func {}",
            "init_declaration": "init",
            "deinit_declaration": "deinit",
            "subscript_declaration": "subscript",
        },
        transparent=("class_body", "enum_class_body", "protocol_body"),
        comments=("comment", "multiline_comment"),
        strings=("line_string_literal", "multi_line_string_literal", "raw_string_literal"),
        bodies=("class_body", "enum_class_body", "protocol_body", "function_body"),
    ),
    Grammar(
        "scala",
        "text/x-scala",
        "tree_sitter_scala",
        (".scala", ".sc", ".sbt"),
        types={
            "class_definition": "class {}",
            "object_definition": "object {}",
            "trait_definition": "trait {}",
            "enum_definition": "enum {}",
            "extension_definition": "{",
        },
        functions={
            "function_definition": "def {}",
            "function_declaration": "def {}",
            "given_definition": "{",
        },
        transparent=("template_body", "enum_body", "with_template_body"),
        comments=("comment", "block_comment"),
        strings=("string", "interpolated_string_expression"),
        bodies=("template_body", "enum_body"),
    ),
    Grammar(
        "lua",
        "text/x-lua",
        "tree_sitter_lua",
        (".lua",),
        functions={"function_declaration": "function {}"},
        bound=("variable_declaration", "assignment_statement"),
        strings=("string",),
        remark=(b"--",),
    ),
)

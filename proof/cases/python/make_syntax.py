"""Writes syntax.json: how CPython reads sources, and which ones it refuses. See README.md."""

import ast
import json
import sys
from pathlib import Path

EXPRESSIONS = r"""
None
True
False
x
_a1
é
ﬁ
...
0
00
7
1_000
9007199254740991
9007199254740992
123456789012345678901234567890
0x1F
0Xff_FF
0o17
0b101
0x1fffffffffffff
0x20000000000000
1.5
1.
.5
1e3
1E-3
1.5e+10
1_0.5_0
00.5
1e400
''
'a'
"it's"
'it\'s'
'a' "b" 'c'
r'\n'
R"\d"
u'x'
'\n\t\r\a\b\f\v\\\'\"'
'\x41\u4e0a\U0001F600\101\0'
'\q\8\9'
'\
x'
'''a
b'''
ur
(a)
()
(a,)
(a, b)
(a, b,)
a,
a, b
a, *b
[]
[a]
[a, b,]
[*a, b]
{}
{a}
{a, b,}
{*a}
{a: b}
{a: b, 'c': d,}
{**a}
{a: b, **c}
[a for a in b]
[a for a in b if c if d for e in f]
[a, b]
{a for a in b}
{a: b for a in c}
{a: b for a, d in c if e}
(a for a in b)
f(a for a in b)
[a for a, in b]
[a for a, *c in b]
[a for (a, b) in c]
[a for a.x in b]
[a for a in b or c]
[lambda: a for b in c]
a.b
a.b.c
a[b]
a[b, c]
a[b,]
a[:]
a[b:]
a[:b]
a[b:c]
a[::]
a[b:c:d]
a[::d]
a[b::d]
a[b:c, d]
a[b:c, d:e]
f()
f(a)
f(a, b)
f(a, b=c)
f(a, b=c,)
f(*a)
f(**a)
f(a, *b, c=d, **e)
f(a)(b)
f(a).b[c](d)
f(a == b)
f((a, b))
f(a, (b for b in c))
-a
+a
~a
--a
-1
not a
not not a
not a == b
-a ** b
a ** -b
a ** b ** c
a + b - c
a - (b - c)
a * b / c // d % e @ f
a + b * c
a * b + c
(a + b) * c
a << b >> c
a << b + c
a & b << c
a & b ^ c | d
a | b ^ c & d
a < b
a <= b
a > b
a >= b
a == b
a != b
a in b
a not in b
a is b
a is not b
a < b <= c != d
a is not b in c not in d
a | b < c
a and b
a or b
a and b and c
a or b or c
a and b or c and d
a or b and c
(a or b) and c
a and (b and c)
not a and b
a if b else c
a if b else c if d else e
(a if b else c) if d else e
a or b if c and d else e or f
lambda: a
lambda a: b
lambda a, b=c: d
lambda *a, **b: c
lambda a, *, b, c=d: e
lambda a, /, b: c
lambda *a, b: c
lambda: (yield_)
lambda a: lambda b: c
lambda a: b if c else d
(a := b)
f(a := b)
[a := b, c]
f''
f'a'
f'{a}'
f'a{b}c'
f'{a}{b}'
f'{{a}}'
f'{{{a}}}'
f'{a!r}'
f'{a!s:>10}'
f'{a:>10}'
f'{a:{b}}'
f'{a:{b}.{c}f}'
f'{a=}'
f'{a = }'
f'{a=!s}'
f'{a=:>3}'
f'{a!r:{b}}'
f'{a["b"]}'
f'{f(a, b="}")}'
f'{ {"a": b}["a"] }'
f'{a:%H:%M}'
f'{a == b}'
f'{a != b}'
f'{a <= b}'
f'{(lambda x: x)(a)}'
f'{a if b else c}'
f'{a, b}'
f'{a}' 'b' f'c{d}'
'a' f'{b}'
rf'\d{a}'
fr'{a}\n'
F"{a}"
f'\n{a}\t'
f'{a:\n}'
f'''{
a
}'''
f'{a}}}'
f'{a!a}'
(a
 + b)
[
  a,  # comment
  # another

  b
]
a \
  + b
a[
  b]
(  a  )
a  .  b
a.real
1 .real
1.5.real
1 if a else b
a and-b
a<b>c
a if b else-c
*a, b
""".strip("\n")

STATEMENTS = [
    "a = b", "a = b = c", "a, b = c", "a, *b = c", "(a, b) = c", "[a, b] = c", "a.b = c", "a[b] = c", "a = b,", "a = *b, c",
    "a: b = c", "a.b: c = d", "a[b]: c = d",
    "a += b", "a -= b", "a *= b", "a /= b", "a //= b", "a %= b", "a **= b", "a &= b", "a |= b", "a ^= b", "a <<= b", "a >>= b",
    "a @= b", "a.b += c", "a += b, c",
    "a; b", "a; b;", "a;", "pass", "a\n\n\nb", "# only a comment", "", "\n\n", "a # behind", "# before\na",
    "if a: b", "if a:\n  b", "if a:\n  b\nelse:\n  c", "if a:\n  b\nelif c:\n  d\nelif e:\n  f\nelse:\n  g", "if a: b; c\nd",
    "if a:\n  if b:\n    c\n  d\ne", "if a:\n\tb\n\tc", "if a:\n  b\n\n  # comment\n  c", "if a:\n  b\n # odd comment\nc",
    "if (a\n  and b):\n  c", "if a:\n  b;\n  c", "if a: pass\nelse: b",
    "for a in b: c", "for a, b in c:\n  d", "for a in b, c:\n  d\nelse:\n  e", "for a, in b: pass", "for (a, b) in c: pass",
    "for a[0] in b: pass", "for *a, b in c: pass",
    "while a: b", "while a:\n  break\nelse:\n  continue_", "while a:\n  continue",
    "with a: b", "with a as b: c", "with a as b, c as d:\n  e", "with a, b: c", "with a as (b, c): d",
    "try:\n  a\nexcept:\n  b", "try:\n  a\nexcept b:\n  c\nexcept (d, e) as f:\n  g\nelse:\n  h\nfinally:\n  i",
    "try:\n  a\nfinally:\n  b", "try: a\nexcept* b: c",
    "import a", "import a.b.c", "import a as b, c.d as e", "from a import b", "from a.b import c as d, e", "from . import a",
    "from .a import b", "from .. import a", "from ...a.b import c", "from .... import a", "from a import *", "from a import (b, c as d,)",
    "from a import (\n  b,\n  c\n)",
    "def f(): pass", "def f(a): return a", "def f(a, b=c, *d, e, f=g, **h):\n  pass", "def f(a, /, b, *, c): pass",
    "def f(a: b, c: d = e, *f: g, h: i, **j: k) -> l:\n  pass", "@a\ndef f(): pass", "@a.b(c)\n@d\ndef f():\n  pass",
    "def f():\n  return", "def f(): return; a", "def f():\n  return a, b", "def f():\n  global a, b\n  c", "def f():\n  def g():\n    nonlocal_\n  h",
    "class A: pass", "class A(B, c=d): pass", "class A(B[C:D]):\n  a = b\n  def f(self): pass", "class A:\n  'doc'",
    "del a", "del a, b", "del a.b, c[d]", "del (a, b)", "assert a", "assert a, b",
    "a = '''b\nc'''\nd", "a = [\n1,\n2]\nb", "a = {\n  'b': 1,\n}\nc", "a = (b  # c\n     + d)", "a = b \\\n  + c\nd", "x = 1\ny = x",
    "\ufeffa", "a\r\nb", "a\rb", "if a:\r\n  b\r\nc", "a = 'b\\\r\nc'", "a\f\nb", "if a:\n  b\n\f\nc",
    "a=1;b=2", "print('a', end='')", "a = not b", "a = lambda: b", "a = b if c else d", "a = [b for c in d]", "match = 1", "case = type",
    "print(f'{a}')", "a = f(\n  b,\n  c=d)", "a = b[c:d, ...]", "if a:\n  pass\n", "if a:\n    b\nelif c:\n    pass",
]

REFUSED = [
    "a b", "a = ", "= a", "a +", "(a", "a)", "(a]", "[a", "{a: b", "{a: b, c}", "{a, b: c}", "'a", '"a', "'''a", "'a\nb'", "f(", "f(a", "f(a b)",
    "[a b]", "if a", "if a:", "if a:\nb", "else: a", "elif a: b", "for a: b", "for a in: b", "while: a", "def f: pass", "def (): pass", "def f(a b): pass",
    "class: pass", "import", "import a.", "from a", "from a import", "from import a", "from a import (b", "return = 1", "a = if", "a = else", "None = ",
    "1 = a", "'a' = b", "f() = a", "a + b = c", "a < b = c", "1 += a", "(a, 1) = b", "a if b", "a if b else", "lambda", "lambda a", "not", "a and", "or a", "a not b",
    "a in", "a is", "a[", "a[]", "a.", "a.1", ".a", "a..b", "f(a for a in b, c)", "[a for]", "[a for a]", "[for a in b]", "{**a for a in b}",
    " a\nb\n  c", "if a:\n    b\n  c", "a\n  b", "a = 1 \\ 2", "a ? b", "a $ b", "a ! b", "f'{'", "f'{}'", "f'}'", "f'{a'", "f'{a!}'", "f'{a b}'", "f'{a:{b}'",
    "'\\x4'", "'\\u12'", "'\\U0011ffff'", "@a", "@a\nb", "try: a", "try:\n  a\nb", "with: a", "del", "assert", "global", "x = )", "a, b += c", "del 1",
    "a = b c", "if a b: c", "while a\n  b", "for in a: b", "def f(a,, b): pass", "f(a,,b)", "[a,,b]", "{,}", "(,)", "f(=a)", "f(**)", "a ** ",
    "lambda *: a", "with a as: b", "import a as", "from a import b as", "a = 0x", "a = 0b2", "a = 1__0", "a = 0_", "1a",
]




def read(node):
    name = type(node).__name__
    if name == "Constant":
        return ["..."] if node.value is ... else ["constant", repr(node.value)]
    if name == "Name":
        return ["name", node.id]
    if name in ("List", "Tuple", "Set"):
        return [name.lower(), *map(read, node.elts)]
    if name == "Dict":
        return ["dict", *[[key and read(key), read(value)] for key, value in zip(node.keys, node.values)]]
    if name in ("ListComp", "SetComp", "GeneratorExp"):
        kind = {"ListComp": "list", "SetComp": "set", "GeneratorExp": "generator"}[name]
        return ["comprehension", kind, read(node.elt), *map(clause, node.generators)]
    if name == "DictComp":
        return ["dict-comprehension", read(node.key), read(node.value), *map(clause, node.generators)]
    if name == "Attribute":
        return ["attribute", read(node.value), node.attr]
    if name == "Subscript":
        return ["item", read(node.value), read(node.slice)]
    if name == "Slice":
        return ["slice", *[part and read(part) for part in (node.lower, node.upper, node.step)]]
    if name == "Call":
        keywords = [["**", read(one.value)] if one.arg is None else ["=", one.arg, read(one.value)] for one in node.keywords]
        return ["call", read(node.func), *map(read, node.args), *keywords]
    if name == "UnaryOp":
        return ["unary", UNARY[type(node.op).__name__], read(node.operand)]
    if name == "BinOp":
        return ["binary", BINARY[type(node.op).__name__], read(node.left), read(node.right)]
    if name == "BoolOp":
        return ["and" if isinstance(node.op, ast.And) else "or", *map(read, node.values)]
    if name == "Compare":
        rest = [[COMPARE[type(operator).__name__], read(one)] for operator, one in zip(node.ops, node.comparators)]
        return ["compare", read(node.left), *rest]
    if name == "IfExp":
        return ["condition", read(node.test), read(node.body), read(node.orelse)]
    if name == "Lambda":
        return ["lambda", parameters(node.args), read(node.body)]
    if name == "Starred":
        return ["star", read(node.value)]
    if name == "NamedExpr":
        return ["walrus", node.target.id, read(node.value)]
    if name == "JoinedStr":
        parts = formatted(node)
        return ["constant", repr("".join(parts))] if all(isinstance(one, str) for one in parts) else ["formatted", *parts]
    raise ValueError(name)


def formatted(node):
    parts = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(part.value)
        else:
            conversion = None if part.conversion < 0 else chr(part.conversion)
            parts.append([read(part.value), conversion, part.format_spec and formatted(part.format_spec)])
    return parts


def clause(node):
    return [read(node.target), read(node.iter), *map(read, node.ifs)]


def parameters(node):
    positional = [*node.posonlyargs, *node.args]
    defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
    found = [[one.arg, "", value and read(value), False] for one, value in zip(positional, defaults)]
    if node.vararg:
        found.append([node.vararg.arg, "*", None, False])
    found += [[one.arg, "", value and read(value), True] for one, value in zip(node.kwonlyargs, node.kw_defaults)]
    if node.kwarg:
        found.append([node.kwarg.arg, "**", None, False])
    return found


def statement(node):
    return [node.lineno, *content(node)]


def block(nodes):
    return [statement(node) for node in nodes]


def content(node):
    name = type(node).__name__
    if name == "Expr":
        return ["expression", read(node.value)]
    if name == "Assign":
        return ["assign", [read(target) for target in node.targets], read(node.value)]
    if name == "AnnAssign":
        return ["assign", [read(node.target)], read(node.value)]
    if name == "AugAssign":
        return ["augment", read(node.target), BINARY[type(node.op).__name__], read(node.value)]
    if name == "For":
        return ["for", read(node.target), read(node.iter), block(node.body), block(node.orelse)]
    if name in ("While", "If"):
        return [name.lower(), read(node.test), block(node.body), block(node.orelse)]
    if name in ("Try", "TryStar"):
        return ["try", block(node.body), [[one.type and read(one.type), one.name, block(one.body)] for one in node.handlers], block(node.orelse), block(node.finalbody)]
    if name == "With":
        return ["with", [[read(one.context_expr), one.optional_vars and read(one.optional_vars)] for one in node.items], block(node.body)]
    if name == "Import":
        return ["import", *[[one.name, one.asname] for one in node.names]]
    if name == "ImportFrom":
        return ["import-from", node.level, node.module or "", *[[one.name, one.asname] for one in node.names]]
    if name == "FunctionDef":
        return ["function", node.name, parameters(node.args), block(node.body), len(node.decorator_list) > 0]
    if name == "ClassDef":
        return ["class", node.name, block(node.body)]
    if name == "Return":
        return ["return", node.value and read(node.value)]
    if name == "Delete":
        targets = node.targets
        if len(targets) == 1 and isinstance(targets[0], (ast.Tuple, ast.List)):
            targets = targets[0].elts
        return ["delete", *map(read, targets)]
    if name == "Assert":
        return ["assert", read(node.test)]
    if name in ("Global", "Nonlocal"):
        return [name.lower(), *node.names]
    return [name.lower()]


UNARY = {"USub": "-", "UAdd": "+", "Invert": "~", "Not": "not"}
BINARY = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "BitAnd": "&", "BitOr": "|",
          "BitXor": "^", "LShift": "<<", "RShift": ">>", "MatMult": "@"}
COMPARE = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "In": "in", "NotIn": "not in", "Is": "is", "IsNot": "is not"}


def passed_over(node):
    """What a config does not need, and f-strings, inside which CPython 3.11 knows no places."""
    if isinstance(node, ast.JoinedStr):
        yield node
    for field in ("annotation", "returns", "keywords", "msg"):
        if field != "keywords" or isinstance(node, ast.ClassDef):
            value = getattr(node, field, None)
            yield from value if isinstance(value, list) else [value] if isinstance(value, ast.AST) else []


def names(tree):
    """Where each name stands, from 1."""
    inside = {id(one) for node in ast.walk(tree) for passed in passed_over(node) for one in ast.walk(passed)}
    found = [(one.lineno, one.col_offset + 1, one.id) for one in ast.walk(tree) if isinstance(one, ast.Name) and id(one) not in inside]
    return [list(one) for one in sorted(found)]


def join_lines(text):
    """One source for each line, where a line that opens a bracket or a string goes on."""
    source = ""
    for line in text.split("\n"):
        source = f"{source}\n{line}" if source else line
        try:
            ast.parse(source)
        except SyntaxError:
            continue
        yield source
        source = ""
    if source:
        raise ValueError(source)


def refuses(source):
    try:
        compile(source, "<source>", "exec")
    except SyntaxError:
        return True
    return False


def main():
    sources = [*join_lines(EXPRESSIONS), *STATEMENTS]
    read_sources = []
    for source in sources:
        # As from a file, which may begin with a mark of its encoding.
        tree = ast.parse(source.encode())
        places = names(tree) if source.isascii() else None
        read_sources.append([source, block(tree.body), places])
    taken = [source for source in REFUSED if not refuses(source)]
    if taken:
        sys.exit(f"Python takes {taken}")
    path = Path(__file__).with_name("syntax.json")
    lines = ",\n".join("    " + json.dumps(one) for one in read_sources)
    refused = ",\n".join("    " + json.dumps(one) for one in REFUSED)
    version = ".".join(map(str, sys.version_info[:2]))
    path.write_text(f'{{\n  "origin": "ast.parse of CPython {version}",\n  "read": [\n{lines}\n  ],\n  "refused": [\n{refused}\n  ]\n}}\n')


main()

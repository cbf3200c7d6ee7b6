"""The templates whose results are kept. A topic is a file; every template is one case."""

import itertools

# The instant that strftime_now shows, in local time.
NOW = "2025-03-04T05:06:07"

# What every template is given.
CONTEXT = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "seven": 7,
    "minus": -3,
    "half": 0.5,
    "whole": 2.0,
    "big": 12345678901234567890,
    "yes": True,
    "no": False,
    "nothing": None,
    "empty": "",
    "infinity": "inf",
    "nan": "nan",
    "word": "Hello",
    "line": "The quick brown fox",
    "text": " two words\n\tand tab \n",
    "wide": "aé中😀z",
    "html": '<b>"A" & \'B\'</b>',
    "list": [3, 1, 2],
    "words": ["b", "A", "c", "B"],
    "nested": [[1, 2], [3], []],
    "mixed": [1, "a", None, 2.5, True, [1], {"k": 1}],
    "blank": [],
    "dict": {"b": 2, "a": 1, "C": 3},
    "hollow": {},
    "people": [
        {"name": "Ann", "age": 30, "city": {"name": "Rome"}, "tags": ["x", "y"]},
        {"name": "bob", "age": 25, "city": {"name": "Oslo"}, "tags": []},
        {"name": "Cid", "age": 30, "city": {"name": "rome"}},
        {"name": "bob", "age": 25.0, "city": {"name": "Oslo"}, "extra": None},
    ],
    "tree": [{"v": 1, "c": [{"v": 2, "c": []}, {"v": 3, "c": [{"v": 4, "c": []}]}]}, {"v": 5, "c": []}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": " Hi "},
        {"role": "assistant", "content": "Hello!", "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1, "y": [1.0, None]}}}]},
    ],
}


# What we do otherwise on purpose, or not at all: such templates are left out, with the reason.
LEFT_OUT = {
    "complex numbers": ["{{ -7 ** 0.5 }}", "{{ -7 ** -0.5 }}", "{{ -2.5 ** 0.5 }}", "{{ -2.5 ** -0.5 }}", "{{ (-8) ** 0.5 }}"],
    "a quotient of ints that are too large for floats": ["{{ 2 ** 1024 / 2 ** 1023 }}"],
    "bytes, hexadecimal floats, translation tables": ["{{ (1.5).hex() }}", "{{ (5).to_bytes(1, 'big') }}", "{{ word.encode() }}", "{{ word.maketrans('a', 'b') }}", "{{ word.translate({}) }}"],
    "names of characters": ["{{ '\\N{BULLET}' }}", "{{ '\\N{NO SUCH NAME}' }}"],
    "template inheritance": ["{% for x in list %}{% block b scoped %}{{ x }}{% endblock %}{% endfor %}", "{% block a %}{% endblock %}{% block a %}{% endblock %}", "{{ self.b() }}{% block b %}x{% endblock %}"],
    "Jinja2 3.2 allows it": ["{% set n = namespace(a=1) %}{% set n.a, y = 2, 3 %}{{ n.a }}{{ y }}"],
    "later releases forbid it": ["{{ list.pop() }}", "{{ list.clear() }}", "{{ '{0.__class__}'.format(1) }}"],
    "a mistake of Jinja2 3.1: `in` is taken for a name": ["{% for a, in [(1,)] %}{{ a }}{% endfor %}"],
    "a mistake of Jinja2 3.1: an open raw block at the end is empty": ["{% raw %}"],
    "the compiler of Python says it, not Jinja2": ["{% macro m(a, a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(caller) %}{{ caller }}{% endmacro %}{{ m(1) }}"],
    "errors of types that are swallowed or not": ["{{ '5' | int(0, 'a') }}", "{{ 5.5 | round(none) }}", "{{ range(7) | list | batch('a') | list }}", "{{ word | attr(1) }}", "{{ 1 is eq(other=1) }}", "{{ '%5%|' % () }}"],
    "pprint sorts keys and wraps lines": ["[{{ dict | pprint }}]", "{{ people | pprint }}"],
    "casing of ligatures": ["{{ 'ŉ'.title() }}"],
    "an address that ends in an escaped bracket": ["{{ 'http://a.bc/?x=<>' | urlize }}"],
    "floats of Python are compared with exact ints": ["{{ 1e24 | filesizeformat }} {{ 1e24 | filesizeformat(true) }} {{ 1e24 | filesizeformat(binary=false) }}"],
    "constants that are Markup": ["{% autoescape true %}{{ html }}{{ html | safe }}{{ '<' ~ '>' }}{{ ('<' | safe) ~ '>' }}{{ '<' ~ ('>' | safe) }}{{ 1 }}{{ none }}{% endautoescape %}{{ html }}"],
}


def shown(lines, **context):
    """One expression per line, printed."""
    return [("{{ " + line.strip() + " }}", context) for line in lines.strip().splitlines() if line.strip()]


def whole(lines, **context):
    """One template per line; ⏎ stands for a newline, ⇥ for a tab."""
    return [(line.strip("\n").lstrip().replace("⏎", "\n").replace("⇥", "\t"), context) for line in lines.splitlines() if line.strip()]


def each(pattern, *choices):
    """A pattern with $1, $2, … for all combinations."""
    found = []
    for combination in itertools.product(*choices):
        text = pattern
        for number, choice in enumerate(combination, 1):
            text = text.replace(f"${number}", choice)
        found.append((text, {}))
    return found


ORDERINGS = ["<", "<=", ">", ">="]
EQUALITIES = ["==", "!="]


def comparisons():
    numbers = ["0", "1", "2", "-1", "1.0", "0.5", "true", "false", "1e400", "12345678901234567890", "12345678901234567891.0"]
    texts = ["''", "'a'", "'A'", "'ab'", "'b'", "'é'", "'\\ue000'", "'😀'"]
    lists = ["[]", "[1]", "[1, 2]", "[1.0, 2]", "[2]", "[true]"]
    tuples = ["()", "(1,)", "(1, 2)", "(2,)", "(1, 'a')"]
    six = "{{ $1 == $2 }} {{ $1 != $2 }} {{ $1 < $2 }} {{ $1 <= $2 }} {{ $1 > $2 }} {{ $1 >= $2 }}"
    yield from each(six, numbers, numbers)
    for values in (texts, lists, tuples):
        yield from each(six, values, values)
    mixed = ["1", "'1'", "none", "[1]", "(1,)", "{}", "{'a': 1}", "missing", "range(2)", "1.5"]
    yield from each("{{ $1 == $2 }} {{ $1 != $2 }}", mixed, mixed)
    yield from each("{{ $1 $3 $2 }}", ["1", "'a'", "none", "[1]", "(1,)", "{}", "missing"], ["2", "'b'", "[2]", "missing"], ORDERINGS)
    # Variables, since constants may be worked out when the template is compiled.
    yield from each("{{ $1 $2 $3 }}{% if $1 $2 $3 %}Y{% else %}N{% endif %}", ["one", "two", "half", "whole", "big"], ORDERINGS + EQUALITIES, ["1", "2", "two"])
    yield from each("{{ word $1 $2 }}{% if word $1 $2 %}Y{% else %}N{% endif %}", ORDERINGS + EQUALITIES, ["'Hello'", "'Hell'", "'hello'", "word", "empty"])
    yield from each("{{ 1 $1 2 $2 3 }} {{ two $1 two $2 two }} {{ 3 $1 2 $2 1 }}", ORDERINGS + EQUALITIES, ORDERINGS + EQUALITIES)
    yield from shown("""
1 < 2 < 3
1 < 3 < 2
3 > 2 > 1 > 0
1 == 1.0 == true
1 in [1] == true
[1, [2, 3]] == [1, [2, 3]]
[1, [2, 3]] < [1, [2, 4]]
[1, 'a'] < [2, none]
[1, 'a'] < [1, none]
(1, 2) == [1, 2]
{'a': 1, 'b': 2} == {'b': 2, 'a': 1}
{'a': 1} == {'a': 1.0}
{'a': 1} == {'a': 2}
{'a': 1} == {'b': 1}
{'a': 1} != {'a': 1, 'b': 2}
{1: 'a'} == {1.0: 'a'}
{1: 'a'} == {true: 'a'}
{} < {}
missing == none
missing == other
missing != other
missing == ''
missing < 1
1 < missing
none < none
none == none
none == false
range(3) == range(0, 3)
range(3) == [0, 1, 2]
range(0, 3, 2) == range(0, 4, 2)
range(0) == range(1, 1)
range(1, 2, 5) == range(1, 2, 9)
'a' < 'B'
'a' | lower < 'B' | lower
dict.keys() == dict.keys()
dict.items() == dict.items()
dict.values() == dict.values()
dict.keys() == ['b', 'a', 'C']
big == 12345678901234567890
big == 12345678901234567891
big + 1 > big
9007199254740993 == 9007199254740992.0
9007199254740993 > 9007199254740992.0
-12345678901234567890 < -1
1e400 == 1e400
0.1 + 0.2 == 0.3
namespace(a=1) == namespace(a=1)
word is eq 'Hello' and word is ne 'hello'
""")


def membership():
    yield from each("{{ $1 in $2 }} {{ $1 not in $2 }}{% if $1 in $2 %}Y{% endif %}{% if $1 not in $2 %}N{% endif %}", ["1", "'a'", "none", "2.0", "true", "[1]", "missing"], ["[1, 'a']", "mixed", "(2, none)", "blank", "{'a': 1, 2: 3}", "{none: 1}"])
    yield from each("{{ $1 in $2 }} {{ $1 not in $2 }}", ["''", "'l'", "'ll'", "'H'", "'h'", "'Hello!'", "'😀'", "'中😀'"], ["word", "empty", "wide"])
    yield from each("{{ $1 in $2 }}", ["1", "5", "-1", "3", "1.0", "1.5", "true", "'a'", "none"], ["range(5)", "range(1, 5, 2)", "range(5, 0, -2)", "range(0)"])
    yield from each("{{ $1 in $2 }}", ["1", "none", "[]", "missing"], ["word", "one", "none", "missing", "half", "true"])
    yield from shown("""
'b' in dict
'b' in dict.keys()
2 in dict.values()
('b', 2) in dict.items()
('b', 3) in dict.items()
['b', 2] in dict.items()
[1, 2] in nested
[2, 1] in nested
(1, 2) in nested
[1] in dict
{} in dict
'x' in missing
missing in []
missing in [missing]
1 in 1
not 1 in [1]
not (1 in [1])
1 in [1] and 2 not in [1]
1 in [1] in [true]
'a' in 'abc' in ['abc']
'name' in people[0]
'Ann' in people[0]
'Ann' in people | map(attribute='name')
2 in [1, 2, 3] | map('string')
'2' in [1, 2, 3] | map('string')
'\\n' in text
'Hello' in (word,)
'H' in ('Hello',)
""")


def arithmetic():
    operators = ["+", "-", "*", "/", "//", "%", "**"]
    yield from each("{{ $1 $2 $3 }}", ["7", "-7", "0", "2.5", "-2.5", "true"], operators, ["2", "-2", "3", "0.5", "-0.5", "true", "0"])
    yield from each("{{ $1 $2 $3 }}", ["big", "-12345678901234567890", "9007199254740991", "seven"], ["+", "-", "*", "//", "%"], ["1", "-1", "7", "-7", "9007199254740993", "big", "1.0"])
    yield from each("{{ $1 $2 $3 }}", ["'ab'", "[1]", "(1,)", "none", "{}", "missing", "1", "1.5", "range(2)"], ["+", "-", "*", "/", "//", "%", "**"], ["'c'", "[2]", "(2,)", "none", "2", "missing"])
    yield from each("{{ $1 * $2 }} {{ $2 * $1 }}", ["'ab'", "[1, 'x']", "(1, 2)", "''", "[]", "()", "wide"], ["0", "1", "3", "-1", "true", "false"])
    yield from each("{{ $1 }}", ["-seven", "+seven", "- -seven", "-half", "+half", "-yes", "+yes", "-word", "+word", "-none", "+none", "-missing", "+missing", "-[1]", "-0", "-0.0", "+0.0", "-big", "--1", "-2 ** 2", "(-2) ** 2", "2 ** -1", "2 ** 3 ** 2", "-7 // 2", "-(7 // 2)", "-7 % 3", "not -1", "-1 | abs", "-1.abs", "-minus | abs"])
    yield from shown("""
1 + 2 * 3
(1 + 2) * 3
10 - 4 - 3
100 / 10 / 2
100 // 7 // 2
100 % 7 % 2
7 // 2 * 2 + 7 % 2
1 + 2 ~ 3 + 4
1 ~ 2 + 3
1 ~ 2 * 3
'a' ~ 1 ~ 2.0 ~ none ~ true ~ missing ~ [1] ~ (1,)
'a' + 'b' * 2 + 'c'
'a' + 'b' + word + 'c' + 'd'
word + 'b' + 'c' + word + wide
word + 1
1 + word
'a' + 'b' + 1
'a' + none
none + 'a'
list + [4] + blank
list + (4,)
(1,) + (2, 3) + ()
(1,) + [2]
1 + 2 + 3.5
1.0 + 2
2 * 3.0
6 / 2
7 / 2
7 / 2.0
7 // 2.0
7.5 // 2
-7.5 // 2
7.5 % 2
-7.5 % 2
7.5 % -2
-7 % 3.5
5 % -3
-5 % -3
-5 // -3
5 // -3
6 // -3
6 % -3
6.0 % -3
0 // 5
0 % 5
0 / 5
0 * -5
0.0 * -5
1 / 3
2 / 3
1e3
1e-7
1.5e300 * 1e10
1e308 * 10
-1e308 * 10
1e16
1e15
123456789012345680.0
0.0001
0.00001
1.10
1_000_000
1_0.5_0
0xff
0o17
0b101
0x_f
00
1e400
-1e400
1e400 - 1e400
1e400 * 0
(infinity | float) % 2
(infinity | float) // 2
2 % 1e400
2 // 1e400
2.0 ** 0.5
2 ** 0.5
4 ** 0.5
2 ** 10
2 ** 64
2 ** 0
0 ** 0
0 ** -1
0.0 ** -1
(-8) ** 2
(-8) ** 3
(-8) ** -1
(-8) ** 0.5
(-1) ** 1e10
10 ** 20
10 ** -2
1 ** -5
2.0 ** 2000
2 ** 1023 * 1.0
2 ** 1024 * 1.0
2 ** 1024 / 1
2 ** 1024 / 2 ** 1023
9007199254740991 + 1
9007199254740991 // 4
-9007199254740991 // 4
9007199254740991 // 3
-9007199254740990 // 7
9007199254740991 % 1000
-9007199254740991 % 1000
-0 % 5
-5 % 5
5 % -5
-5 // 5
9007199254740992 + 1
9007199254740993 - 1
9007199254740991 * 9007199254740991
-9007199254740991 - 5
94906267 * 94906267
3037000500 * 3037000500
12345678901234567890 // 10
-12345678901234567890 // 10
12345678901234567890 % 10
-12345678901234567890 % 10
12345678901234567890 % -10
12345678901234567890 / 10
12345678901234567890 * 0
12345678901234567890 - 12345678901234567890
12345678901234567890 + 0.5
true + true
true * 3
true / 2
true // 2
true % 2
true - 1
false ** false
true + 'a'
1 / 0
1 // 0
1 % 0
1.0 / 0
1.0 // 0
1.0 % 0
1 / 0.0
1 % 0.0
1 // 0.0
big // 0
big % 0
one / zero
'a' * 1.5
'a' * 'b'
[1] * 1.5
1.5 * [1]
(1,) * none
{} * 2
2 * {}
'a' - 'b'
'a' / 2
[1] - [1]
[1] % 2
{} + {}
none + 1
none - 1
1 - none
none * 2
none % 2
none ** 2
range(2) + range(2)
dict + dict
missing + 1
1 + missing
missing ~ 1
missing * 2
missing - 1
missing / 1
missing % 1
'%s' % missing
missing ** 2
word + missing
list + missing
""")


def logic():
    values = ["0", "1", "0.0", "-0.5", "''", "'a'", "[]", "[0]", "()", "(0,)", "{}", "{'a': 0}", "none", "true", "false", "missing", "range(0)", "range(1)", "dict.keys()", "hollow.items()", "blank | map('upper')", "big", "namespace()"]
    yield from each("{% if $1 %}Y{% else %}N{% endif %}{% if not $1 %}n{% else %}y{% endif %} {{ not $1 }} {{ 'A' if $1 else 'B' }}", values)
    some = ["0", "1", "''", "'a'", "none", "missing", "[]"]
    yield from each("[{{ $1 and $2 }}|{{ $1 or $2 }}]{% if $1 and $2 %}A{% endif %}{% if $1 or $2 %}O{% endif %}", some, some)
    yield from shown("""
not true and false
not (true and false)
true or false and false
(true or false) and false
not not 1
not 0 == 1
1 == 1 and 2 == 2
1 and 2 and 3
0 or '' or none
0 or '' or 'last'
1 and 0 or 2
missing or 'fallback'
missing and missing.x
none and none.x
'a' if true
'a' if false
('a' if false) is defined
'a' if true else 'b'
'a' if false else 'b'
'a' if false else 'b' if false else 'c'
'a' if false else 'b' if true else 'c'
'a' if true else missing.x
('a' if false) ~ 'x'
('a' if missing else 'b') | upper
'a' if 1 > 2 or 2 > 1 else 'b'
1 + 2 if true else 3
(1 if false else 2) + 3
[1 if true, 2 if false]
word if word is defined else 'none'
nope if nope is defined else 'none'
missing.x if false else 'ok'
(1 if false).x
""")
    yield from whole("""
        {% if one == 1 and two == 2 %}A{% elif one == 2 %}B{% else %}C{% endif %}
        {% if one == 2 %}A{% elif one == 1 %}B{% else %}C{% endif %}
        {% if one == 2 %}A{% elif one == 3 %}B{% elif one == 1 %}C{% else %}D{% endif %}
        {% if one == 2 %}A{% elif one == 3 %}B{% elif one == 4 %}C{% else %}D{% endif %}
        {% if one == 2 %}A{% elif one == 3 %}B{% endif %}
        {% if yes %}{% if no %}A{% else %}B{% endif %}{% else %}C{% endif %}
        {% if no %}A{% endif %}
        {% if no %}{% else %}B{% endif %}
        {% if not yes or not no %}A{% endif %}
        {% if (not yes) or no %}A{% else %}B{% endif %}
        {% if yes and not no and one %}A{% else %}B{% endif %}
        {% if missing %}A{% else %}B{% endif %}
        {% if missing.x %}A{% else %}B{% endif %}
        {% if missing is defined and missing.x %}A{% else %}B{% endif %}
        {% if missing is not defined or missing.x %}A{% else %}B{% endif %}
        {% if one is nothing_known %}A{% endif %}
        {% if false %}{{ 1 is nothing_known }}{% endif %}ok
        {% if false %}{{ 1 | nothing_known }}{% endif %}ok
        {% if true %}{{ 1 | nothing_known }}{% endif %}ok
        {{ 1 | nothing_known if false else 2 }}
        {{ 1 is nothing_known }}
        {{ 1 | nothing_known }}
    """)


def literals():
    yield from each("{{ $1 }}", ["1", "1.0", "1.50", "1e2", "1E2", "1e+2", "1e-2", "0", "0.0", "'a'", '"a"', "'a' 'b'", "'it\\'s'", '"say \\"x\\""', "true", "True", "false", "False", "none", "None", "[]", "()", "{}", "[1,]", "(1,)", "(1)", "{'a': 1,}", "[1, 2, [3]]", "(1, (2,))", "1, 2", "1,", "{'a': [1], 'b': {'c': ()}}", "{1: 2, 1.5: 3, none: 4, true: 5}", "{1: 'a', 1.0: 'b', true: 'c'}", "{'a': 1, 'a': 2}", "{(1, 2): 3}", "{[1]: 2}", "{{}: 2}", "{'a': missing}", "[missing, none, true, 1.0]", "(missing,)", "'\\n\\t\\r\\\\'", "['\\n\\t\\r\\\\\\x00\\x7f']", "['it\\'s']", "['\"']", "['\\'\"']", "['é中😀']", "['\\u200b\\ue000\\xa0\\xad']", "['\\u2028']", "'\\x41\\u0042\\U00000043\\103'", "'\\N{BULLET}'", "'\\q'", "'\\x4'", "'\\u12'", "'a\\\nb'", "[1.0, 1e16, 1e-5, 123456789.123, 0.1, 1e22, 1.0e21, 100000.0]", "[true, none]", "[12345678901234567890]", "[-1, -1.5, +2]", "['a'] ~ ['b']", "mixed", "dict", "people[0]", "messages", "text", "wide", "[wide, text, html]", "range(3)", "range(1, 5)", "range(1, 10, 3)", "[range(2)]", "dict.keys()", "dict.values()", "dict.items()", "[dict.items()]", "hollow.keys()", "namespace(a=1)", "missing", "[missing]", "loop", "self_is_missing", "7.", "7.real", "1.5.real", ".5", "1__0", "1_", "0777", "0xg", "1e", "''", "['']", "'a\\tb'", "nothing", "(none)", "((1))", "[[[]]]", "[()]", "[{}]"])
    yield from whole("""
        plain text
        {{ 1 }}{{ 2 }}
        {{1}}
        {{    1    }}
        {{⏎1⏎}}
        {{ 'a⏎b' }}
        a⏎b⏎
        a⏎b⏎⏎
        {# comment #}x
        a{# {{ 1 }} #}b
        a {#- x -#} b
        {% raw %}{{ 1 }}{% endraw %}
        {% raw %}{% if %}{# x #}{% endraw %}
        a{% raw -%}   b   {%- endraw %}c
        {%- raw %} a {% endraw -%}   b
        {% raw %}⏎a⏎{% endraw %}⏎b
        {% raw %} {% raw %} {% endraw %}
        { { 1 } }
        {{ '}}' }}
        {{ '{%' }}{% set x = '%}' %}{{ x }}
        {{ {'a': {'b': 1}}['a']['b'] }}
        {{ {'a': {'b': 1}}.a.b }}
        {{{'a': 1}.a}}
        é中😀{{ 'é中😀' }}
        {{ "é" ~ '中' ~ "😀" }}
        {{ naïve }}
        {% set naïve = 1 %}{{ naïve }}
        {% set 变量 = 1 %}{{ 变量 + 1 }}
        a⏎{{ 'b' }}⏎c
        <{{ 'b' }}>⏎⏎<{{ 'c' }}>
        {{ 'a' }}⏎{{ 'b' }}
        %}a}}b#}
        {{ 1 }}}
        {{{ 1 }}}
    """)


def subscripts():
    indexes = ["0", "1", "-1", "-3", "2", "3", "-4", "true", "1.0", "'a'", "none", "missing", "'0'"]
    yield from each("[{{ $1[$2] }}]", ["list", "word", "(1, 2, 3)", "range(3)", "wide"], indexes)
    yield from each("[{{ dict[$1] }}]", ["'a'", "'zz'", "0", "none", "missing", "[1]", "'keys'", "'pop'", "1.0"])
    bounds = ["", "0", "1", "2", "-1", "-2", "9", "-9"]
    steps = ["", ":", ":1", ":2", ":-1", ":-2"]
    yield from each("{{ word[$1:$2$3] }}", bounds, bounds, ["", ":-1"])
    yield from each("{{ list[$1:$2$3] }}{{ (1, 2, 3)[$1:$2$3] }}", ["", "1", "-2", "5"], ["", "1", "-1", "5", "-5"], steps)
    yield from each("{{ wide[$1:$2$3] }}", ["", "1", "3", "-2"], ["", "4", "-1", "-9"], ["", ":2", ":-1", ":-2"])
    yield from each("{{ range($1)[$2] }}", ["10", "2, 20, 3", "10, 0, -2"], [":3", "2:", "-2:", "::-1", "1:8:2", "::2", "8:1:-2", "5:2", ":-1"])
    yield from shown("""
list[::0]
word[::0]
list['a':]
list[1.5:]
list[none:none:none]
list[true:]
list[missing:]
word[big:]
word[:big]
one[0]
one[1:]
half[0]
none[0]
none['a']
true[0]
missing[0]
missing['a']
missing[1:]
dict[1:]
dict[0:1]
list.0
list.1
list.9
people.0.name
people[0].name
people[0]['name']
people[-1].city.name
people[-1]['city']['name']
people[1].tags[0]
people[1].tags[0] is defined
people[9]
people[9].name
people[0].nope
people[0].nope.deeper
people[0]['nope']['deeper']
people['name']
people.name
dict.a
dict.b + dict['a']
dict.zz
dict.zz.y
dict.keys
dict.items() | list
dict['items']
word.nope
word['nope']
word.upper()
word['upper']()
one.nope
one.real
one.imag
one.numerator
one.denominator
yes.real
half.real
half.imag
half.numerator
none.x
none.x.y
(none).x is defined
list.append
list.append(1)
list.pop()
list.clear()
list.insert(0, 1)
list.extend([1])
list.remove(1)
list.reverse()
list.sort()
list['append']
dict.pop('a')
dict.update({'z': 1})
dict.clear()
dict.setdefault('a', 1)
dict.popitem()
dict['pop']
word.__class__
word['__class__']
word.__nothing__
word | attr('__class__')
list.__len__
dict.__init__
missing.__class__
missing.__nope__
(1).__add__
namespace().__class__
'{0.__class__}'.format(1)
'{0.real}'.format(1)
range.__call__
raise_exception.__globals__
loop.index
people[0].name[0]
people[0].name[-1:]
messages[-1].tool_calls[0].function.arguments.y[0]
messages[-1]['tool_calls'][0]['function']['name']
messages[0].tool_calls
messages[0].tool_calls is defined
messages | length
messages[1:] | map(attribute='role') | list
messages[::-1] | map(attribute='role') | join(',')
messages[1:][0].role
nested[0][1]
nested[-1]
nested[-1][0]
(1, 2)[0]
[1, 2][1]
{'a': [1, 2]}.a[1]
'abc'[1]
'abc'[1:][0]
[10, 20, 30][list[1]]
dict[words[0]]
list[0, 1]
dict[0, 1]
{(0, 1): 'x'}[0, 1]
list[]
list[:]
list[1
list.
list.'a'
""")
    yield ("{{ d.items }}{{ d['items'] }}{{ d.get }}", {"d": {"size": 1}}) if False else ("{{ d.size }}{{ d['size'] }}", {"d": {"size": 1}})
    for name in ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "length", "prototype"]:
        yield (f"[{{{{ d.{name} }}}}{{{{ d['{name}'] }}}}{{{{ d.{name} is defined }}}}{{{{ '{name}' in d }}}}]", {"d": {}})
        yield (f"[{{{{ d.{name} }}}}{{{{ d['{name}'] }}}}{{{{ d.get('{name}') }}}}]", {"d": {name: "own"}})
        yield (f"[{{{{ {name} }}}}{{{{ list.{name} }}}}{{{{ word.{name} }}}}]", {})


def str_methods():
    selfs = ["word", "empty", "text", "wide", "'a,b,,c'", "'  x  '", "'aXbXc'"]
    yield from each("{{ [$1.$2()] }}", selfs + ["'ǆ ß Σας'", "'hello WORLD-foo it\\'s'", "'123'", "'½²'"], ["upper", "lower", "title", "capitalize", "swapcase", "casefold", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines"])
    yield from each("{{ [$1] | map('$2') | list }}{{ $1.$3() }}", ["''"], ["upper"], ["isupper", "islower"])
    tests = ["isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper"]
    yield from each("{{ '$1'.$2() }}", ["", "abc", "ABC", "Abc", "Abc Def", "aB1", "123", "½", "²", "٣", " ", "\\t\\n", "a b", "a_1", "1a", "_", "é中", "😀", "A1", "1A b", "Ab cD", "ǅ", "\\u200b", "\\x7f", "ª"], tests)
    yield from each("{{ $1.$2('l') }} {{ $1.$2('lo', 1) }} {{ $1.$2('l', 1, 3) }} {{ $1.$2('H', -5) }} {{ $1.$2('o', -9, -1) }} {{ $1.$2('', 2) }}", ["word", "'ollo😀olo'"], ["find", "rfind", "count", "startswith", "endswith"])
    yield from each("{{ word.$1($2) }}", ["index", "rindex"], ["'l'", "'l', 3", "'l', -2", "'l', 0, 3", "'z'", "'l', 4", "'H', 1", "1", "none", "missing", ""])
    yield from each("{{ word.$1($2) }}", ["find", "rfind", "count"], ["'l'", "'l', 3", "'l', 4", "'l', 0, 3", "'ll'", "'z'", "''", "'', 5", "'', 6", "'o', none, none", "'l', none, 3", "'l', 3, 2", "1", "none", "missing", "", "'l', 'a'", "'l', 1, 2, 3", "sub='l'"])
    yield from each("{{ word.$1($2) }}", ["startswith", "endswith"], ["'He'", "'lo'", "''", "('He', 'lo')", "('x', 'y')", "()", "'l', 2", "'l', 2, 3", "'l', -2, -1", "'o', 4", "'', 5", "'', 6", "1", "none", "['He']", "missing", "", "(1,)", "('He', 1)", "prefix='He'"])
    yield from each("{{ [text.$1($2)] }}", ["strip", "lstrip", "rstrip"], ["", "none", "' '", "' \\n'", "' w\\nt'", "''", "1", "missing", "' ', ' '", "chars=' '"])
    yield from each("{{ 'xxabxcxx'.$1($2) }}", ["strip", "lstrip", "rstrip"], ["'x'", "'xa'", "'ax'", "'c'", "'xabc'"])
    yield from each("{{ $1.$2($3) }}", ["'a,b,,c,'", "' a  b c '"], ["split", "rsplit"], ["", "','", "',', 1", "',', 2", "',', 0", "',', -1", "none, 1", "none, 0", "none, 2", "' '", "' ', 1", "sep=','", "maxsplit=1", "',', maxsplit=1", "sep=none, maxsplit=1", "''", "1", "missing", "',', 1, 1", "',', 'a'", "',,'", "',', true"])
    yield from each("{{ $1.splitlines($2) }}", ["'a\\nb\\r\\nc\\rd'", "'a\\n'", "'\\n\\na'", "''", "'a\\x0bb\\x0cc\\x1cd\\x85e\\u2028f'"], ["", "true", "keepends=true", "false", "1"])
    yield from each("{{ 'banana'.replace($1) }}", ["'a', 'o'", "'a', 'o', 1", "'a', 'o', 2", "'a', 'o', 0", "'a', 'o', -1", "'an', ''", "'', '-'", "'', '-', 2", "'z', 'y'", "'ana', '*'", "'a'", "", "'a', 1", "1, 'a'", "'a', none", "'a', 'o', 'x'", "'a', missing", "'banana', ''", "'a', 'o', 1, 2", "'', '-', 0", "'', '-', 7", "'', '-', 9"])
    yield from each("{{ $1.join($2) }}", ["'-'", "''", "', '"], ["words", "'abc'", "[]", "['a']", "dict", "dict.keys()", "list", "words | map('upper')", "(1,)", "1", "none", "missing", "", "words, words", "['a', none]", "[missing]", "[html | safe]"])
    yield from each("{{ 'a-b-c'.$1($2) }}", ["partition", "rpartition"], ["'-'", "'b'", "'x'", "''", "1", "", "'a'", "'c'", "missing", "'-b-'", "'-', 1"])
    yield from each("[{{ 'ab'.$1($2) }}]", ["center", "ljust", "rjust"], ["5", "6", "2", "0", "-1", "5, '*'", "6, '*'", "3, '中'", "5, '**'", "5, ''", "5, 1", "'5'", "none", "", "5.0", "true", "missing", "width=5"])
    yield from each("[{{ $1.center($2) }}]", ["'a'", "'abc'", "''", "wide"], ["4", "5", "6", "7", "8"])
    yield from each("{{ $1.zfill($2) }}", ["'42'", "'-42'", "'+42'", "''", "'abc'", "'--1'"], ["5", "2", "3", "0", "-1", "4", "'5'", ""])
    yield from each("[{{ $1.expandtabs($2) }}]", ["'a\\tb'", "'\\t'", "'abcdefgh\\ti'", "'ab\\n\\tc\\td'", "'a\\r\\tb'"], ["", "4", "1", "0", "-1", "tabsize=2", "'a'", "3"])
    yield from each("{{ word.$1($2) }}", ["removeprefix", "removesuffix"], ["'He'", "'lo'", "''", "'Hello'", "'x'", "1", "", "missing", "'He', 1"])
    yield from each("{{ word.$1(1) }}", ["upper", "lower", "title", "capitalize", "swapcase", "casefold", "isalpha", "isspace", "isupper", "istitle"])
    yield from each("{{ word.$1(a=1) }}", ["upper", "strip", "split", "replace", "join", "find", "splitlines", "expandtabs", "center", "zfill", "isalpha"])
    yield from shown("""
word.upper().lower().title()
word.encode()
word.maketrans('a', 'b')
word.translate({})
word.nothing()
word.upper
'a'.join
'\\u00df'.upper()
'\\u0130'.lower()
'ΑΣ'.lower()
'ΑΣ ΑΣΑ'.swapcase()
'ﬁ'.upper()
'ﬁ'.capitalize()
'ŉ'.title()
"they're bill's".title()
'a1b2c'.title()
'ß'.casefold()
'ς'.casefold()
'x'.isidentifier() and not '1'.isidentifier()
'a b c'.split()[1]
'a b c'.split() | length
'key: value: more'.split(': ', 1)[1]
' x '.strip().center(5, '.')
'ab' 'cd'
'a' + 'b'.upper()
('a' + 'b').upper()
-'a'
'abc'.count('')
''.count('')
'aaaa'.count('aa')
'aaaa'.replace('aa', 'b')
'<think>x</think>y'.split('</think>')[-1].lstrip('\\n')
'😀a😀'.find('a')
'😀a😀'.rfind('😀')
'😀a😀'.index('😀', 1)
'😀a😀'.count('😀', 1)
'😀a😀'.startswith('a', 1)
'😀'.center(4, '-')
'😀'.zfill(3)
'😀' * 2
'😀' | length
'😀é'[::-1]
'%s' % word.upper()
""")


def str_format():
    values = ["42", "-42", "0", "3.14159", "-2.5", "1e20", "1234567.891", "0.00001", "true", "big"]
    specs = ["", "d", "5", "<8", ">8", "^8", "=8", "08", "+", " ", "-", "+d", ",", "_", ",.2f", ".2f", ".0f", "f", "e", "E", ".3e", "g", "G", ".3g", "%", ".1%", "x", "#x", "X", "o", "#o", "b", "#b", "c", "n", "*^10", "*<+10", "0>8", "+08.2f", "10.3f", "s", "z", ".2", "#.3g", "010,", "q"]
    yield from each("[{{ '{:$2}'.format($1) }}]", ["42", "-42", "3.14159", "1234567.891"], specs)
    yield from each("[{{ '{:$2}'.format($1) }}]", values, [",", ".2f", "e", "g", "+", "08", "x", ".0f", ".3g", "%"])
    yield from each("[{{ '{:$1}'.format(word) }}]", ["", "s", "10", "<10", ">10", "^10", "*^10", "=10", ".2", ".0", "10.3", "010", "+", ",", "#", "d", "中^9", ".9", " ", "_", "f"])
    yield from each("[{{ '{:$1}'.format($2) }}]", ["", "5", "s", "d", ".2f", "<9"], ["none", "list", "dict", "missing", "(1,)", "true", "false"])
    yield from shown("""
'{}'.format(1)
'{} {}'.format(1, 2)
'{1} {0}'.format(1, 2)
'{0} {0}'.format(1)
'{a} {b}'.format(a=1, b=2)
'{} {a}'.format(1, a=2)
'{0} {a}'.format(1, a=2)
'{} {}'.format(1)
'{2}'.format(1)
'{a}'.format(1)
'{a}'.format()
'{} {0}'.format(1, 2)
'{0} {}'.format(1, 2)
'{{}}'.format(1)
'{{{}}}'.format(1)
'{{{{'.format()
'{'.format(1)
'}'.format(1)
'{0'.format(1)
'{0!r}'.format('a')
'{!r}'.format('a')
'{!s}'.format('a')
'{!a}'.format('é')
'{!r:>6}'.format('a')
'{!x}'.format('a')
'{!}'.format('a')
'{0.real}'.format(5)
'{0[1]}'.format(list)
'{0[b]}'.format(dict)
'{0[b]}{0[a]}'.format(dict)
'{a[b]}'.format(a=dict)
'{a.b}'.format(a=dict)
'{0[name]} is {0[age]}'.format(people[0])
'{0[city][name]}'.format(people[0])
'{[0]}'.format(list)
'{.real}'.format(5)
'{[0]}{[1]}'.format(list, list)
'{:{}}|'.format('a', 5)
'{:{}}|'.format(1, 5)
'{:{w}}|'.format(1, w=5)
'{:{w}.{p}f}|'.format(1.23456, w=8, p=2)
'{:>{w}}|'.format('x', w=3)
'{0:{1}}|'.format('x', 4)
'{:{:{}}}'.format(1, 2, 3)
'{0[9]}'.format(list)
'{0[zz]}'.format(dict)
'{0.zz}'.format(1)
'{0.zz.y}'.format(1)
'{}'.format(none)
'{}'.format(missing)
'{}'.format(1.0)
'{}'.format(list)
'{a}'.format(**dict)
'{} {} {}'.format(*list)
'a{}b{}c'.format('-', '+')
''.format(1)
'x'.format()
'{:s}'.format('a')
'{:s}'.format(1)
'{:d}'.format('a')
'{:d}'.format(1.0)
'{:.2}'.format(1)
'{:c}'.format(65)
'{:c}'.format(128512)
'{:5c}|'.format(65)
'{:,}'.format(1234567)
'{:,}'.format(-1234567)
'{:,}'.format(123)
'{:,}'.format(1000)
'{:_}'.format(1234567)
'{:,}'.format(1234567.5)
'{:,.1f}'.format(1234.56)
'{:012,}'.format(1234567)
'{:011,}'.format(1234567)
'{:010_}'.format(-1234)
'{:010,.2f}'.format(1234.5)
'{:<010,}|'.format(42)
'{:#x}'.format(-255)
'{:#010x}'.format(255)
'{:08b}'.format(5)
'{:.1f}'.format(0.25)
'{:.1f}'.format(0.35)
'{:.0f}'.format(0.5)
'{:.0f}'.format(1.5)
'{:.0f}'.format(2.5)
'{:.2f}'.format(1.005)
'{:.2f}'.format(2.675)
'{:.3f}'.format(2.0005)
'{:.2f}'.format(1e21)
'{:.20f}'.format(0.1)
'{:g}'.format(100000)
'{:g}'.format(1000000)
'{:g}'.format(0.0001)
'{:g}'.format(0.00001)
'{:g}'.format(1.0)
'{:#g}'.format(1.0)
'{:g}'.format(1e100)
'{:.10g}'.format(1.5)
'{:.0g}'.format(15)
'{:e}'.format(0)
'{:e}'.format(12345.678)
'{:.0e}'.format(12345)
'{:E}'.format(0.00012)
'{:%}'.format(0.5)
'{:.0%}'.format(0.125)
'{:+.1f}'.format(-0.0)
'{}'.format(-0.0)
'{:f}'.format(infinity | float)
'{:F}'.format(-(infinity | float))
'{:5.1f}|'.format(nan | float)
'{:%}'.format(infinity | float)
'{:08}'.format(infinity | float)
'{:,}'.format(infinity | float)
'{:+}'.format(0)
'{: }'.format(5)
'{:<5}|'.format(true)
'{:5d}|'.format(true)
'{:>5}|'.format('a')
'{:^5}|'.format('ab')
'{:^4}|'.format('a')
'{:=+6}|'.format(5)
'{:x<4}|'.format('a')
'{:}<4}|'.format('a')
'{0}{1}'.format('é', '😀')
'{:😀^5}'.format('x')
'{a}'.format_map(dict)
'{zz}'.format_map(dict)
'{a}'.format_map(1)
'{a}'.format_map()
(html | safe).format()
('<{}>' | safe).format('<b>')
('<{}>' | safe).format('<b>' | safe)
('<{!r}>' | safe).format('<b>')
('<{:>4}>' | safe).format('<')
""")


def percent_format():
    flags = ["", "-", "0", "+", " ", "#", "5", "-5", "05", "+5", ".2", "5.1", "-8.3", "+.0", "#5", "010.3", "+05"]
    yield from each("[{{ '%$1$2' % $3 }}]", flags, ["d", "f", "x", "s"], ["42", "-42"])
    yield from each("[{{ '%$1$2' % $3 }}]", ["", "+", "8", ".2", "-9.1", "#"], ["e", "E", "g", "G", "F", "o", "X", "i", "u", "r", "a", "c"], ["65", "-3", "2.5"])
    yield from each("[{{ '%$1' % $2 }}]", ["s", "d", "f", "x", "c", "r", "a", "5s", ".2s", "-5s", "05s", "i"], ["'é'", "word", "none", "list", "dict", "missing", "true", "big", "(1,)", "()", "(1, 2)", "1.9", "-1.9"])
    yield from shown("""
'%s' % 'a'
'%s %s' % ('a', 1)
'%s' % ('a',)
'%s' % ()
'%s %s' % 'a'
'%s' % ('a', 'b')
'a' % 1
'a' % ()
'a' % []
'a' % [1]
'a' % {}
'a' % {'b': 1}
'a' % 'b'
'a' % none
'%%' % ()
'%d%%' % 50
'%5%|' % ()
'%' % ()
'a%' % 1
'%q' % 1
'%y' % 1
'%(a)s' % {'a': 1}
'%(a)s %(b)05d' % {'a': 'x', 'b': 42}
'%(a)s' % {'b': 1}
'%(a)s' % 1
'%(a)s' % (1,)
'%(a)s' % [1]
'%(a)s %s' % {'a': 1}
'%()s' % {'': 1}
'%(b)d' % dict
'%*d|' % (5, 42)
'%-*d|' % (5, 42)
'%.*f|' % (2, 1.5)
'%*.*f|' % (8, 3, 1.5)
'%*d' % ('a', 1)
'%*d' % 5
'%.f' % 2.5
'%.f' % 3.5
'%.0f' % 0.5
'%.1f' % 0.25
'%.2f' % 1.005
'%.3s|' % 'abcdef'
'%.s|' % 'abc'
'%8.3s|' % 'abcdef'
'%+d' % 0
'%+d' % true
'% d' % 5
'%x' % 255
'%#x' % 255
'%#X' % 255
'%#o' % 8
'%08x' % 255
'%#08x' % 255
'%x' % -255
'%x' % 1.5
'%d' % 1.9
'%d' % 'a'
'%d' % none
'%d' % '1'
'%i' % 7
'%u' % 7
'%e' % 0
'%e' % 12345.678
'%g' % 0.0001
'%g' % 0.00001
'%g' % 1e15
'%g' % 1e16
'%G' % 1e-10
'%.3g' % 1234
'%.1e' % 1.25
'%.1e' % 1.35
'%.0e' % 2.5
'%.0e' % 3.5
'%.0e' % 25
'%.2g' % 0.125
'%.2g' % 1.25
'%.3e' % 0.0009765625
'%#g' % 1
'%f' % 1
'%f' % 'a'
'%f' % none
'%F' % 1e400
'%f' % -1e400
'%c' % 65
'%c' % 'a'
'%c' % 'ab'
'%c' % 1.5
'%c' % 128512
'%r' % 'a'
'%r' % ('a',)
'%a' % 'é中😀'
'%5r|' % 'a'
'%ld' % 5
'%hd' % 5
'%s' % list
'%s' % [1]
'%s %s' % [1, 2]
'%s' % dict
'%s' % ((1, 2),)
'%05.1f' % 3.14159
'%-8s|%8s|' % ('ab', 'cd')
'%5s' % '😀'
'%s' % 1.0
'%s' % true
'%s' % none
'%d' % big
'%x' % big
'%d' % 1e20
'%.2d' % 5
'%.0d' % 0
'é%s😀' % 'x'
('<%s>' | safe) % '<b>'
('<%s>' | safe) % ('<b>' | safe)
('<%r>' | safe) % '<b>'
('<%(a)s>' | safe) % {'a': '<'}
('<%d>' | safe) % 5
'%s %s' | format('a', 1)
'%s' | format('a', 'b')
'%(a)s' | format(a=1)
'%s' | format()
'%(a)s %s' | format(1, a=1)
'%d items' | format(5)
'%s' | format(missing)
5 | format(1)
missing | format(1)
""")


def containers():
    yield from shown("""
list.count(1)
list.count(9)
[1, 1.0, true, '1'].count(1)
list.index(1)
list.index(9)
list.index(2, 1)
list.index(3, 1)
list.index(2, -1)
list.index(1, 0, 1)
list.index(1, 0, 2)
list.index(1, -2, -1)
list.index(3, -9)
list.index(3, 0, 99)
list.index()
list.index(1, 2, 3, 4)
list.count()
list.count(1, 2)
list.copy()
list.copy(1)
list.copy() == list
[[1], [2]].index([2])
['a', 'b'].index('b')
['a'].index('z')
[1].index(none)
(1, 2, 2).count(2)
(1, 2).index(2)
(1, 2).index(9)
(1, 2, 1).index(1, 1)
(1, 2).copy()
range(5).count(2)
range(5).index(3)
range(5).index(9)
range(0, 10, 2).index(4)
range(5).start
range(1, 5, 2).step
range(5).stop
dict.get('a')
dict.get('zz')
dict.get('zz', 1)
dict.get('a', 1)
dict.get('zz', none)
dict.get('zz', '') == ''
dict.get(1)
dict.get(none)
dict.get([1])
dict.get()
dict.get('a', 1, 2)
dict.get(key='a')
dict.get(missing)
{'a': none}.get('a', 1)
{1: 'x'}.get(1.0)
{1: 'x'}.get(true)
{1: 'x'}.get('1')
dict.keys() | list
dict.values() | list
dict.items() | list
dict.keys() | length
dict.items() | first
dict.keys() | sort
dict.keys(1)
dict.items(1)
dict.copy()
dict.copy() == dict
dict.fromkeys(['x', 'y'])
dict.fromkeys('ab', 0)
dict.fromkeys(1)
dict.fromkeys()
dict.nothing()
hollow.items() | list
{'keys': 1}.keys
{'keys': 1}['keys']
{'items': 1}['items']
{'items': 1}.items() | list
{'get': 1}.get('get')
(5).bit_length()
(0).bit_length()
(-5).bit_length()
(255).bit_count()
(-7).bit_count()
big.bit_length()
true.bit_length()
(5).conjugate()
true.conjugate()
(5).as_integer_ratio()
(1.5).is_integer()
(2.0).is_integer()
(1.5).conjugate()
(1.5).hex()
(5).is_integer()
(5).bit_length(1)
(5).to_bytes(1, 'big')
(5).nothing()
none.nothing()
true.nothing()
one()
word()
none()
missing()
list()
dict()
'a'()
people[0].name()
people[0].nope()
people[0]['nope']()
range(5) | list
range(2, 5) | list
range(5, 2) | list
range(5, 2, -1) | list
range(0, 10, 3) | list
range(0, -5, -2) | list
range(-2) | list
range(true) | list
range(2.0) | list
range('a')
range(none)
range()
range(1, 2, 3, 4)
range(1, 2, 0)
range(stop=3)
range(100000) | length
range(100001)
range(0, 200000, 2) | length
range(0, 200002, 2) | length
range(3) | length
range(5, 0, -2) | length
range(3)[1]
range(missing)
dict(a=1)
""")
    yield from whole("""
        {{ namespace(a=1).a }}{{ namespace({'b': 2}).b }}{{ namespace({'b': 2}, b=3).b }}{{ namespace().zz }}
        {{ namespace([('a', 1)]).a }}
        {{ namespace(1) }}
        {{ namespace({}, {}) }}
        {% set d = 1 %}{{ d }}
        {% set n = namespace(x=1) %}{{ n.x }}{{ n['x'] }}{{ n.y is defined }}{{ n.items }}
        {% set n = namespace(_x=1) %}{{ n._x }}
        {% set j = joiner() %}{{ j() }}a{{ j() }}b{{ j() }}
        {% set j = joiner('|') %}{{ j() }}a{{ j() }}b{{ j() }}
        {% set j = joiner(sep='-') %}{{ j() }}{{ j() }}
        {{ joiner(1, 2) }}
        {% set c = cycler('a', 'b', 'c') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.next() }}{{ c.pos }}{% set _ = c.reset() %}{{ c.current }}{{ c.pos }}{{ c.items }}
        {{ cycler() }}
        {{ cycler(a=1) }}
        {{ cycler('a').nope is defined }}
        {{ lipsum(n=0) }}
        {{ lipsum is callable }}{{ range is callable }}{{ dict2 is callable }}
        {{ cycler(1, 2, 3).items | length }}
        {{ raise_exception('stop') }}
        {{ raise_exception(1) }}
        {{ raise_exception() }}
        {{ raise_exception('a', 'b') }}
        {{ raise_exception(message='m') }}
        {% if messages[0].role == 'system' %}{{ raise_exception('no system: ' ~ messages[0].role) }}{% endif %}
        {{ raise_exception }}x
    """.replace("        {{ raise_exception }}x\n", ""))
    for code in "aAwdbBmyYHIpMSfjUWcxX%":
        yield (f"{{{{ strftime_now('[%{code}]') }}}}", {})
    yield from shown("""
strftime_now('%Y-%m-%d')
strftime_now('%d %b %Y')
strftime_now('%-d/%-m')
strftime_now('%H:%M:%S')
strftime_now('%e|%k|%l')
strftime_now('%F %T %R %D')
strftime_now('%G-%V-%u %g')
strftime_now('%C')
strftime_now('%h')
strftime_now('%r')
strftime_now('%P')
strftime_now('%n%t|')
strftime_now('%z%Z|')
strftime_now('%_d|%_m')
strftime_now('%^a %^B')
strftime_now('%-H:%-M:%-S')
strftime_now('%-I %-j %-y')
strftime_now('100%%')
strftime_now('')
strftime_now('no directive')
strftime_now('中%Y年')
strftime_now()
strftime_now(1)
strftime_now(format='%Y')
strftime_now('%A, %B %d, %Y')
""")


def text_filters():
    inputs = ["word", "text", "wide", "empty", "line", "html", "one", "half", "none", "true", "list", "dict", "missing"]
    yield from each("[{{ $1 | $2 }}]", inputs, ["upper", "lower", "capitalize", "title", "trim", "string", "safe", "escape", "e", "forceescape", "striptags", "wordcount", "urlencode", "pprint", "length", "count", "reverse | join", "list", "first", "last", "indent", "center(8)", "replace('l', 'L')", "truncate(5, true)", "wordwrap(5)", "xmlattr", "tojson", "join('-')", "int", "float", "abs", "round", "default('D')", "default('D', true)", "filesizeformat", "sort | join", "unique | join", "sum", "min", "max", "batch(2) | list", "slice(2) | list", "items | list", "dictsort", "urlize"])
    yield from each("[{{ $1 | trim($2) }}]", ["'  x  '", "'xxaxx'", "'\\n a \\t'", "'\\xa0a\\u3000'"], ["", "none", "'x'", "' '", "'xa'", "chars='x'", "''", "1"])
    yield from each("[{{ 'ab' | center($1) }}]", ["4", "5", "2", "0", "width=7", "-3", "'a'", "none", ""])
    yield from each("{{ 'banana' | replace($1) }}", ["'a', 'o'", "'a', 'o', 1", "'a', 'o', count=2", "old='a', new='o'", "'a', ''", "'', '-'", "'a'", "", "'a', 1", "1, 2", "'a', none", "'a', 'o', none", "'a', 'o', 0", "'a', 'o', -1", "missing, 'x'"])
    yield from each("{{ $1 | join($2) }}", ["list", "words", "'abc'", "blank", "people", "dict", "(1, none, missing)", "mixed[:3]"], ["", "'-'", "', '", "d='|'", "'-', attribute='name'", "'-', 'name'", "attribute='name'", "1", "none", "attribute=0", "missing"])
    text = "'a\\nb\\n\\nc'"
    yield from each("[{{ " + text + " | indent($1) }}]", ["", "2", "2, true", "2, false, true", "2, true, true", "width=1", "first=true", "blank=true", "'> '", "'> ', true", "0", "-1", "none", "2.0", "width='\\t', blank=true"])
    yield from each("[{{ $1 | indent(2) }}]", ["'a\\n'", "''", "'\\n'", "'a\\r\\nb'", "'a\\n\\n\\nb'", "('a\\nb' | safe)"])
    yield from each("[{{ 'one two three four' | truncate($1) }}]", ["9", "10", "11", "12", "13", "14", "18", "9, true", "10, true", "7, false, '!'", "7, true, '!'", "7, true, ''", "9, leeway=0", "13, leeway=4", "13, leeway=5", "12, leeway=5", "13, true, '...', 0", "3", "2", "0", "length=8", "killwords=true, length=8", "end='…', length=8", "9, end='---', killwords=true", "5, true, '......'", "9, leeway=-1", "'a'", "", "3, true", "4, true"])
    yield from each("[{{ $1 | truncate(5, $2, '', 0) }}]", ["'abcde'", "'abcdef'", "'ab cdef'", "wide ~ wide", "'a b c d e'"], ["true", "false"])
    yield from each("{{ 'The quick-brown fox, verylongword jumps' | wordwrap($1) }}", ["10", "5", "20", "10, false", "5, false", "10, true, '|'", "10, wrapstring='|'", "10, break_on_hyphens=false", "5, break_long_words=false", "width=15", "80", "1", "6, true, none, false", "9", "8", "0"])
    yield from each("{{ $1 | wordwrap(5) }}", ["'a b c d e f'", "'  lead'", "'trail   '", "'a\\nb c d e f'", "'a\\n\\nb'", "''", "'abcdefghijkl'", "'ab-cd-ef-gh'", "'a--b--c--d'", "'a - b - c'", "'中文中文中文'", "'x\\ty\\tz w'", "'-----------'", "'abc-def ghi'", "'a\\r\\nb'"])
    yield from each("{{ $1 | wordcount }}", ["'a b c'", "''", "'a-b'", "'a_b'", "\"it's\"", "'中文 x'", "'1 2.5'", "'!!'", "'é'"])
    yield from each("{{ $1 | striptags }}", ["'<b>x</b>'", "'a <!-- c <b> --> d'", "'<p>a</p>\\n  <p>b</p>'", "'a < b > c'", "'a < b'", "'&amp;&lt;&gt;&quot;&#39;&#65;&#x41;'", "'<<b>>'", "'<a'", "'<!-- x'", "'x>y'", "''", "'&nbsp;a'", "'<br/>a<br>b'"])
    yield from each("{{ $1 | urlencode }}", ["'a b/c?d=e&f'", "'é中😀'", "'~-_.!*()'", "{'a': 1, 'b c': 'd/e'}", "[('a', 1), ('b', 2)]", "[['a', 'b c']]", "[('a', 1, 2)]", "[1]", "''", "none", "missing", "1.5", "\"'\"", "hollow", "[]", "(('x', 'y'),)", "true"])
    yield from each("{{ $1 | xmlattr$2 }}", ["{'a': 1, 'b': none, 'c': 'x<y'}", "{'a': missing}", "hollow", "{'a b': 1}", "{'a=': 1}", "{'a/': 1}", "{'a>': 1}", "list", "missing", "{'id': 'list-42', 'x': '\"'}"], ["", "(false)", "(autospace=true)"])
    yield from each("{{ $1 | $2 }}", ["'<b>'", "('<b>' | safe)", "'&amp;'", "1", "none", "['<']", "missing", "\"'\"", "'\"'"], ["escape", "e", "forceescape", "safe", "escape | escape", "string", "safe | escape", "safe | forceescape", "upper", "safe | upper", "safe is escaped", "escape is escaped", "escape ~ '<'", "safe ~ '<'", "escape | length"])
    yield from each("{{ $1 | title }}", ["'hello world'", "'HELLO-world (foo) [bar] {baz} <qux>'", "\"it's\"", "'a1b'", "'éa ßb'", "'a\\tb\\nc'", "'x/y'", "''"])
    yield from each("{{ $1 | capitalize }}", ["'hELLO wORLD'", "'éA'", "'ßA'", "''", "'1A'", "'ǆx'"])
    yield from each("{{ 'see http://a.bc/x?y=1 and www.d.ef (http://g.hi), mail x@y.zz. <a>' | urlize($1) }}", ["", "10", "10, true", "nofollow=true", "target='_blank'", "rel='me'", "trim_url_limit=5", "none, false, 't', 'r'"])
    yield from each("{{ $1 | urlize }}", ["'http://localhost'", "'https://x.yy/.'", "'www.a.b'", "'a.com'", "'a.org b.net'", "'mailto:a@b.cc'", "'a@b'", "'x'", "''", "'<http://a.bc>'", "'http://a.bc:80/'", "'ftp://a.bc'", "'http://a'", "'(www.a.bc)'", "'http://a.bc/?x=<>'"])
    yield from shown("""
word | upper | lower
word | upper()
word | upper(1)
word | upper(a=1)
word | lower | first | upper
word | replace('l', 'L') | replace('L', '1', 1)
word | list
word | list | length
word | string | length
one | string ~ two | string
1 | string + 'a'
(1 ~ 2) | string
[1, 2] | string
missing | string
missing | upper
missing | trim
missing | replace('a', 'b')
missing | indent
missing | truncate
missing | wordwrap
missing | title
missing | center
missing | striptags
missing | wordcount
missing | escape
missing | safe
missing | list
missing | length
missing | join
missing | first
missing | last
missing | default('x')
missing.x | default('x')
people[0].nope | default('x')
people[0].nope.deep | default('x')
none | default('x')
none | default('x', true)
'' | default('x')
'' | default('x', true)
0 | default('x', boolean=true)
false | default('x', true)
missing | default
missing | default(default_value=1)
missing | d('x')
'' | d('x', true)
missing | default('x') | upper
missing | default(missing2)
missing | default([]) | length
missing | default(none)
word | default('x', true, 1)
word | pprint
text | pprint
people | pprint
1 | pprint
word | attr('upper')
word | attr('nope')
dict | attr('a')
dict | attr('keys') is callable
dict | attr('pop')
missing | attr('x')
word | attr(1)
word | attr
html | safe
html | safe | length
html | e | safe
(html | safe) + '<'
'<' + (html | safe)
(html | safe) ~ '<'
('<' | safe) * 2
('a<' | safe)[0]
('a<' | safe)[::-1]
('a<' | safe).upper()
('a<' | safe).replace('a', '<')
('a<' | safe).join(['<', '>' | safe])
('a<,b' | safe).split(',')
('a<,b' | safe).partition(',')
('<' | safe) == '<'
('<' | safe) in '<a'
('<' | safe) | list
'<' | escape | string
['<' | safe]
['<' | safe] | join(',')
['<' | safe, '<'] | join(',')
['a', 'b'] | join('<' | safe)
'%s' | safe | format('<')
""")
    yield from whole("""
        {% filter upper %}a{{ word }}b{% endfilter %}
        {% filter upper | replace('A', 'x') %}a b a{% endfilter %}
        {% filter indent(2) %}a⏎b{% endfilter %}
        {% filter trim %}  a  {% endfilter %}|
        {% filter length %}abc{% endfilter %}
        {% filter nothing_known %}abc{% endfilter %}
        {% filter replace('a', 'b') | upper %}aaa{% endfilter %}
        {% filter upper %}{% set x = 1 %}{{ x }}{% endfilter %}{{ x }}
        {% autoescape true %}{{ html }}{{ html | safe }}{{ '<' ~ '>' }}{{ ('<' | safe) ~ '>' }}{{ '<' ~ ('>' | safe) }}{{ 1 }}{{ none }}{% endautoescape %}{{ html }}
        {% autoescape false %}{{ html }}{{ html | e }}{% endautoescape %}
        {% autoescape true %}{% set x %}<b>{{ '<' }}{% endset %}{{ x }}{% endautoescape %}
        {% autoescape true %}{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m('<') }}{% endautoescape %}
        {% autoescape true %}{% filter upper %}<{{ '<' }}{% endfilter %}{% endautoescape %}
        {% autoescape true %}{{ ['<'] }}{{ ['<'] | join }}{{ html | replace('b', '<') }}{% endautoescape %}
        {% autoescape true %}{% for x in ['<', '>'] %}{{ x }}{% endfor %}{% endautoescape %}
        {% autoescape true %}{{ {'a': '<'} | tojson }}{{ html | upper }}{{ html | length }}{% endautoescape %}
    """)


def sequence_filters():
    inputs = ["list", "words", "blank", "'cab'", "(2, 1)", "range(3)", "dict", "dict.items()", "list | map('string')", "nested"]
    yield from each("{{ $1 | $2 }}", inputs, ["first", "last", "length", "list", "reverse | list", "sort", "min", "max", "unique | list", "join(',')", "batch(2) | list", "slice(2) | list", "sort(reverse=true)", "map('string') | list", "select | list", "reject | list", "tojson", "sum", "count", "string"])
    yield from each("{{ $1 | sort($2) }}", ["words", "['b', 'a', 'B', 'A']", "[3, 1.5, true, 2]", "['é', 'e', 'f', '😀', '\\ue000']"], ["", "true", "reverse=true", "case_sensitive=true", "false, true", "true, true", "reverse=true, case_sensitive=true"])
    yield from each("{{ people | sort($1) | map(attribute='name') | join(',') }}", ["attribute='name'", "attribute='age'", "attribute='age,name'", "attribute='name,age'", "attribute='city.name'", "true, attribute='age'", "attribute='name', case_sensitive=true", "attribute='city.name', case_sensitive=true, reverse=true", "false, false, 'age'", "attribute='nope'", "attribute='tags'"])
    yield from each("{{ $1 | sort(attribute=$2) }}", ["[[2, 'b'], [1, 'c'], [1, 'a']]", "[(2, 'b'), (1, 'C'), (1, 'a')]"], ["0", "1", "'0'", "'0,1'", "'1,0'"])
    yield from each("{{ $1 | sort }}", ["[1, 'a']", "['a', 1]", "[none]", "[none, none]", "[1, none]", "[[2], [1, 5], [1]]", "[[1, 'a'], [1, none]]", "1", "none", "missing", "[missing]", "[true, false, 0.5]", "'héllo'", "[{}, {}]", "[{'a': 1}]"])
    yield from each("{{ $1 | dictsort($2) }}", ["dict", "{'b': 1, 'A': 3, 'a': 2}", "{2: 'x', 1: 'Y', 3: 'z'}"], ["", "true", "case_sensitive=true", "by='value'", "by='key'", "false, 'value'", "false, 'value', true", "reverse=true", "by='nope'", "by=1"])
    yield from each("{{ $1 | dictsort }}", ["hollow", "list", "missing", "none", "{'a': 1, 1: 2}", "people[0]"])
    yield from each("{{ $1 | unique($2) | list }}", ["['a', 'A', 'b', 'a']", "[1, 1.0, true, '1', 2]", "'aAbB'", "[[1], [1]]", "[(1,), (1,), (1.0,), (2,)]", "[none, none, missing]"], ["", "true", "case_sensitive=true", "false"])
    yield from each("{{ people | unique($1) | map(attribute='name') | join(',') }}", ["attribute='name'", "attribute='age'", "attribute='city.name'", "true, 'city.name'", "case_sensitive=true, attribute='city.name'"])
    yield from each("{{ $1 | $2$3 }}", ["list", "words", "['b', 'B', 'a', 'A']", "[1, 1.0, true]", "[2.5, 2]"], ["min", "max"], ["", "(true)", "(case_sensitive=true)"])
    yield from each("{{ (people | $1($2)).name }}", ["min", "max"], ["attribute='age'", "attribute='name'", "true, 'name'", "attribute='city.name'"])
    yield from each("[{{ $1 | $2 }}]", ["blank", "''", "missing", "[1, 'a']", "[none, 1]", "1", "none", "[missing, 1]", "dict", "[[1], [0, 5]]"], ["min", "max", "first", "last", "sum", "length"])
    yield from each("{{ $1 | sum($2) }}", ["list", "[1, 2.5]", "blank", "[[1], [2]]", "['a']", "people", "range(4)", "[true, true]", "[(1,), (2,)]"], ["", "start=10", "attribute='age'", "'age', 5", "start=[]", "start='a'", "start=1.5", "start=()"])
    yield from each("{{ range(7) | list | slice($1) | list }}", ["1", "2", "3", "7", "8", "3, 'x'", "3, fill_with=0", "slices=4", "0", "-1", "'a'", "", "2, none", "10, 'f'"])
    yield from each("{{ range(7) | list | batch($1) | list }}", ["1", "2", "3", "7", "8", "3, 'x'", "3, fill_with=0", "linecount=4", "0", "-1", "'a'", "", "2, none", "10, 'f'"])
    yield from each("{{ people | groupby($1) | map('first') | list }}", ["'age'", "'name'", "'city.name'", "attribute='age'", "'city.name', case_sensitive=true", "'nope'", "'extra', default='d'", "'extra', 'd', true", "'tags'"])
    yield from whole("""
        {% for age, items in people | groupby('age') %}{{ age }}:{{ items | map(attribute='name') | join('+') }};{% endfor %}
        {% for g in people | groupby('city.name') %}{{ g.grouper }}={{ g.list | length }}{{ g[0] }}{{ g | length }};{% endfor %}
        {% for g in people | groupby('city.name', case_sensitive=true) %}{{ g.grouper }}={{ g.list | length }};{% endfor %}
        {% for g, items in people | groupby('extra', default='none') %}{{ g }}={{ items | length }};{% endfor %}
        {{ people | groupby('age') | first | first }}
        {{ [] | groupby('x') }}
        {{ missing | groupby('x') }}
        {{ people | groupby }}
        {% for b in range(5) | batch(2, '-') %}{{ b | join }};{% endfor %}
        {% for c in range(5) | slice(2) %}{{ c | join }};{% endfor %}
        {% for x in list | reverse %}{{ x }}{% endfor %}
        {% for x in word | reverse %}{{ x }}{% endfor %}
        {% for k, v in dict | items %}{{ k }}{{ v }}{% endfor %}
        {% for k, v in missing | items %}{{ k }}{% else %}none{% endfor %}
        {% for k, v in list | items %}{{ k }}{% endfor %}
        {% for k, v in dict | dictsort %}{{ k }}{{ v }}{% endfor %}
        {% set m = list | map('string') %}{{ m | first }}{{ m | first }}{{ m | list }}{{ m | list }}
        {% set m = list | select('odd') %}{% for x in m %}{{ x }}{% endfor %}{% for x in m %}{{ x }}{% else %}empty{% endfor %}
    """)
    yield from each("{{ $1 | map($2) | list }}", ["words", "list"], ["'upper'", "'string'", "'replace', 'b', 'x'", "'default', 'x'", "'nothing_known'", "", "1", "'length'", "attribute='x'", "'int'", "'round', 1", "'upper', 1"])
    yield from each("{{ people | map($1) | list }}", ["attribute='name'", "attribute='city.name'", "attribute='tags.0'", "attribute='nope'", "attribute='nope', default='D'", "attribute='tags', default=none", "attribute='city.nope', default='D'", "attribute='nope.deep', default={}", "attribute='name', x=1", "'length'", "'attr', 'keys'", "attribute=0"])
    yield from each("{{ [1, 2, 3, 4, 'a', none, '', 0] | $1($2) | list }}", ["select", "reject"], ["", "'string'", "'number'", "'none'", "'in', [1, 'a']", "'sameas', none", "'equalto', 1", "'nothing_known'", "'defined'", "1", "'eq'", "'true'"])
    yield from each("{{ list | $1($2) | list }}", ["select", "reject"], ["'odd'", "'even'", "'gt', 1", "'ge', 2", "'lt', 2", "'le', 2", "'eq', 2", "'ne', 2", "'divisibleby', 3", "'>', 1", "'==', 1", "'greaterthan', 2", "'lessthan', 2", "'lower'"])
    yield from each("{{ people | $1($2) | map(attribute='name') | list }}", ["selectattr", "rejectattr"], ["'age'", "'tags'", "'age', 'eq', 30", "'age', 'gt', 25", "'name', 'in', ['Ann', 'Cid']", "'city.name', 'equalto', 'Oslo'", "'tags', 'defined'", "'nope'", "'nope', 'defined'", "", "'extra', 'none'", "'tags.0', 'defined'", "'age', 'nothing_known'", "attribute='age'", "'name', 'lower'"])
    yield from shown("""
list | map('string') | join('-')
list | map('string')  is iterable
messages | selectattr('role', 'equalto', 'user') | list | length
messages | rejectattr('role', '==', 'user') | map(attribute='content') | list
messages | selectattr('tool_calls', 'defined') | first
(messages | selectattr('tool_calls', 'defined') | first).role
missing | map('upper') | list
missing | select | list
none | map('upper') | list
1 | map('upper') | list
1 | select | list
0 | map('upper') | list
dict | map('upper') | list
word | map('upper') | list
word | select('in', 'lo') | list
[missing] | map('default', 1) | list
[[1, 2], [3]] | map('sum') | list
[[3, 1], [2]] | map('sort') | map('first') | list
[[1, 2], [3]] | map('last') | sum
[[1, 2], [3, 4]] | map(attribute=1) | list
[[1, 2], [3]] | map('join', '+') | join(' ')
list | first
list | last
list | first + 1
(list | map('string')) | last
(list | map('string') | list) | last
range(3) | last
dict | last
dict.items() | last
dict.values() | last
1 | last
none | first
1 | first
word | first
word | last
list | reverse
list | reverse | list
word | reverse
wide | reverse
(1, 2) | reverse | list
dict | reverse | list
range(3) | reverse | list
1 | reverse
none | reverse
missing | reverse | list
('ab' | safe) | reverse
list | map('string') | reverse | list
list | length
dict | length
word | length
wide | length
range(10) | length
1 | length
none | length
list | map('string') | length
true | length
dict | list
dict | items | list
hollow | items | list
1 | list
none | list
'abc' | list
wide | list
(1, 2) | list
list | list | list
blank | random
list | join | int + 1
list | sort | first
list | sort | reverse | join
[3, 1, 2] | sort(reverse=true) | first
list | min + list | max
list | sum / list | length
list | unique | sort
[1, 2, 3] | sum(start=1) | string
list | tojson
[1, 2] | batch
[1, 2] | slice
""".replace("list | map('string')  is iterable\n", "(list | map('string')) is iterable\n"))


def number_filters():
    yield from each("{{ $1 | int$2 }}", ["'42'", "'-42'", "' 42 '", "'4.9'", "'-4.9'", "'abc'", "''", "none", "4.9", "-4.9", "true", "'1e3'", "'1_000'", "'1__0'", "'_1'", "'0x1f'", "'12345678901234567890'", "(infinity | float)", "'nan'", "'inf'", "[]", "missing", "'٣'", "'+5'", "'- 5'", "1e20", "'４２'", "'4 2'"], ["", "(7)", "(default=8)"])
    yield from each("{{ $1 | int(0, $2) }}", ["'ff'", "'0xff'", "'11'", "'0b11'", "'17'", "'0o17'", "'z'", "'Z9'", "'2'", "'0XFF'", "'1_1'", "'-ff'", "'8'", "'g'", "'12'", "'0x_f'", "'1__1'"], ["16", "2", "8", "36", "10", "3"])
    yield from shown("""
'ff' | int(base=16)
'ff' | int(default=-1, base=10)
'10' | int(0, 1)
'10' | int(0, 37)
'10' | int(0, 0)
5 | int(0, 16)
'a' | int('x')
'a' | int(none)
'1' | int(1, 2, 3)
'5' | int(0, 'a')
'5' | int + 1
big | int
true | int
'7' | int * 2
""")
    yield from each("{{ $1 | float$2 }}", ["'4.5'", "'-4.5'", "' 4 '", "'.5'", "'5.'", "'1e3'", "'1E-2'", "'abc'", "''", "none", "4", "true", "'1_0.5'", "'inf'", "'-Infinity'", "'nan'", "'+.5'", "'.'", "'1e'", "[]", "missing", "big", "'0x1'", "'1__0'", "'٣.٥'"], ["", "(7)", "(default='d')"])
    yield from each("{{ $1 | abs }}", ["5", "-5", "0", "-2.5", "2.5", "-0.0", "true", "big", "-12345678901234567890", "'a'", "none", "missing", "[]"])
    yield from each("{{ $1 | round($2) }}", ["2.5", "3.5", "-2.5", "2.675", "1234.5678", "0.5", "7", "1e20", "0.1"], ["", "1", "2", "-1", "-2", "0, 'ceil'", "0, 'floor'", "1, 'ceil'", "1, 'floor'", "2, 'common'", "method='ceil'", "precision=1", "-2, 'ceil'", "-1, 'floor'", "0, 'nope'", "10", "3"])
    yield from each("{{ $1 | round($2) }}", ["15", "25", "-15", "-25", "150", "-149", "149", "151", "250", "1249", "0", "big", "-12345678901234567890"], ["-1", "-2", "-3", "0"])
    yield from each("{{ $1 | round }}", ["none", "'a'", "missing", "true", "[]", "(infinity | float)", "0.49999999999999994", "-0.4", "1.5", "4503599627370497.5"])
    yield from each("{{ $1 | round(1, 'floor') }} {{ $1 | round(1, 'ceil') }} {{ $1 | round(1) }}", ["0.25", "0.35", "-0.25", "42.55", "42", "-7.05", "0.05"])
    yield from shown("""
2.5 | round | int
42.55 | round(1)
42.55 | round(1, 'floor')
3 | round | string
5 | round('a')
5.5 | round(none)
5.5 | round(1, 2, 3)
infinity | float | round(0, 'ceil')
infinity | float | round
""")
    sizes = ["0", "1", "2", "999", "1000", "1001", "1023", "1024", "1025", "999949", "999950", "1000000", "1048575", "1048576", "1.5", "1000000000", "1e12", "1e15", "1e18", "1e21", "1e24", "1e27", "1e30", "-5", "'1000'", "1500", "0.5", "999999"]
    yield from each("{{ $1 | filesizeformat }} {{ $1 | filesizeformat(true) }} {{ $1 | filesizeformat(binary=false) }}", sizes)
    yield from each("{{ $1 | filesizeformat }}", ["'a'", "none", "missing", "true", "[]"])


def tests():
    values = ["0", "1", "-1", "2.0", "1.5", "true", "false", "none", "'a'", "'A'", "'aB'", "''", "[]", "[1]", "()", "(1,)", "{}", "dict", "missing", "range(2)", "big", "('x' | safe)", "dict.keys()", "(list | map('int'))", "range", "namespace()", "word.upper", "people[0].nope"]
    simple = ["defined", "undefined", "none", "boolean", "true", "false", "string", "integer", "float", "number", "mapping", "sequence", "iterable", "callable", "escaped", "odd", "even", "lower", "upper"]
    yield from each("{{ $1 is $2 }}{% if $1 is $2 %}Y{% endif %}{% if $1 is not $2 %}N{% endif %}", values, simple)
    numbers = ["1", "2", "2.0", "-2", "'a'"]
    for name in ["eq", "==", "equalto", "ne", "!=", "lt", "<", "lessthan", "le", "<=", "gt", ">", "greaterthan", "ge", ">="]:
        if name[0].isalpha():
            yield from each("{{ 2 is $1($2) }} {{ 2 is not $1 $2 }}", [name], ["1", "2", "2.0", "3", "'a'"])
        yield from each("{{ [1, 2, 3] | select('$1', $2) | list }}", [name], ["1", "2", "2.5"])
    yield from each("{{ $1 is divisibleby $2 }} {{ $1 is divisibleby($2) }}", ["0", "3", "7", "-6", "7.5", "big"], ["3", "2", "-2", "2.5"])
    yield from shown("""
3 is divisibleby 0
3 is divisibleby
3 is divisibleby(num=3)
'a' is divisibleby 2
none is divisibleby 2
missing is divisibleby 2
'a' is odd
none is even
missing is odd
2.5 is odd
3.0 is odd
-3 is odd
none is sameas none
true is sameas true
true is sameas 1
1 is sameas 1.0
1 is sameas true
word is sameas word
list is sameas list
list is sameas [3, 1, 2]
missing is sameas none
1 is sameas
1 is in [1]
1 is in([1, 2])
3 is in [1, 2]
'a' is in 'abc'
'a' is in dict
1 is not in [1]
1 is in 5
'upper' is filter
'nope' is filter
'odd' is test
'nope' is test
1 is filter
none is test
[1] is filter
'==' is test
word is string and one is number
word is not string
not word is string
not word is not string
1 is defined is true
1 is odd is odd
one is odd and two is even
one is odd or missing.x
one is odd if true else 2
one is odd ~ 'x'
(one is odd) ~ 'x'
one + one is even
(one + one) is even
one is eq one + one
[1, 2] is eq [1, 2]
one is eq(1) == true
people[0].name is defined
people[0].nope is defined
people[0].nope.deep is defined
missing.deep is defined
dict.a is defined and dict.zz is undefined
word is lower
word is upper
word | upper is upper
1 is lower
none is upper
loop is defined
range is defined
nothing is none
nothing is defined
missing is none
1 is nothing_known
1 is defined(2)
1 is eq
1 is eq(1, 2)
1 is eq(other=1)
1 is boolean(1)
1 is string.x
'x' is string()
word is string in [true]
1 is number == true
1 is not none
1 is not none and 2 is none
none is none is none
html | safe is escaped
html is escaped
list | length is gt 2
list | length is divisibleby 3
""")


def tojson():
    values = ["1", "1.0", "-1.5", "1e20", "1e16", "1e-7", "0.1", "big", "true", "false", "none", "''", "'a\"b\\\\c/'", "'\\n\\t\\r\\x00\\x1f\\x7f'", "'é中😀'", "'<b>&\\''", "'\\u2028'", "[]", "{}", "()", "[1, [2, {'a': []}]]", "(1, 2)", "dict", "people[0]", "messages", "mixed", "nested", "{1: 2, 1.5: 3, none: 4, true: 5, 'a': 6}", "{'a': {}}", "{'a': {'b': {'c': 1}}}", "('<' | safe)", "[-0.0, 1e400, -1e400]"]
    options = ["", "indent=2", "indent=0", "indent=4, sort_keys=true", "indent='--'", "ensure_ascii=true", "separators=(',', ':')", "sort_keys=true", "indent=1, separators=(', ', ' = ')", "ensure_ascii=true, indent=2"]
    yield from each("{{ $1 | tojson($2) }}", values, options)
    yield from shown("""
dict | tojson
dict | tojson(true)
dict | tojson(false, 2)
dict | tojson(false, none, (',', ':'))
dict | tojson(false, none, none, true)
dict | tojson(1, 2, 3, 4, 5)
dict | tojson(nope=1)
dict | tojson(indent=-1)
dict | tojson(indent=true)
dict | tojson(indent=1.5)
dict | tojson(indent='')
dict | tojson(indent=missing)
dict | tojson(separators=[',', ':'])
dict | tojson(separators=',')
dict | tojson(separators=(',',))
dict | tojson(separators=1)
dict | tojson(separators='ab')
dict | tojson(indent=2, separators=(',', ':'))
{'b': 1, 'a': 2, 'B': 3, 'é': 4, '😀': 5, '\\ue000': 6} | tojson(sort_keys=true)
{2: 1, 1: 2, 10: 3} | tojson(sort_keys=true)
{2: 1, 'a': 2} | tojson(sort_keys=true)
{1.5: 1, 1: 2} | tojson(sort_keys=true)
{(1, 2): 3} | tojson
missing | tojson
[missing] | tojson
range(3) | tojson
dict.items() | tojson
dict.keys() | tojson
(list | map('string')) | tojson
range | tojson
namespace() | tojson
word.upper | tojson
[none, true, 1.0] | tojson
'a' | tojson ~ 'b'
dict | tojson | length
dict | tojson | safe
{'a': 1.0, 'b': 100000000000000000000.0, 'c': 1e22} | tojson
{'nested': [{'x': []}, {}]} | tojson(indent=2)
[[], {}, [[]]] | tojson(indent=2)
[1, 2] | tojson(indent=2)
'a' | tojson(indent=2)
'\\ud83d' | tojson
'\\ud83d' | tojson(ensure_ascii=true)
'é😀' | tojson(ensure_ascii=true)
{'é': 'ü'} | tojson(ensure_ascii=true)
'\\x08\\x0c' | tojson
""".replace("'\\ud83d' | tojson\n", ""))


def loops():
    yield from whole("""
        {% for x in list %}{{ x }}{% endfor %}
        {% for x in blank %}{{ x }}{% else %}none{% endfor %}
        {% for x in list %}{{ x }}{% else %}none{% endfor %}
        {% for x in missing %}{{ x }}{% else %}none{% endfor %}
        {% for x in none %}{{ x }}{% endfor %}
        {% for x in 5 %}{{ x }}{% endfor %}
        {% for x in true %}{{ x }}{% endfor %}
        {% for x in word %}{{ x }}-{% endfor %}
        {% for x in wide %}{{ x }}-{% endfor %}
        {% for x in dict %}{{ x }}{% endfor %}
        {% for k, v in dict.items() %}{{ k }}={{ v }};{% endfor %}
        {% for k, v in dict.items() %}{{ loop.index }}{{ k }}={{ v }};{% endfor %}
        {% for item in dict.items() %}{{ item }}{{ item[0] }}{% endfor %}
        {% for k in dict.keys() %}{{ k }}{% endfor %}
        {% for v in dict.values() %}{{ v }}{% endfor %}
        {% for x in range(3) %}{{ x }}{% endfor %}
        {% for x in (1, 2) %}{{ x }}{% endfor %}
        {% for x in 1, 2 %}{{ x }}{% endfor %}
        {% for x in [1, 2] + [3] %}{{ x }}{% endfor %}
        {% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}{{ b }};{% endfor %}
        {% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}
        {% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}
        {% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}
        {% for a, b in [(1,)] %}{{ a }}{% endfor %}
        {% for a, b in [1] %}{{ a }}{% endfor %}
        {% for a, in [(1,)] %}{{ a }}{% endfor %}
        {% for a, b in [none] %}{{ a }}{% endfor %}
        {% for a, b in list | map('string') %}{{ a }}{% endfor %}
        {% for k, v in people[0] %}{{ k }}{% endfor %}
        {% for x in list %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }};{% endfor %}
        {% for x in list %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }};{% endfor %}
        {% for x in list %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }};{% endfor %}
        {% for x in [none, none] %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }};{% endfor %}
        {% for x in list %}{{ loop.cycle('a', 'b') }}{% endfor %}
        {% for x in list %}{{ loop.cycle() }}{% endfor %}
        {% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }};{% endfor %}
        {% for x in [1, 1, 2] %}{% if loop.changed(x, 1) %}{{ x }}{% endif %}{% endfor %}
        {% for x in [1, 2] %}{{ loop.changed() }}{% endfor %}
        {% for x in list %}{{ loop.nope }}{{ loop.nope is defined }}{% endfor %}
        {% for x in list %}{{ loop['index'] }}{{ loop['first'] }}{% endfor %}
        {% for x in list %}{{ loop }}{% endfor %}
        {% for x in list %}{% if loop.first %}[{% endif %}{{ x }}{% if not loop.last %}, {% else %}]{% endif %}{% endfor %}
        {% for x in list if x > 1 %}{{ x }}{% endfor %}
        {% for x in list if x > 1 %}{{ loop.index }}/{{ loop.length }}:{{ x }}{{ loop.last }};{% endfor %}
        {% for x in list if x > 9 %}{{ x }}{% else %}none{% endfor %}
        {% for x in list if x > 1 %}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.nextitem }};{% endfor %}
        {% for x in list if loop.first %}{{ x }}{% endfor %}
        {% for k, v in dict.items() if v > 1 %}{{ k }}{% endfor %}
        {% for x in list | map('string') %}{{ loop.length }}{{ x }}{{ loop.last }};{% endfor %}
        {% for x in list | map('string') %}{{ x }}{{ loop.nextitem }};{% endfor %}
        {% for x in list | map('string') %}{{ loop.revindex }}{{ loop.nextitem }};{% endfor %}
        {% for x in list | map('string') %}{{ loop.last }}{{ loop.length }}{{ x }};{% endfor %}
        {% for x in list | select('odd') %}{{ loop.index }}{{ x }}{% endfor %}
        {% for x in people | map(attribute='name') %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}
        {% for x in [1, 2] %}{% for y in [3, 4] %}{{ loop.index }}{{ x }}{{ y }};{% endfor %}{{ loop.index }}|{% endfor %}
        {% for x in [1, 2] %}{% set outer = loop %}{% for y in 'ab' %}{{ outer.index }}{{ loop.index }};{% endfor %}{% endfor %}
        {% for x in nested %}{% for y in x %}{{ y }}{% else %}-{% endfor %};{% endfor %}
        {% for x in range(6) %}{% if x == 3 %}{% break %}{% endif %}{{ x }}{% endfor %}
        {% for x in range(6) %}{% if x % 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}
        {% for x in range(6) %}{% if x == 1 %}{% continue %}{% elif x == 4 %}{% break %}{% endif %}{{ x }}{% endfor %}
        {% for x in range(3) %}{% break %}{% else %}else{% endfor %}
        {% for x in range(3) %}{% continue %}{% else %}else{% endfor %}
        {% for x in range(3) %}{% if x == 2 %}{% break %}{% endif %}{% else %}else{% endfor %}
        {% for x in range(2) %}{% for y in range(3) %}{% if y == 1 %}{% break %}{% endif %}{{ x }}{{ y }};{% endfor %}{% endfor %}
        {% for x in range(4) %}{{ loop.index }}{% if loop.index == 2 %}{% break %}{% endif %}{% endfor %}
        {% for k, v in dict.items() %}{% if k == 'a' %}{% break %}{% endif %}{{ k }}{% endfor %}
        {% for k, v in dict.items() %}{% if k == 'a' %}{% continue %}{% endif %}{{ k }}{% else %}else{% endfor %}
        {% for k, v in hollow.items() %}{{ k }}{% else %}else{% endfor %}
        {% for x in list | map('string') %}{% if x == '1' %}{% break %}{% endif %}{{ x }}{% else %}else{% endfor %}
        {% for x in list | map('string') %}{% continue %}{% else %}else{% endfor %}
        {% for x in blank | map('string') %}{{ x }}{% else %}else{% endfor %}
        {% for x in list if x > 1 %}{% break %}{% else %}else{% endfor %}
        {% for x in list if x > 1 %}{{ x }}{% if x == 3 %}{% break %}{% endif %}{% endfor %}
        {% for n in tree recursive %}{{ n.v }}{% if n.c %}({{ loop(n.c) }}){% endif %}{% endfor %}
        {% for n in tree recursive %}{{ loop.depth }}{{ loop.depth0 }}{{ loop.index }}:{{ n.v }};{{ loop(n.c) }}{% endfor %}
        {% for n in tree recursive %}{{ n.v }}{{ loop(n.c) }}{% else %}.{% endfor %}
        {% for n in tree recursive %}{{ n.v }}{% for m in n.c %}<{{ m.v }}{{ loop.index }}>{% endfor %}{% endfor %}
        {% for x in list %}{{ loop(list) }}{% endfor %}
        {% for n in tree recursive %}{{ loop() }}{% endfor %}
        {% for n in tree recursive %}{{ loop(n.c, 1) }}{% endfor %}
        {% for n in tree recursive %}{{ loop(5) }}{% endfor %}
        {% for n in tree if n.c recursive %}{{ n.v }}{{ loop(n.c) }}{% endfor %}
        {% for n in tree recursive %}{% set x = n.v %}{{ x }}{{ loop(n.c) }}{{ x }}{% endfor %}
        {% for m in messages %}{{ m.role }}: {{ m.content | trim }}⏎{% endfor %}
        {% for m in messages %}{{ m['role'] }}: {{ m['content'] }}{{ '⏎' if not loop.last }}{% endfor %}
        {% for m in messages if m.role != 'system' %}{{ loop.index0 }}{{ m.role }};{% endfor %}
        {% for m in messages %}{% if loop.index0 % 2 == 0 %}{{ m.role }}{% else %}-{% endif %}{% endfor %}
        {% for m in messages[1:] %}{{ m.role }}{{ loop.length }}{% endfor %}
        {% for m in messages %}{% for t in m.tool_calls %}{{ t.function.name }}{{ t.function.arguments | tojson }}{% endfor %}{% endfor %}
        {% for m in messages %}{% for t in m.tool_calls or [] %}{{ t.function.name }}{% else %}-{% endfor %}{% endfor %}
        {% for i in range(3) %}{{ i }}{{ ',' if not loop.last else '.' }}{% endfor %}
        {% for x in list %}{% endfor %}{{ x }}
        {% for x in list %}{% set y = x %}{% endfor %}{{ y }}
        {% set x = 'o' %}{% for x in list %}{{ x }}{% endfor %}{{ x }}
        {% for x in [x] %}{{ x }}{% endfor %}
        {% set x = [1] %}{% for x in x %}{{ x }}{% endfor %}
        {% for loop in list %}{{ loop }}{% endfor %}
        {% for x in list recursive %}{{ x }}{% endfor %}
        {% for x in range(3) %}{% for x in range(2) %}{{ x }}{% endfor %}{{ x }}{% endfor %}
        {% for x in list %}{{ x }}{% if loop.length > 2 %}!{% endif %}{% endfor %}
        {% for x in range(0) %}{% else %}{{ x is defined }}{% endfor %}
        {% for x in list %}{% else %}{% set z = 1 %}{% endfor %}{{ z }}
        {% for x in blank %}{% else %}{% set z = 1 %}{{ z }}{% endfor %}{{ z }}
        {% for x in [3, 1] | sort %}{{ x }}{% endfor %}
        {% for x in list %}{{ loop.index is odd }}{{ loop.index is divisibleby 3 }};{% endfor %}
        {% for x in loop %}{% endfor %}
        {{ loop }}
        {% for x in list %}{{ x }}
        {% for %}{% endfor %}
        {% for x %}{% endfor %}
        {% for x in %}{% endfor %}
        {% for 1 in list %}{% endfor %}
        {% for x.y in list %}{% endfor %}
        {% for x in list %}{% endfor x %}
        {% endfor %}
        {% for x in list %}{% endif %}
        {% break %}
        {% continue %}
        {% for x in list %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}
        {% for x in list %}{% else %}{% break %}{% endfor %}
        {% for x in list if x %}{% if x == 1 %}{{ x }}{% endif %}{% endfor %}
        {% for x in list -%}⏎ {{ x }} ⏎{%- endfor %}
        {% for x in list %}⏎{{ x }}⏎{% endfor %}
        {% for x in list %}⏎  {{ x }}⏎  {% endfor %}⏎end
    """)


def macros():
    yield from whole("""
        {% macro m() %}x{% endmacro %}{{ m() }}{{ m() }}
        {% macro m(a) %}[{{ a }}]{% endmacro %}{{ m(1) }}{{ m('x') }}{{ m(a=2) }}{{ m() }}
        {% macro m(a, b=2) %}{{ a }}{{ b }};{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(b=4, a=5) }}{{ m(1, b=none) }}
        {% macro m(a, b=a) %}{{ a }}{{ b }};{% endmacro %}{{ m(1) }}{{ m(1, 2) }}
        {% macro m(a=x) %}{{ a }}{% endmacro %}{% set x = 5 %}{{ m() }}
        {% set x = 5 %}{% macro m(a=x) %}{{ a }}{% endmacro %}{{ m() }}
        {% macro m(a=1, b) %}{{ a }}{% endmacro %}
        {% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}
        {% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=1) }}
        {% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}
        {% macro m() %}{{ varargs }}{% endmacro %}{{ m(1, 2) }}{{ m() }}
        {% macro m(a) %}{{ a }}{{ varargs }}{% endmacro %}{{ m(1, 2, 3) }}
        {% macro m() %}{{ kwargs }}{% endmacro %}{{ m(a=1, b=2) }}{{ m() }}
        {% macro m(a) %}{{ a }}{{ kwargs }}{{ varargs }}{% endmacro %}{{ m(1, 2, b=3) }}
        {% macro m(a) %}{{ kwargs }}{% endmacro %}{{ m(1, 2) }}
        {% macro m(a) %}{{ varargs }}{% endmacro %}{{ m(1, b=2) }}
        {% macro m(*a) %}{% endmacro %}
        {% macro m(a, a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}
        {% macro m(a, b) %}{{ a }}-{{ b }}{% endmacro %}{{ m(*[1, 2]) }}{{ m(**{'a': 1, 'b': 2}) }}{{ m(1, **{'b': 2}) }}{{ m(*[1], b=2) }}
        {% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(1, *[2]) }}{{ m(*'xy') }}{{ m(*dict.keys() | list | batch(2) | first) }}
        {% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(a=1, **{'a': 2}) }}
        {% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(**5) }}
        {% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*5) }}
        {% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(**{1: 2}) }}
        {% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}body{% endcall %}
        {% macro m() %}<{{ caller(1, 2) }}>{% endmacro %}{% call(a, b) m() %}{{ a }}+{{ b }}{% endcall %}
        {% macro m() %}<{{ caller() }}>{% endmacro %}{% call(a, b=3) m() %}{{ a }}+{{ b }}{% endcall %}
        {% macro m(x) %}{{ x }}{{ caller() }}{% endmacro %}{% call m(1) %}{{ word }}{% endcall %}
        {% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}
        {% macro m() %}{{ caller is defined }}{% if caller %}{{ caller() }}{% endif %}{% endmacro %}{{ m() }}{% call m() %}c{% endcall %}
        {% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}
        {% macro m(caller) %}{{ caller }}{% endmacro %}{{ m(1) }}
        {% macro m(caller=none) %}{{ caller() if caller }}{% endmacro %}{{ m() }}{% call m() %}y{% endcall %}
        {% macro m(a) %}{{ caller(a) }}{{ caller(a + 1) }}{% endmacro %}{% call(x) m(1) %}[{{ x }}]{% endcall %}
        {% set y = 1 %}{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ y }}{% set y = 2 %}{{ y }}{% endcall %}{{ y }}
        {% macro outer() %}{% call inner() %}o{% endcall %}{% endmacro %}{% macro inner() %}<{{ caller() }}>{% endmacro %}{{ outer() }}
        {% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}
        {% set x = 1 %}{% macro m() %}{{ x }}{% set x = 2 %}{{ x }}{% endmacro %}{{ m() }}{{ x }}
        {% macro m() %}{% set y = 1 %}{% endmacro %}{{ m() }}{{ y }}
        {% macro f(n) %}{% if n > 0 %}{{ n }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}
        {% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}b{% endmacro %}{{ a() }}
        {{ m() }}{% macro m() %}x{% endmacro %}
        {% macro m(a, b=1, *c) %}{% endmacro %}
        {% macro m(a, b) %}{% endmacro %}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}{{ m.nope }}
        {% macro m() %}{{ kwargs }}{{ varargs }}{{ caller }}{% endmacro %}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}
        {% macro m() %}{% endmacro %}{{ m }}
        {% macro m() %}{% endmacro %}{{ m is callable }}{{ m is defined }}{{ m is string }}{{ [m] }}
        {% macro m() %} a {% endmacro %}[{{ m() | trim }}]{{ m() ~ m() }}{{ m() + 'x' }}{{ m() == ' a ' }}
        {% macro m() %}<b>{% endmacro %}{{ m() }}{{ m() | e }}{{ m() | length }}{{ m() is escaped }}
        {% for x in list %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}
        {% for x in list %}{% macro m(y) %}{{ x }}{{ y }}{% endmacro %}{{ m(x) }}{% endfor %}{{ m is defined }}
        {% macro m(loop) %}{{ loop }}{% endmacro %}{{ m(1) }}
        {% for x in list %}{% macro m() %}{{ loop }}{% endmacro %}{{ m() }}{% endfor %}
        {% macro m(x) %}{% for y in x %}{{ y }}{{ loop.index }}{% endfor %}{% endmacro %}{{ m([4, 5]) }}
        {% if true %}{% macro m() %}in if{% endmacro %}{% endif %}{{ m() }}
        {% macro m(a) -%}⏎  {{ a }}⏎{%- endmacro %}[{{ m(1) }}]
        {% macro m(a) %}⏎  {{ a }}⏎{% endmacro %}[{{ m(1) }}]
        {% macro m(messages) %}{{ messages | length }}{% endmacro %}{{ m([1]) }}{{ messages | length }}
        {% macro m(a=[]) %}{{ a | length }}{% endmacro %}{{ m() }}{{ m([1]) }}
        {% macro m(a=1, b=2, c=3) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m() }}{{ m(9) }}{{ m(c=9) }}{{ m(9, c=8) }}
        {% macro m(a, b) %}{{ b is defined }}{{ b }}{% endmacro %}{{ m(1) }}
        {% macro m(a) %}{{ a.x }}{% endmacro %}{{ m() }}
        {% macro %}{% endmacro %}
        {% macro m %}{% endmacro %}
        {% macro m( %}{% endmacro %}
        {% macro m() %}
        {% macro m() %}{% endmacro m %}{{ m() }}
        {% call m() %}{% endcall %}
        {% call %}{% endcall %}
        {% call word %}{% endcall %}
        {% call word.upper() %}{% endcall %}
        {% macro m() %}a{% endmacro %}{% set m = 1 %}{{ m }}
        {% macro m() %}a{% endmacro %}{% macro m() %}b{% endmacro %}{{ m() }}
        {% macro m(x) %}{{ x }}{% endmacro %}{{ list | map('string') | map('upper') | list }}{{ m(list | join) }}
        {% macro a(x) %}({{ x }}){% endmacro %}{% macro b(x) %}[{{ a(x) }}]{% endmacro %}{{ b(a(1)) }}
        {% macro m(true) %}{% endmacro %}
        {% generation %}a{{ word }}{% endgeneration %}b
        {% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %};{% endfor %}
        {% generation %}{% set x = 1 %}{{ x }}{% endgeneration %}{{ x }}
        {% set x = 1 %}{% generation %}{{ x }}{% endgeneration %}
        {% generation %}
        {% generation x %}{% endgeneration %}
        {% macro m() %}{{ m2() }}{% endmacro %}{% macro m2() %}{{ missing.x }}{% endmacro %}{{ m() }}
        {% macro m(x, y=x ~ '!') %}{{ y }}{% endmacro %}{{ m('a') }}{{ m('a', 'b') }}
    """)


def assignments():
    yield from whole("""
        {% set x = 1 %}{{ x }}
        {% set x = 1, 2 %}{{ x }}
        {% set a, b = 1, 2 %}{{ a }}{{ b }}
        {% set a, b = [1, 2] %}{{ a }}{{ b }}
        {% set a, b = 'xy' %}{{ a }}{{ b }}
        {% set (a, b) = (1, 2) %}{{ a }}{{ b }}
        {% set a, (b, c) = 1, (2, 3) %}{{ a }}{{ b }}{{ c }}
        {% set a, b = 1 %}
        {% set a, b = 1, 2, 3 %}
        {% set a, b = (1,) %}
        {% set a, b = b, a %}{{ a }}{{ b }}
        {% set a = 1 %}{% set b = 2 %}{% set a, b = b, a %}{{ a }}{{ b }}
        {% set x %}a{{ word }}b{% endset %}{{ x }}{{ x | length }}
        {% set x | upper %}a{{ word }}b{% endset %}{{ x }}
        {% set x | replace('a', 'b') | upper %}aaa{% endset %}{{ x }}
        {% set x | trim | length %} a {% endset %}{{ x + 1 }}
        {% set x %}⏎  a⏎{% endset %}[{{ x }}]
        {% set x -%}⏎  a⏎{%- endset %}[{{ x }}]
        {% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}{{ y }}
        {% set n = namespace(c=0) %}{% for x in list %}{% set n.c = n.c + x %}{% endfor %}{{ n.c }}
        {% set n = namespace() %}{% set n.a = 1 %}{{ n.a }}{{ n }}
        {% set n = namespace(found=false) %}{% for m in messages %}{% if m.role == 'user' %}{% set n.found = true %}{% endif %}{% endfor %}{{ n.found }}
        {% set n = namespace() %}{% set n.x %}block{% endset %}{{ n.x }}
        {% set n = namespace(a=1) %}{% set n.a, y = 2, 3 %}{{ n.a }}{{ y }}
        {% set n = namespace() %}{% set n['x'] = 1 %}
        {% set word.x = 1 %}
        {% set dict.x = 1 %}
        {% set nope.x = 1 %}
        {% set n = namespace() %}{% macro m() %}{% set n.x = 5 %}{% endmacro %}{{ m() }}{{ n.x }}
        {% set n = namespace(l=[]) %}{% for x in list %}{% set n.l = n.l + [x * 2] %}{% endfor %}{{ n.l }}
        {% set x = 1 %}{% if true %}{% set x = 2 %}{% endif %}{{ x }}
        {% if false %}{% set x = 2 %}{% endif %}{{ x }}{{ x is defined }}
        {% set x = 1 %}{% if false %}{% set x = 2 %}{% else %}{% set x = 3 %}{% endif %}{{ x }}
        {% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}
        {% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + i %}{% endfor %}
        {% for i in [1, 2] %}{% if loop.first %}{% set y = 'f' %}{% endif %}{{ y }};{% endfor %}
        {% for i in [1, 2] %}{% if i == 2 %}{% set word = 'in' %}{% endif %}{{ word }};{% endfor %}{{ word }}
        {% set word = 'new' %}{{ word }}
        {% set word = word ~ '!' %}{{ word }}
        {{ word }}{% set word = 'new' %}{{ word }}
        {% set x = x | default('d') %}{{ x }}
        {% set loop = 1 %}{{ loop }}
        {% set range = 1 %}{{ range }}
        {{ range(1) | list }}{% set range = 2 %}{{ range }}
        {% with %}{% set x = 1 %}{{ x }}{% endwith %}{{ x }}
        {% with x = 1 %}{{ x }}{% endwith %}{{ x }}
        {% with x = 1, y = 2 %}{{ x }}{{ y }}{% endwith %}
        {% with x = 1, y = x %}{{ y }}{% endwith %}
        {% set x = 9 %}{% with x = 1, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}
        {% with a, b = (1, 2) %}{{ a }}{{ b }}{% endwith %}
        {% with x = 1 %}{% set x = 2 %}{{ x }}{% endwith %}
        {% with x = 1 %}{% with x = x + 1 %}{{ x }}{% endwith %}{{ x }}{% endwith %}
        {% for i in [1] %}{% with y = i %}{% break %}{% endwith %}{% endfor %}ok
        {% block b %}x{% endblock %}
        {% block b %}x{% endblock b %}y
        {% block b %}x{% endblock c %}
        {% set x = 1 %}{% block b %}{{ x }}{% endblock %}
        {% for x in list %}{% block b %}{{ x }}{% endblock %}{% endfor %}
        {% for x in list %}{% block b scoped %}{{ x }}{% endblock %}{% endfor %}
        {% block b required %}{% endblock %}
        {% block b %}{{ super() }}{% endblock %}
        {% block a %}{% block b %}x{% endblock %}{% endblock %}
        {% block a %}{% endblock %}{% block a %}{% endblock %}
        {{ self.b() }}{% block b %}x{% endblock %}
        {% set 1 = 2 %}
        {% set true = 2 %}
        {% set none = 2 %}
        {% set x %}
        {% set x = %}
        {% set = 1 %}
        {% set x 1 %}
        {% set x.y.z = 1 %}
        {% set x() = 1 %}
        {% set 'a' = 1 %}
        {% set x == 1 %}
        {% do list %}
        {% include 'x' %}
        {% import 'x' as y %}
        {% from 'x' import y %}
        {% extends 'x' %}
        {% include 'x' ignore missing %}ok
        {% if false %}{% include 'x' %}{% endif %}ok
        {% set x = [1, 2] %}{% set y = x %}{{ x is sameas y }}
        {% set x = {'a': [1]} %}{{ x.a[0] }}
        {% set x = 'a' if false %}[{{ x }}]{{ x is defined }}
        {% set x = missing %}{{ x is defined }}{{ x }}
        {% set x = missing.y %}
        {% set x = 5 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 6 %}{{ m() }}
        {% set ns = namespace(i=0) %}{% for a in [1, 2] %}{% for b in [1, 2] %}{% set ns.i = ns.i + 1 %}{% endfor %}{% endfor %}{{ ns.i }}
        {% filter upper %}{% for x in list %}{% set q = x %}{{ q }}{% endfor %}{% endfilter %}{{ q }}
        {% set x = 1 %}{% set y %}{{ x }}{% set x = 2 %}{{ x }}{% endset %}{{ x }}{{ y }}
        {% macro a() %}{% macro b() %}b{% endmacro %}{{ b() }}{% endmacro %}{{ a() }}{{ b is defined }}
        {% for x in [1] %}{% for y in [2] %}{% for z in [3] %}{{ x }}{{ y }}{{ z }}{% set x = 9 %}{{ x }}{% endfor %}{{ x }}{% endfor %}{{ x }}{% endfor %}
        {% macro m() %}{% for x in list %}{{ caller(x) }}{% endfor %}{% endmacro %}{% set p = '>' %}{% call(v) m() %}{{ p }}{{ v }}{% set p = '<' %}{{ p }}{% endcall %}
        {% set a = 1 %}{% macro f() %}{% macro g() %}{% macro h() %}{{ a }}{% endmacro %}{{ h() }}{% endmacro %}{{ g() }}{% endmacro %}{{ f() }}
        {% for a in [1] %}{% macro f(b) %}{% macro g(c) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ g(3) }}{% endmacro %}{{ f(2) }}{% endfor %}
    """)


def whitespace():
    tags = ["{% if yes %}", "{%- if yes %}", "{% if yes -%}", "{%- if yes -%}", "{%+ if yes %}", "{% if yes +%}"]
    ends = ["{% endif %}", "{%- endif %}", "{% endif -%}", "{%+ endif %}", "{% endif +%}"]
    for before in ["a\n  ", "a  ", "\n\n", "  "]:
        yield from each(before + "$1\n  b\n  $2\n  c", tags, ends)
    variables = ["{{ one }}", "{{- one }}", "{{ one -}}", "{{- one -}}", "{{+ one }}", "{{ +one }}"]
    yield from each("a\n  $1\n  b", variables)
    yield from each("  $1  $1\n$1", variables)
    comments = ["{# x #}", "{#- x #}", "{# x -#}", "{#- x -#}", "{#+ x #}", "{# x +#}", "{##}", "{#-#}", "{#--#}", "{# #}"]
    yield from each("a\n  $1\n  b", comments)
    yield from each("a $1 b", comments)
    yield from each("{{ 1 }}  $1\nb", comments)
    yield from each("a\n  {% raw$1\n  x {{ y }}\n  {%$2 endraw$3\n  b", [" %}", " -%}", " +%}"], ["", "-", "+"], [" %}", " -%}", " +%}"])
    yield from whole("""
        {% if yes %}⏎a⏎{% endif %}⏎b
        {% if yes %} ⏎a⏎{% endif %} ⏎b
        {% if yes %}⏎⏎a⏎⏎{% endif %}⏎⏎b
        x{% if yes %}⏎a{% endif %}⏎b
        ⇥{% if yes %}a{% endif %}
        ⏎⇥{% if yes %}⏎⇥a⏎⇥{% endif %}⏎⇥b
        a {% if yes %}b{% endif %} c
        {{ one }}⏎{{ two }}⏎
        {{ one }} {% if yes %}⏎x{% endif %}
        {{ one }}⏎  {% if yes %}⏎x{% endif %}
        {% if yes %}{{ one }}  {% endif %}
        {% set x = 1 %}⏎⏎{{ x }}
        {%set x=1%}{{x}}
        {%-set x=1-%}{{-x-}}
        {%⏎set⏎x⏎=⏎1⏎%}{{⏎x⏎}}
        {% for x in list %}⏎  {{ x }}⏎{% endfor %}⏎
        {%- for x in list %}⏎  {{- x }}⏎{%- endfor %}⏎
        {% for x in list -%}  {{ x }}  {%- endfor %}
        a  {%- if yes -%}  b  {%- endif -%}  c
        a⏎⏎  {%- if yes %}⏎⏎b{% endif %}
        {{ ' a ' -}}   b
        a   {{- ' b ' }}
        a⏎{#- c -#}⏎b
        a {# c #} b {# d #}⏎c
        {# a #}⏎{# b #}⏎c
          {# a #}⏎  c
        a\r\nb\r\n{% if yes %}\r\nc{% endif %}\r\n
        a\rb
        a\u00a0{%- if yes %}b{% endif %}
        a\x0b{%- if yes %}b{% endif %}
        \u3000{% if yes %}b{% endif %}
        a⏎\u00a0 {% if yes %}b{% endif %}
        a⏎\x0c{% if yes %}b{% endif %}
    """.replace("\\r", "\r"))
    yield ("{% raw -%}\n  {{ x }}{% endraw %}", {})
    yield ("a {%- raw -%} b{{ c {%- endraw -%} d", {})
    yield ("{%raw-%}  b{%endraw%}", {})
    yield ("a\r\nb\r\n{% if yes %}\r\nc{% endif %}\r\n", {})
    yield ("a\rb\r", {})
    yield ("{{ 'a\r\nb' }}", {})
    yield ("a\n", {})
    yield ("\n", {})
    yield ("", {})
    yield ("a\n\n{% if yes %}\n{% endif %}\n", {})
    yield ("a\u00a0{%- if yes %}b{% endif %}", {})
    yield ("a\n\u3000{% if yes %}b{% endif %}", {})
    yield ("a\n\x0b{% if yes %}b{% endif %}\x1c{%- if yes %}{% endif %}", {})
    yield ("{% if yes %}\r\nb{% endif %}", {})


def errors():
    yield from whole("""
        {{ missing.x }}
        {{ missing.x.y }}
        {{ missing['x'] }}
        {{ missing() }}
        {{ missing.x() }}
        {{ dict.zz.y }}
        {{ dict['zz'].y }}
        {{ dict.zz() }}
        {{ list[9].y }}
        {{ word.zz.y }}
        {{ one.zz.y }}
        {{ none.zz.y }}
        {{ people[0].zz.y }}
        {{ people[0]['z z'].y }}
        {{ people[7].name }}
        {{ (list | first).x.y }}
        {{ (blank | first).x }}
        {{ (blank | last).x }}
        {{ (blank | min).x }}
        {{ (blank | random).x }}
        {{ (1 if false).x }}
        {{ ⏎⏎(1 if false) ~ (1 if false).y }}
        {% for x in list %}{{ loop.previtem.x }}{% endfor %}
        {% for x in [1] %}{{ loop.nextitem.x }}{% endfor %}
        {{
        {{ 1
        {{ 1 }
        {%
        {% if
        {% if yes %}
        {% if yes %}{% else %}
        {% if yes %}{% elif %}{% endif %}
        {% if %}{% endif %}
        {% else %}
        {% elif yes %}
        {% endif %}
        {% endfor %}
        {% endmacro %}
        {% nothing_known %}
        {% if yes %}{% endfor %}
        {% for x in list %}{% endif %}
        {% if yes %}{% for x in list %}{% endif %}
        {% raw %}
        {# open
        {{ 'open }}
        {{ "open }}
        {{ 1 + }}
        {{ + }}
        {{ * 2 }}
        {{ 1 2 }}
        {{ a b }}
        {{ a.b c }}
        {{ (1 }}
        {{ 1) }}
        {{ [1 }}
        {{ 1] }}
        {{ {'a' }}
        {{ {'a': } }}
        {{ {'a': 1 'b': 2} }}
        {{ {1} }}
        {{ [1 2] }}
        {{ [1,,2] }}
        {{ (1,,2) }}
        {{ f(1 2) }}
        {{ f(a=1, 2) }}
        {{ f(**a, b) }}
        {{ f(**a, *b) }}
        {{ f(*a, *b) }}
        {{ f(**a, b=1) }}
        {{ f(1,) }}
        {{ f(,) }}
        {{ f(a=) }}
        {{ f(=1) }}
        {{ a. }}
        {{ a.1.2 }}
        {{ a.b. }}
        {{ .a }}
        {{ a[ }}
        {{ a[] }}
        {{ a[1:2:3:4] }}
        {{ a | }}
        {{ | upper }}
        {{ a | 1 }}
        {{ a | upper( }}
        {{ a is }}
        {{ a is 1 }}
        {{ a is not }}
        {{ is a }}
        {{ a not b }}
        {{ a not in }}
        {{ not }}
        {{ a if }}
        {{ a if b else }}
        {{ else }}
        {{ a in }}
        {{ and a }}
        {{ a and }}
        {{ a or }}
        {{ a == }}
        {{ a = 1 }}
        {{ a := 1 }}
        {{ a ? b }}
        {{ a & b }}
        {{ a ! b }}
        {{ a $ b }}
        {{ `a` }}
        {{ a ; b }}
        {{ lambda x: x }}
        {{ [x for x in y] }}
        {{ a ~ }}
        {{ a // }}
        {{ a ** }}
        {{ -  }}
        {{ }}
        {{}}
        {% %}
        {%%}
        {% 1 %}
        {% 'a' %}
        {% if a %}{% endif a %}
        {% set a = 1 b %}
        {% for a in b c %}{% endfor %}
        {% for a in b if %}{% endfor %}
        {% filter %}{% endfilter %}
        {% filter 1 %}{% endfilter %}
        {% with a %}{% endwith %}
        {% with 1 = 2 %}{% endwith %}
        {% autoescape %}{% endautoescape %}
        {% block %}{% endblock %}
        {% block 1 %}{% endblock %}
        {% call(a %}{% endcall %}
        {% macro m(1) %}{% endmacro %}
        {% macro m(a b) %}{% endmacro %}
        {% macro 1() %}{% endmacro %}
        {% raw %}{% endraw
        a⏎b⏎{{ 1 + }}
        {{ 1 ~ ⏎ missing.x }}
        {{ 'a'.x.y }}
        {{ 1_000_ }}
        {{ 0b12 }}
        {{ 1.5.2 }}
        {{ 01 }}
        {{ 1a }}
        {{ '\\x' }}
        {{ '\\u12' }}
        {{ '\\N{NO SUCH NAME}' }}
        {{ ² }}
        {{ a² }}
        {{ 'a' 'b' 1 }}
        {{ 1 'b' }}
        {{ word.upper() upper }}
        {{ true.x }}
        {{ true }}{{ True }}{{ TRUE }}
        {{ null }}{{ nil }}
        {{ not_a_name_1 }}
        {{ dict.get }}x{{ 1 / 0 }}
    """.replace("{{ dict.get }}x{{ 1 / 0 }}", "x{{ 1 / 0 }}"))


TOPICS = {
    "comparisons": ("== != < <= > >= between values of all types, as constants and as variables, alone and in chains.", comparisons),
    "membership": ("in and not in.", membership),
    "arithmetic": ("+ - * / // % ** ~ and the signs, with small, big and fractional numbers and with what is no number.", arithmetic),
    "logic": ("Truth, and, or, not, inline if and the if statement.", logic),
    "literals": ("How values are written and shown.", literals),
    "subscripts": ("Items, attributes and slices; what the sandbox hides; what is missing.", subscripts),
    "str-methods": ("The methods of str, with all forms of their arguments.", str_methods),
    "str-format": ("str.format and its format specifications.", str_format),
    "percent-format": ("The % operator and the format filter.", percent_format),
    "containers": ("Methods of lists, tuples, dicts and numbers; range, namespace, joiner, cycler, raise_exception, strftime_now.", containers),
    "text-filters": ("Filters that make text, on text and on other values; filter and autoescape blocks.", text_filters),
    "sequence-filters": ("Filters on sequences.", sequence_filters),
    "number-filters": ("int, float, abs, round, filesizeformat.", number_filters),
    "tests": ("is and is not.", tests),
    "tojson": ("tojson as transformers defines it.", tojson),
    "loops": ("for, its loop variable, recursive loops, break and continue.", loops),
    "macros": ("macro, call and generation.", macros),
    "assignments": ("set, with, namespaces, blocks, and which names are seen where.", assignments),
    "whitespace": ("trim_blocks, lstrip_blocks, - and +, comments and raw blocks.", whitespace),
    "errors": ("Templates that cannot be read, and values that are missing.", errors),
}

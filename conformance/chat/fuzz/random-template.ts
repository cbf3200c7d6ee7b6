import type { Random } from './random.ts'

/** Values of every kind that templates meet; as JSON text, since `1.0` and large integers must survive. */
export const variablesJson = `{
  "messages": [
    {"role": "system", "content": "  Be brief.\\n"},
    {"role": "user", "content": "Hi <b>there</b> & 'you' \\"all\\" 🎉é"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": {"b": 1, "2": 1.0, "1": [true, null]}}}]},
    {"role": "tool", "content": [{"type": "text", "text": "3"}, {"type": "image"}], "name": "add"}
  ],
  "s": "Hello, World", "e": "", "u": "straße ΑΣ 🎉x\\u00a0 \\u3000", "w": " \\t a b\\nc  d \\r\\n", "n": 3, "z": 0, "neg": -7, "big": 123456789012345678901234567890,
  "f": 2.5, "g": 1.0, "tiny": 1e-7, "huge": 1e21, "t": true, "x": false, "nil": null,
  "l": [3, 1, 2, 1], "ls": ["b", "A", "c", "a"], "le": [], "mixed": [1, "a", null, 2.5, true, [1, 2], {"k": "v"}],
  "d": {"b": 1, "a": "x", "10": 2, "2": [1], "items": "shadow", "__class__": "c"}, "de": {}, "nested": {"a": {"b": [{"c": "deep"}]}},
  "people": [{"name": "Bob", "age": 30}, {"name": "ann", "age": 25}, {"name": "Cy", "age": 30, "tags": ["x"]}],
  "html": "<p class=\\"a\\">1 &amp; 2</p>", "num": "42", "flt": " -3.5e2 ", "hex": "0x1F", "bad": "4x", "path": "a/b c?d=é&f"
}`

const names = 'messages s e u w n z neg big f g tiny huge t x nil l ls le mixed d de nested people html num flt hex bad path missing'.split(
  ' ',
)
const literals = [
  "'a'",
  "'b c'",
  "''",
  '"\\n"',
  "'é🎉'",
  "'%s-%s'",
  "'{} {}'",
  "'<|im_end|>'",
  '0',
  '1',
  '2',
  '-1',
  '3',
  '1.5',
  '2.0',
  '1e3',
  '0x10',
  '1_000',
  'true',
  'false',
  'none',
  '[]',
  '{}',
  '()',
  '[1, 2, 3]',
  "['a', 'b']",
  "('x', 1)",
  "{'a': 1, 'b': 2}",
  "{1: 'i', 'k': none}",
  '[[1, 2], [3]]',
  'range(3)',
  'range(5, 0, -2)',
  'dict(a=1)',
  'namespace(q=1)',
]
const binary = ['+', '-', '*', '/', '//', '%', '**', '~', '==', '!=', '<', '>', '<=', '>=', 'in', 'not in', 'and', 'or']
const tests = [
  'defined',
  'undefined',
  'none',
  'boolean',
  'true',
  'false',
  'string',
  'integer',
  'float',
  'number',
  'mapping',
  'sequence',
  'iterable',
  'callable',
  'odd',
  'even',
  'lower',
  'upper',
  'escaped',
  'divisibleby 2',
  'divisibleby(3)',
  'eq 1',
  'ne 1',
  'lt 2',
  'ge 2',
  "in [1, 2, 'a']",
  "in 'abc'",
  'sameas none',
  'sameas true',
  'filter',
  'test',
  "equalto 'a'",
]
const filters = [
  'abs',
  'capitalize',
  'center(9)',
  'count',
  'default',
  "default('D')",
  "default('D', true)",
  'd',
  'dictsort',
  "dictsort(by='value')",
  'dictsort(true, reverse=true)',
  'e',
  'escape',
  'filesizeformat',
  'filesizeformat(true)',
  'first',
  'float',
  'float(1.5)',
  'forceescape',
  "format('x', 2)",
  'format(a=1)',
  "groupby('age')",
  "groupby('age')|list",
  'indent',
  'indent(2, true)',
  "indent('> ', blank=true)",
  'int',
  'int(7)',
  'int(0, 16)',
  'items|list',
  'join',
  "join(', ')",
  "join('-', attribute='name')",
  'last',
  'length',
  'list',
  'lower',
  "map('upper')|list",
  "map(attribute='name')|list",
  "map(attribute='tags', default='-')|list",
  "map('int')|join(' ')",
  "map('length')|list",
  'max',
  'min',
  "max(attribute='age')",
  "replace('a', 'o')",
  "replace('', '-')",
  "replace('b', '', 1)",
  'reverse',
  'reverse|list',
  'round',
  'round(1)',
  "round(1, 'floor')",
  "round(0, 'ceil')",
  'safe',
  'select|list',
  "select('string')|list",
  "select('gt', 1)|list",
  'reject|list',
  "reject('none')|list",
  "selectattr('name')|list",
  "selectattr('age', 'eq', 30)|list",
  "rejectattr('tags', 'defined')|list",
  "selectattr('role', 'equalto', 'user')|map(attribute='content')|list",
  'slice(2)|list',
  "slice(3, 'f')|list",
  'sort',
  'sort(true)',
  "sort(attribute='age')",
  "sort(attribute='age,name')",
  'sort(case_sensitive=true)',
  'string',
  'striptags',
  'sum',
  "sum(attribute='age')",
  'sum(start=10)',
  'title',
  'tojson',
  'tojson(indent=2)',
  'tojson(indent=0)',
  "tojson(separators=(',', ':'))",
  'tojson(sort_keys=true)',
  'tojson(ensure_ascii=true)',
  'trim',
  "trim('a ')",
  'truncate(8)',
  "truncate(9, true, '…', 0)",
  'unique|list',
  'unique(true)|list',
  'upper',
  'urlencode',
  'wordcount',
  'xmlattr',
  'batch(2)|list',
  "batch(3, '-')|list",
  "attr('upper')",
  "attr('name')",
  'pprint',
]
const methods = [
  'upper()',
  'lower()',
  'strip()',
  "strip('a H')",
  "lstrip('\\n ')",
  'rstrip()',
  'title()',
  'capitalize()',
  'swapcase()',
  'casefold()',
  'split()',
  "split(' ')",
  "split(',', 1)",
  'split(none, 1)',
  "rsplit(' ', 1)",
  'rsplit(none, 1)',
  'splitlines()',
  'splitlines(true)',
  "replace('l', 'L')",
  "replace('l', 'L', 1)",
  "replace('', '.')",
  "startswith('H')",
  "startswith(('x', 'H'))",
  "endswith('d')",
  "find('o')",
  "rfind('o')",
  "find('o', 5)",
  "find('o', -4, -1)",
  "index('o')",
  "count('l')",
  "count('')",
  "partition(',')",
  "rpartition('o')",
  "center(21, '*')",
  'ljust(14)',
  "rjust(14, '.')",
  'zfill(15)',
  'isdigit()',
  'isalpha()',
  'isalnum()',
  'isspace()',
  'islower()',
  'isupper()',
  'istitle()',
  'isidentifier()',
  'isnumeric()',
  'isascii()',
  'expandtabs(4)',
  "removeprefix('He')",
  "removesuffix('ld')",
  "join(['a', 'b'])",
  'join(ls)',
  "join('xy')",
  'items()',
  'keys()',
  'values()',
  'items()|list',
  "get('a')",
  "get('zz')",
  "get('zz', 'dflt')",
  'get(10)',
  'copy()',
  'count(1)',
  'index(2)',
  "format('x', y=2)",
  'append(1)',
  'pop()',
  'update({})',
  'sort()',
  'bit_length()',
  'is_integer()',
  'encode_nothing()',
]
const subscripts = [
  "['a']",
  "['items']",
  "['name']",
  '[0]',
  '[-1]',
  '[9]',
  '[1:]',
  '[:-1]',
  '[::-1]',
  '[1:3]',
  '[::2]',
  '[-2:]',
  '[0].role',
  '[0].name',
  '.content',
  '.a',
  '.a.b',
  '.b',
  '.items',
  '.0',
  '.real',
  '.zz',
  '.__class__',
  "['__class__']",
  '[none]',
  "['2']",
  '[true]',
  '[1.0]',
  '[5:1:-1]',
]
const formats = [
  "'%s' % E",
  "'%d' % E",
  "'%5.1f|%x' % (E, 255)",
  "'%(a)s' % d",
  "'%r' % E",
  "'%-6s|' % E",
  "'%05d' % E",
  "'%e' % E",
  "'%g' % E",
  "'{}'.format(E)",
  "'{0!r:>8}'.format(E)",
  "'{a:.2f}'.format(a=E)",
  "'{:>6}|{:<6}|{:^6}'.format(E, 1, 'x')",
  "'{:,}'.format(E)",
  "'{:05d}'.format(E)",
  "'{:x}'.format(E)",
  "'{0[a]}'.format(E)",
  "'{0.real}'.format(E)",
  "'{{}}{}'.format(E)",
  "'{:.3}'.format(E)",
  "'{:+}'.format(E)",
  "'{:%}'.format(E)",
]

/** A template out of everything the language has, mostly valid, often failing when it runs. */
export function randomTemplate(random: Random): string {
  return statements(random, 3, false)
}

function statements(random: Random, depth: number, inLoop: boolean): string {
  return Array.from({ length: 1 + random.below(3) }, () => statement(random, depth, inLoop)).join(
    random.pick(['', '', ' ', '\n', '\n  ', ' - ', '\n\n\t']),
  )
}

function statement(random: Random, depth: number, inLoop: boolean): string {
  const value = () => expression(random, 2)
  const body = (loop = inLoop) => statements(random, depth - 1, loop)
  const open = () => random.pick(['{%', '{%', '{%-', '{%+'])
  const close = () => random.pick(['%}', '%}', '-%}', '%}\n'])
  const tag = (inside: string) => `${open()} ${inside} ${close()}`
  if (depth <= 0) return output(random, value())
  switch (random.below(inLoop ? 20 : 18)) {
    case 0:
      return `${tag(`if ${value()}`)}${body()}${tag('endif')}`
    case 1:
      return `${tag(`if ${value()}`)}${body()}${tag(`elif ${value()}`)}${body()}${tag('else')}${body()}${tag('endif')}`
    case 2:
      return `${tag(`for i in ${value()}`)}${body(true)}{{ i }}${tag('endfor')}`
    case 3:
      return `${tag(`for i in ${iterable(random)}`)}${body(true)}{{ loop.${random.pick(['index', 'index0', 'first', 'last', 'length', 'revindex', 'revindex0', 'previtem', 'nextitem', 'depth', "cycle('a', 'b')", 'changed(i)'])} }}${tag('endfor')}`
    case 4:
      return `${tag(`for k, v in ${random.pick(['d.items()', 'd|items', 'd|dictsort', 'nested.a.items()', "[[1, 2], 'ab']", value()])}`)}{{ k }}={{ v }};${tag(random.pick(['endfor', 'else']))}${''}`.replace(
        /else([^%]*%\}\n?)$/,
        `else$1${body()}${tag('endfor')}`,
      )
    case 5:
      return `${tag(`for i in ${iterable(random)} if ${random.pick(['i', 'i is string', 'i != 1', 'loop is undefined', value()])}`)}${body(true)}{{ i }}${random.pick(['', '{{ loop.last }}', '{{ loop.length }}'])}${tag('endfor')}`
    case 6:
      return `${tag(`set ${random.pick(['v1', 'v2', 's', 'n', 'v1, v2'])} = ${value()}`)}{{ v1 }}{{ v2 }}`
    case 7:
      return `${tag(`set v1${random.pick(['', ' | upper', " | replace('a', 'b') | trim"])}`)}${body()}${tag('endset')}{{ v1 }}`
    case 8:
      return `${tag(`set ns = namespace(a=1, b=${value()})`)}${tag(`for i in ${iterable(random)}`)}${tag(`set ns.a = ${random.pick(['ns.a + 1', 'i', 'loop.index', value()])}`)}${tag('endfor')}{{ ns.a }}{{ ns.b }}`
    case 9:
      return `${tag(`macro m(p, q=${value()}, r='R')`)}${body(false)}{{ p }}{{ q }}{{ r }}${random.pick(['', '{{ varargs }}', '{{ kwargs }}', '{{ caller() }}'])}${tag('endmacro')}{{ m(${random.pick(['', '1', '1, 2', "1, r='x'", '1, 2, 3, 4', 'zz=1', '*[1, 2]', "**{'p': 5}", value()])}) }}`
    case 10:
      return `${tag('macro w()')}[{{ caller(${random.pick(['', '1'])}) }}]${tag('endmacro')}${tag(random.pick(['call w()', 'call(a) w()', 'call(a=2) w()']))}${body(false)}{{ a }}${tag('endcall')}`
    case 11:
      return `${tag(`filter ${random.pick(['upper', "replace('a', 'x')", 'trim|title', 'length'])}`)}${body()}${tag('endfilter')}`
    case 12:
      return `${tag(`with a = ${value()}, b = ${random.pick(['a', value()])}`)}${body()}{{ a }}{{ b }}${tag('endwith')}`
    case 13:
      return `{#${random.pick(['', '-'])} note {{ x }} ${random.pick(['', '-'])}#}${body()}`
    case 14:
      return `${open()} raw %}{{ ${random.pick(names)} }} {% x %}${open()} endraw ${close()}`
    case 15:
      return `${tag('generation')}${body(false)}${tag('endgeneration')}`
    case 16:
      return `${tag(`for i in ${random.pick(['[1, [2, [3]]]', '[[1], [2, 3]]', value()])} recursive`)}{{ loop.depth }}{% if i is iterable and i is not string %}<{{ loop(i) }}>{% else %}{{ i }}{% endif %}${tag('endfor')}`
    case 18:
      return tag(random.pick(['break', `if ${value()} %}{% break %}{% endif`]))
    case 19:
      return tag(random.pick(['continue', `if ${value()} %}{% continue %}{% endif`]))
    default:
      return output(random, value())
  }
}

function output(random: Random, value: string): string {
  return `${random.pick(['{{', '{{-', '{{+', '{{'])} ${value} ${random.pick(['}}', '-}}', '}}'])}`
}

function iterable(random: Random): string {
  return random.pick([
    'messages',
    'l',
    'ls',
    'le',
    'mixed',
    'd',
    's',
    'u',
    'people',
    'range(4)',
    'd.values()',
    "l|map('string')",
    'l|select',
    'missing',
    "'ab'",
    "('x', 'y')",
  ])
}

function expression(random: Random, depth: number): string {
  if (depth <= 0) return random.chance(0.7) ? random.pick(names) : random.pick(literals)
  const inner = () => expression(random, depth - 1)
  const wrapped = () => (random.chance(0.5) ? `(${inner()})` : inner())
  switch (random.below(14)) {
    case 0:
      return inner()
    case 1:
      return `${wrapped()} ${random.pick(binary)} ${wrapped()}`
    case 2:
    case 3:
      return `${wrapped()}|${random.pick(filters)}`
    case 4:
    case 5:
      return `${random.pick(names)}.${random.pick(methods)}`
    case 6:
      return `${random.pick(names)}${random.pick(subscripts)}`
    case 7:
      return `${random.chance(0.3) ? 'not ' : ''}${wrapped()} is ${random.chance(0.3) ? 'not ' : ''}${random.pick(tests)}`
    case 8:
      return `${inner()} if ${inner()}${random.chance(0.7) ? ` else ${inner()}` : ''}`
    case 9:
      return random.pick(formats).replace('E', random.pick(names))
    case 10:
      return `${random.pick(['-', '+', 'not '])}${wrapped()}`
    case 11:
      return `${wrapped()} ~ ${wrapped()} ~ '.'`
    case 12:
      return random.pick([
        `[${inner()}, ${inner()}]`,
        `{'k': ${inner()}, ${random.pick(['n', 's', "'q'"])}: ${inner()}}`,
        `(${inner()},)`,
        `[${inner()}][0]`,
        `raise_exception(${inner()})`,
        "strftime_now('%d %b %Y %H:%M')",
        `dict(a=${inner()})`,
      ])
    default:
      return `${wrapped()} ${random.pick(['<', '==', '!=', 'in'])} ${wrapped()} ${random.pick(['<', '==', 'in'])} ${wrapped()}`
  }
}

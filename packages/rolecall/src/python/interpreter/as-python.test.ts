import { expect, test } from 'vitest'
import { repr } from '../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../core/src/base/python/values/text.ts'
import { call } from './call.ts'
import { runModule } from './import-module.ts'
import { Scope } from './scope.ts'
import { Session } from './session.ts'

/** The `repr()` of what a function body returns, or the exception that it raises. */
function run(body: string): string {
  const text = `import itertools, json, math, re\ndef f():\n${body.replace(/^/gm, '    ')}`
  const session = new Session({ read: () => text, strict: true })
  const scope = runModule(session, 'a.py', session.readModule('a.py')!)
  try {
    return plainText(repr(call(session, scope.names.get('f')!, [], undefined, new Scope('a.py'))))
  } catch (error) {
    return `${(error as { type?: string }).type}: ${(error as Error).message}`
  }
}

// The results are CPython 3.11's.
test.each([
  ['round(1234, -2)', '1200'],
  ['round(25, -1)', '20'],
  ['round(35, -1)', '40'],
  ['round(-25, -1)', '-20'],
  ['round(25.0, -1)', '20.0'],
  ['round(25.5, -1)', '30.0'],
  ['round(-2.5, -1)', '-0.0'],
  ['round(2.5)', '2'],
  ['round(True)', '1'],
  ['round(2.675, 2)', '2.67'],
  ['round(1e300)', String(BigInt(1e300))],
  ['round(float("inf"))', 'OverflowError: cannot convert float infinity to integer'],
  ['round("a")', "TypeError: type str doesn't define __round__ method"],
  ['math.ceil(10**20 - 7)', '99999999999999999993'],
  ['math.floor(-2.5)', '-3'],
  ['math.floor(float("nan"))', 'ValueError: cannot convert float NaN to integer'],
  ['math.sqrt(-1)', 'ValueError: math domain error'],
  ['math.log(0)', 'ValueError: math domain error'],
  ['math.exp(1000)', 'OverflowError: math range error'],
  ['math.exp(float("inf"))', 'inf'],
  ['math.sqrt(10**400)', 'OverflowError: int too large to convert to float'],
  ['int([1])', "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'"],
  ['int("x")', "ValueError: invalid literal for int() with base 10: 'x'"],
  ['float(None)', "TypeError: float() argument must be a string or a real number, not 'NoneType'"],
  ['json.dumps({"a": [1, 2]}, separators=(",", ":"))', `'{"a":[1,2]}'`],
  ['json.dumps({True: 1, None: 2, 3: (1.0,)})', `'{"true": 1, "null": 2, "3": [1.0]}'`],
  ['json.dumps({1, 2})', 'TypeError: Object of type set is not JSON serializable'],
  ['json.dumps({(1, 2): 3})', 'TypeError: keys must be str, int, float, bool or None, not tuple'],
  ['"{0.real}".format([])', expect.stringContaining("AttributeError: 'list' object has no attribute 'real'")],
  ['"{0[a]} {1!r:>4}".format({"a": 1}, "b")', `"1  'b'"`],
  ['"{0[b]}".format({"a": 1})', "KeyError: 'b'"],
  ['"{:z.1f} {:z.1f} {:z.0e}".format(-0.04, 2, -0.0)', "'0.0 2.0 0e+00'"],
  ['f"{\'é\'!a}"', `"'\\\\xe9'"`],
  ['hasattr("a", "upper"), hasattr({"a": 1}, "a"), hasattr([], "nope")', '(True, False, False)'],
  ['repr("é\\n\\x00".encode())', `"b'\\\\xc3\\\\xa9\\\\n\\\\x00'"`],
  ['"".join(filter(str.isdigit, "a1b2"))', "'12'"],
  ['sorted(["b", "A"], key=str.lower), list(map(str.strip, [" a "])), str.join("-", "ab")', "(['A', 'b'], ['a'], 'a-b')"],
  ['dict.fromkeys("ab", 0), "ab".translate(str.maketrans("a", "x")), list.index([1, 2], 2)', "({'a': 0, 'b': 0}, 'xb', 1)"],
  ['str.upper(1)', "TypeError: descriptor 'upper' for 'str' objects doesn't apply to a 'int' object"],
  ['list(itertools.zip_longest([None], [1, 2], fillvalue=0))', '[(None, 1), (0, 2)]'],
  [
    'pow(2, 3, 5), pow(3, -1, 7), pow(-2, 3, 5), pow(2, 3, -5), pow(2, 10**9, 10**9 + 7), pow(2, 3, mod=None)',
    '(3, 5, 2, -2, 140625001, 8)',
  ],
  ['pow(2, -1, 4)', 'ValueError: base is not invertible for the given modulus'],
  ['pow(2, 3, 0)', 'ValueError: pow() 3rd argument cannot be 0'],
  ['pow(2.0, 3, 5)', 'TypeError: pow() 3rd argument not allowed unless all arguments are integers'],
  ['pow(2)', expect.stringMatching(/^TypeError: /)],
  ['divmod(7, 2, 3)', 'TypeError: divmod expected exactly 2 arguments, got 3'],
  ['list(zip([1], [1, 2], strict=True))', 'ValueError: zip() argument 2 is longer than argument 1'],
  ['list(zip([1], [1, 2], strict=False))', '[(1, 1)]'],
  ['list(map(str.upper))', expect.stringMatching(/^TypeError: /)],
  ['all([], [])', expect.stringMatching(/^TypeError: /)],
  ['sorted([2, 1], order=1)', expect.stringMatching(/^TypeError: /)],
  ['[2, 1].sort(order=1)', expect.stringMatching(/^TypeError: /)],
  ['[1].clear(1)', expect.stringMatching(/^TypeError: /)],
  ['{"a": 1}.get("b", default=2)', expect.stringMatching(/^TypeError: /)],
  ['int(12, 3)', "TypeError: int() can't convert non-string with explicit base"],
  ['int("12", base=3), int("12", 3)', '(5, 5)'],
  ['math.log(8, 2), math.pow(2, 3)', '(3.0, 8.0)'],
  ['math.sqrt(4, 2)', 'TypeError: sqrt expected exactly 1 argument, got 2'],
  ['list(itertools.accumulate([1, 2], initial=10))', '[10, 11, 13]'],
  ['list(itertools.combinations([1, 2]))', expect.stringMatching(/^TypeError: /)],
  ['list(itertools.islice([1, 2, 3], 1, None))', '[2, 3]'],
  ['re.match("(a)|(?P<b>b)", "a").groupdict("none"), re.match(r"(a)|(b)", "a").groups("")', "({'b': 'none'}, ('a', ''))"],
  ['re.compile("a").sub("b", "aa", count=1), re.sub("a", "b", "aA", flags=re.I), re.split("a", "1a2a3", 1)', "('ba', 'bb', ['1', '2a3'])"],
  ['re.compile("a").search("ba", 1)', expect.stringMatching(/^TypeError: /)],
  ['re.search(re.compile("a"), "a", re.I)', 'ValueError: cannot process flags argument with a compiled pattern'],
])('%s gives %s', (expression, expected) => {
  expect(run(`return ${expression}`)).toEqual(expected)
})

test('a name without a value has no text', () => {
  expect(run('return repr(nothing)')).not.toContain('class')
})

test('what json.dumps cannot do is refused, not ignored', () => {
  expect(run('return json.dumps({}, default=str)')).toContain('"default" of json.dumps')
})

test('a JSONDecodeError is one, and a ValueError', () => {
  for (const type of ['json.JSONDecodeError', 'ValueError'])
    expect(run(`try:\n    json.loads("x")\nexcept ${type}:\n    return "caught"`)).toBe("'caught'")
  expect(run('try:\n    json.loads("x")\nexcept KeyError:\n    return "caught"')).toMatch(/^JSONDecodeError: /)
})

test('finally runs whatever a handler does, and a return in it drops the exception', () => {
  const raised = 'try:\n    raise KeyError("a")\nexcept KeyError:\n    r.append(1)\n    raise ValueError("b")\nfinally:\n    r.append(2)'
  expect(run(`r = []\ntry:\n${raised.replace(/^/gm, '    ')}\nexcept ValueError:\n    r.append(3)\nreturn r`)).toBe('[1, 2, 3]')
  expect(run('try:\n    raise KeyError("a")\nfinally:\n    return 1')).toBe('1')
})

test('an exception in else is not for the handlers beside it', () => {
  expect(run('try:\n    pass\nexcept ValueError:\n    return "caught"\nelse:\n    raise ValueError("e")')).toBe('ValueError: e')
})

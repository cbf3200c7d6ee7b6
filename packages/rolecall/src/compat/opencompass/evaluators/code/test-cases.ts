import { dictGet, pyRepr } from '@rolecall/core/internal/python'
import { checkedProgram } from '../../../../evaluation/score/evaluate/code/check-answer.ts'
import type { Program } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { jsonDict } from '../json-dict.ts'

/** Python beside the answer: `_code` becomes a function, `tested`, which takes arguments or standard input. */
const loading = (header: string, name: string | undefined, isByLine: boolean) => `import io as _io, sys as _sys, builtins as _builtins

def _in_function(code):
    # Code that reads its input becomes a function, which is called for each test.
    head, body = [], []
    for line in code.split('\\n'):
        if line.startswith(('from ', 'import ')) and not body:
            head.append(line)
        else:
            body.append('\\t' + line)
    return '\\n'.join([*head, 'stdin = sys.stdin', 'stdout = sys.stdout', 'def code():', *body, ''])

def _without_main(code):
    import ast
    try:
        tree = ast.parse(code)
        last = tree.body[-1]
        if isinstance(last, ast.If) and ast.unparse(last.test) == "__name__ == '__main__'":
            return ast.unparse(tree.body[:-1]) + '\\n' + ast.unparse(last.body)
    except Exception:
        pass
    return code

def _printed(function, text):
    class Lines(_io.StringIO):
        buffer = _io.BytesIO(text.encode())
    kept = _sys.stdin, _sys.stdout, _builtins.open
    _sys.stdin, _sys.stdout = Lines(text), _io.StringIO()
    _builtins.open = lambda *args, **options: _io.StringIO(text)
    try:
        try:
            function()
        except SystemExit:
            pass
        return _sys.stdout.getvalue()
    finally:
        _sys.stdin, _sys.stdout, _builtins.open = kept

names['__name__'] = 'tmp_sol'
_header, _name = ${pyRepr(header)}, ${name === undefined ? 'None' : pyRepr(name)}
if _name is None:
    exec(_header + _in_function(${isByLine ? '_without_main(_code)' : '_code'}), names)
    _function = names['code']
    names['_rolecall_tested'] = lambda text: _printed(_function, text)
else:
    exec(_header + _code, names)
    names['_rolecall_tested'] = getattr(names['Solution'](), _name) if 'class Solution' in _code else names[_name]
names['_rolecall_loaded'] = lambda: True
`

/**
 * Python that tests code on cases, via standard input or a function call, and writes the results as JSON: true, false, -1 for an error and -2
 * for a compile error, as in APPS.
 */
const harness = `import json as _json

def _whole(value):
    return isinstance(value, int) or (isinstance(value, str) and value.isdigit())

def _close(said, right):
    if all(_whole(a) and _whole(b) for a, b in zip(said, right)):
        return False
    said, right = [float(a) for a in said], [float(b) for b in right]
    return len(said) == len(right) and all(abs(a - b) <= 1e-8 + 1e-5 * abs(b) for a, b in zip(said, right))

def _same_lines(printed, wanted, by_words):
    lines = printed.splitlines()
    if isinstance(wanted, list):
        wanted = '\\n'.join(wanted)
    for text in ('\\n'.join(lines), '\\n'.join(line.strip() for line in lines)):
        if text.strip() == wanted.strip():
            return True
    right = [line.strip() for line in wanted.split('\\n') if line]
    if lines == right:
        return True
    lines = [line for line in lines if line]
    if lines == right:
        return True
    try:
        if _close(lines, right):
            return True
    except Exception:
        pass
    if not by_words:
        return False
    said, right = [set(line.split()) for line in lines if line.split()], [set(line.split()) for line in right]
    if {frozenset(line) for line in said} == {frozenset(line) for line in right}:
        return True
    try:
        rounded = lambda rows: {frozenset(round(float(word), 3) for word in row) for row in rows}
        return rounded(said) == rounded(right)
    except Exception:
        return False

def _keys_as_numbers(value):
    # JSON has texts as keys only.
    return {int(key): one for key, one in value.items()}

def _same_value(said, right):
    if isinstance(said, tuple):
        said = list(said)
    if said == right or (isinstance(right, list) and right and said == right[0]):
        return True
    try:
        return isinstance(said[0], tuple) and [list(one) for one in said] == right[0]
    except Exception:
        return False

def _results(cases, stops, from_lines):
    name, function = cases.get('fn_name'), _answer('_rolecall_tested')
    try:
        _answer('_rolecall_loaded')()
    except BaseException:
        return [-2]
    results = []
    for given, wanted in zip(cases['inputs'], cases['outputs']):
        try:
            if name is None:
                text = '\\n'.join(given) if isinstance(given, list) else given
                right = _same_lines(function(text), wanted, not from_lines)
            else:
                if from_lines:
                    given, wanted = [_json.loads(line) for line in given.split('\\n')], _json.loads(wanted)
                try:
                    if isinstance(given[0], dict):
                        given = [_keys_as_numbers(given[0])]
                except Exception:
                    pass
                try:
                    if isinstance(wanted, dict):
                        wanted = [_keys_as_numbers(wanted)]
                    elif isinstance(wanted[0], dict):
                        wanted = [_keys_as_numbers(wanted[0])]
                except Exception:
                    pass
                right = _same_value(function(*given), wanted)
        except KeyboardInterrupt:
            raise
        except BaseException:
            right = -1
        results.append(right)
        if stops and right is not True and not _pending():
            break
    return results
`

/** Imports that programs of these benchmarks may rely on. Packages missing in the sandbox are left out. */
const headers = {
  livecodebench: `from string import *
from re import *
from datetime import *
from collections import *
from heapq import *
from bisect import *
from copy import *
from math import *
from random import *
from statistics import *
from itertools import *
from functools import *
from operator import *
from io import *
from sys import *
from json import *
from builtins import *
from typing import *
import string, re, datetime, collections, heapq, bisect, copy, math, random, statistics, itertools, functools, operator, io, sys, json
`,
  apps: `import sys, time, itertools, collections, math, fractions, random, heapq
from itertools import accumulate, product, permutations, combinations
from collections import Counter, OrderedDict, deque, defaultdict, ChainMap
from functools import lru_cache
from math import sqrt, sin, cos, tan, ceil, fabs, floor, gcd, exp, log, log2
from typing import List, Tuple
from heapq import *
`,
}

/** A program that reports the results of code on test cases, JSON of { inputs, outputs, fn_name }. */
export function testCases(code: string, cases: string, style: keyof typeof headers): Program {
  const isLiveCodeBench = style === 'livecodebench' ? 'True' : 'False'
  return checkedProgram({
    code,
    load: loading(headers[style], functionName(cases), style === 'livecodebench'),
    tests: `${harness}\nresult = _json.dumps(_results(_json.loads(${pyRepr(cases)}), ${isLiveCodeBench}, ${isLiveCodeBench}))\n`,
    leaves: 'result',
  })
}

function functionName(cases: string): string | undefined {
  const read = jsonDict(cases)
  const name = read && dictGet(read, 'fn_name')
  return typeof name === 'string' ? name : undefined
}

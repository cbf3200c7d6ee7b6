import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, type PyValue, pyRepr, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { checkedProgram } from '../../../../evaluation/score/evaluate/code/check-answer.ts'
import { leaving, type Program } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { columnOf } from '../../../../evaluation/score/evaluate/given.ts'
import { jsonDict } from '../json-dict.ts'

/**
 * Python that calls a function with EvalPlus's inputs and compares what it returns with what the reference solution returns. The rules are
 * those of EvalPlus: floats may differ by 1e-6, some problems of MBPP have several right results.
 */
const harness = `import copy as _copy, json as _json, math as _math

def _function(code, name):
    names = {}
    exec(code, names)
    return names[name]

def _tuples(value):
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value

def _floats(value):
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(isinstance(item, float) for item in value)
    return isinstance(value, float)

def _close(said, right, most):
    if isinstance(right, (list, tuple)):
        return len(said) == len(right) and all(_close(a, b, most) for a, b in zip(said, right))
    if isinstance(right, complex) or isinstance(said, complex):
        return abs(said - right) <= most + 1e-07 * abs(right)
    said, right = float(said), float(right)
    return said == right or (_math.isfinite(right) and abs(said - right) <= most + 1e-07 * abs(right))

def _pyramid(edge, height):
    return round(edge ** 2 + 2 * edge * _math.sqrt((edge / 2) ** 2 + height ** 2))

def _digits(one, other):
    one, other = str(one), str(other)
    size = max(len(one), len(other))
    return sum(abs(int(a) - int(b)) for a, b in zip(one.zfill(size), other.zfill(size)))

_sets = 'similar_elements find_char_long common_in_nested_lists extract_singly larg_nnum intersection_array find_dissimilar Diff'.split()
_matches = 'check_str text_match_three text_starta_endb'.split()

def _equal(name, given, said, right, most, is_mbpp):
    if is_mbpp and name in _sets:
        return set(said) == set(right)
    if is_mbpp and name in _matches:
        return said == right if isinstance(said, bool) else right == (said is not None)
    if said == right or not is_mbpp:
        return said == right
    if name == 'sum_div':
        return said == 0
    if name == 'surface_Area':
        return abs(said - _pyramid(*given)) <= most
    if name == 'digit_distance_nums':
        return said == _digits(*given)
    return name == 'are_equivalent'

def _passes(task, inputs, is_mbpp):
    name, most = task['entry_point'], task['atol']
    function = _answer(name)
    reference = _function(task['prompt'] + task['canonical_solution'], name)
    for given in inputs:
        right = reference(*_copy.deepcopy(given))
        if is_mbpp and name in _matches:
            right = right is not None
        try:
            said = function(*given)
            if name == 'find_zero' and not is_mbpp:
                equal = abs(sum(part * _math.pow(said, power) for power, part in enumerate(given[0]))) <= most
                if not equal and not _pending():
                    return False
                continue
            equal = _equal(name, given, said, right, most, is_mbpp)
            if most == 0 and _floats(right):
                most = 1e-6
            if not equal and not (most != 0 and type(said) == type(right) and _close(said, right, most)) and not _pending():
                return False
        except BaseException:
            if not _pending():
                return False
    return True
`

/** How the arguments of MBPP's functions are made from JSON, which has neither tuples nor sets; `a` are the arguments. */
const shapes: readonly (readonly [numbers: string, python: string])[] = [
  ['2 116 132 143 222 261 273 394 399 421 424 429 470 560 579 596 616 630 726 740 744 809', '[tuple(x) for x in a]'],
  ['63 64 70 94 120 237 272 299 400 409 417 438 473 614 780', '[[tuple(y) for y in x] for x in a]'],
  ['75 413 444 753', '[[tuple(x) for x in a[0]], *a[1:]]'],
  ['106 750', '[a[0], tuple(a[1])]'],
  ['115', '[[set(x) if isinstance(x, list) and x else {} for x in a[0]]]'],
  ['124', '[float(a[0]), complex(a[1])]'],
  ['250 307 405 446 617 720 763 808', '[tuple(a[0]), *a[1:]]'],
  ['252', '[complex(a[0])]'],
  ['259 401 445', '[tuple(tuple(y) for y in x) for x in a]'],
  ['278', '[tuple(tuple(x) if isinstance(x, list) else x for x in a[0])]'],
  ['580 615 791', '_tuples(a)'],
  ['722', '[{key: tuple(x) for key, x in a[0].items()}, *a[1:]]'],
]

/** The columns of a task of EvalPlus that its tests need. */
export const evalPlusColumns = ['prompt', 'canonical_solution', 'entry_point', 'atol', 'base_input', 'plus_input'] as const

/** The program that tests code on EvalPlus's base and additional inputs. */
export function evalPlusProgram(row: Row, code: string, of: 'humaneval' | 'mbpp'): Program {
  const task = columnOf(row, 'evalplus')
  const id = pyStr(columnOf(row, 'task_id')).split('/').at(-1)!
  const shape = of === 'mbpp' ? shapes.find(([numbers]) => numbers.split(' ').includes(id))?.[1] : undefined
  const isMbpp = of === 'mbpp' ? 'True' : 'False'
  const checked = (inputs: string) => `_passes(_task, [${shape ?? 'a'} for a in _task['${inputs}']], ${isMbpp})`
  return checkedProgram({
    code,
    load: 'exec(_code, names)',
    tests: `${harness}
_task = _json.loads(${pyRepr(stringifyJson(task))})
_result = _json.dumps({'base': ${checked('base_input')}, 'plus': ${checked('plus_input')}})
`,
    leaves: '_result',
  })
}

/** Whether code passed the base and the additional tests; a program that was interrupted passed neither. */
export function evalPlusResult(said: PyValue): { base: boolean; plus: boolean } {
  const text = pyStr(said)
  const result = text.startsWith(leaving) ? jsonDict(text.slice(leaving.length)) : undefined
  const passed = (name: string) => result !== undefined && dictGet(result, name) === true
  return { base: passed('base'), plus: passed('plus') }
}

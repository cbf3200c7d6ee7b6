import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictGet,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  pyEqual,
  pyRepr,
  pyStr,
  strip,
} from '@rolecall/core/internal/python'
import * as z from 'zod'
import { type CodeCheck, checkedProgram } from '../../../../evaluation/score/evaluate/code/check-answer.ts'
import { defineEvaluator, passed, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, textColumn, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll } from '../../../../python/regex/index.ts'
import { literalData, readLiteral } from '../../../../python/syntax/literal.ts'
import { parseModule } from '../../../../python/syntax/parse-module.ts'

/** Code for an answer that repeats the question: it cannot pass. */
const repeated = "raise ValueError('the answer repeats the call that it should tell the value of')\n"

/** The value that an answer tells, computed without the code of the row, of which it is to tell the result. */
function predicted(imports: string, code: string, output: string, value: string): CodeCheck {
  return {
    code: value,
    load: `exec(${pyRepr(imports)}, names)\nvalue = compile(_code.strip(), '<answer>', 'eval')\nnames['value'] = lambda: eval(value, names)`,
    tests: `${imports}\n${code}\nassert ${output} == _answer('value')()\n`,
  }
}

export const cruxEval = defineEvaluator({
  names: ['CRUXEvalOEvaluator'],
  does: 'Right when the answer is the `output` of the row: `assert output == answer` after the `code` of the row, run in the Python sandbox.',
  example: {
    row: { code: 'def f(x): return x + 2', input: '5', output: '7', id: 's1' },
    answer: '7',
    program: `…_check('7', [], "\\ndef f(x): return x + 2\\nassert 7 == _answer('value')()\\n", False, None, [], None)\n`,
  },
  options: z.strictObject({ timeout: z.unknown().optional().describe('Ignored: the sandbox has its own limit.') }),
  with: () => ({
    ...shareOf('CRUXEval-O'),
    needsReference: false,
    runs(row, answer) {
      if (answer.includes(`f(${textColumn(row, 'input')})`)) return repeated
      return checkedProgram(predicted('', textColumn(row, 'code'), textColumn(row, 'output'), answer))
    },
    judge({ prediction, row }) {
      const correct = (isList(prediction) ? prediction : [prediction]).some((said) => said === passed)
      return {
        score: Number(correct),
        detail: { id: dictGet(row, 'id') ?? null, result: prediction, reference: dictGet(row, 'output') ?? null, is_correct: correct },
      }
    },
  }),
})

/** Imports that LiveCodeBench's programs may rely on. Packages missing in the sandbox are left out. */
const imports = `from itertools import *
from copy import deepcopy
from string import ascii_lowercase
from math import floor, log2, log10, sqrt, comb, gcd, ceil, inf, isqrt, log, prod
from collections import defaultdict, deque, Counter, OrderedDict
from bisect import bisect, bisect_left, bisect_right, insort
from heapq import heappush, heappop, heapify, merge
from functools import reduce, cache, lru_cache, partial
from random import randrange, shuffle
from operator import itemgetter, sub, iand
from re import search as re_search
from os.path import commonprefix
from typing import List, Tuple, Dict, Set, Optional, Union, Any, Callable, Iterable, Iterator, Generator
import copy, string, math, collections, bisect, heapq, functools, random, itertools, operator, re, sys
`

/** The value that an answer states: in [PYTHON]…[/PYTHON], after ==, before [/ANSWER], else its first line. */
function predictedValue(answer: string): string {
  let text = findAll(String.raw`\[PYTHON\](.*?)\[\/PYTHON\]`, answer, { dotAll: true }).at(-1) ?? answer
  if (text.includes('==')) text = strip(text.split('==')[1]!)
  return strip(text.includes('[/ANSWER]') ? text.split('[/ANSWER]')[0]! : text.split('\n')[0]!)
}

function jsonGold(reference: PyValue): PyDict {
  try {
    const gold = parseJson(goldText(reference))
    if (isDict(gold)) return gold
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
  }
  throw wrongGold('it is not a JSON object', 'use rows as the loader of LiveCodeBench gives them')
}

export const codeExecution = defineEvaluator({
  names: ['LCBCodeExecutionEvaluator'],
  does: 'Right when the value that the answer tells is that of the gold answer, JSON of { code, input, output }, run in the Python sandbox; equal values must have equal types.',
  example: {
    row: {},
    answer: '3',
    gold: '{"code": "def f(x): return x + 1", "input": "f(2)", "output": "3"}',
    program: `…def f(x): return x + 1\\nassert 3 == _answer('value')()\\n", True, None, [], None)\n`,
  },
  ...shareOf('pass@1'),
  runs(_row, answer, reference) {
    const gold = jsonGold(reference)
    const [code, input, output] = ['code', 'input', 'output'].map((name) => pyStr(dictGet(gold, name) ?? ''))
    const value = predictedValue(answer)
    return value.includes(input!) ? repeated : checkedProgram({ ...predicted(imports, code!, output!, value), isTyped: true })
  },
  judge: ({ prediction }) => verdict(prediction === passed, { result: prediction }),
})

/** The last line that begins with assert, else the first code block. */
function testIn(answer: string): string {
  const lines = answer.split('\n')
  const last = lines.findLast((line) => line.startsWith('assert'))
  if (last !== undefined) return last
  const first = lines.findIndex((line) => /```[pP]ython/.test(line))
  const fences = lines.flatMap((line, index) => (line.includes('```') && index >= first ? [index] : []))
  return fences.length < 2 ? '' : lines.slice(fences[0]! + 1, fences[1]).join('\n')
}

/** The value that a test expects: the right side of == in its assertion, else the text itself. */
function expectedValue(test: string): PyValue | undefined {
  const lines = test.split('\n')
  const line = lines.length > 1 ? lines.find((one) => !one.startsWith('#') && one.includes('assert')) : undefined
  const text = strip(line ?? test)
  if (!text.includes('assert')) return readLiteral(text)
  try {
    const [statement] = parseModule(`${text}\n`, 'the answer').body
    if (statement?.kind !== 'assert' || statement.test.kind !== 'compare') return undefined
    const [right] = statement.test.rest
    return right?.operator === '==' ? literalData(right.operand) : undefined
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

export const testOutput = defineEvaluator({
  names: ['LCBTestOutputEvaluator'],
  does: 'Right when the value that the answer expects, right of == in its assertion, is the `output` of the gold answer, which is JSON; 2 is 2.0.',
  example: { answers: ['assert f(1) == 2', 'assert f(1) == 3'], gold: ['{"output": "2"}', '{"output": "2"}'], figures: { 'pass@1': 50 } },
  ...shareOf('pass@1'),
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const said = expectedValue(testIn(answerText(prediction)))
    const gold = readOrNothing(pyStr(dictGet(jsonGold(reference), 'output') ?? ''))
    return verdict(said !== undefined && gold !== undefined && pyEqual(said, gold), { pred: said ?? null, answer: gold ?? null })
  },
})

function readOrNothing(json: string): PyValue | undefined {
  try {
    return parseJson(json)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

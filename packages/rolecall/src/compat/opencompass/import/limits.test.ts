import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import { ImportLimitError } from '../../../../../core/src/base/python/syntax/import-error.ts'
import { importConfig } from './import-config.ts'

const limits = { steps: 200_000, memory: 2_000_000, imports: 5, files: 50, calls: 30 }

function read(text: string, files: Record<string, string> = {}) {
  const all: Record<string, string> = { 'config.py': text, ...files }
  return importConfig('config.py', { limits, read: (path) => (Object.hasOwn(all, path) ? all[path] : undefined) })
}

describe('resource exhaustion is stopped', () => {
  const hostile: Record<string, string> = {
    'a loop without an end': 'while True:\n    pass',
    'a list that grows while it is read': 'a = [1]\nfor x in a:\n    a.append(x)',
    'a function that calls itself': 'def f(x):\n    return f(x)\nf(1)',
    'a text that is doubled': "a = 'x'\nwhile True:\n    a += a",
    'a list that is doubled': 'a = [1]\nwhile True:\n    a = a + a',
    'a huge repetition': "a = 'x' * 10 ** 12",
    'a huge list': 'a = [0] * 10 ** 9',
    'a huge range': 'a = list(range(10 ** 9))',
    'a huge number': 'a = 10 ** 10 ** 10',
    'a huge width': "a = f'{1:{10 ** 9}}'",
    'a huge product': 'import itertools\na = list(itertools.product(range(100), repeat=10))',
    'shared lists shown as text': `a = [1]\n${'a = [a, a]\n'.repeat(60)}b = str(a)`,
    'shared lists that are compared': `a = [1]\nb = [1]\n${'a = [a, a]\nb = [b, b]\n'.repeat(60)}c = a == b`,
    'shared lists in a config': `a = [1]\n${'a = [a, a]\n'.repeat(60)}models = [dict(a=a)]`,
    'brackets inside one another': `a = ${'['.repeat(5000)}${']'.repeat(5000)}`,
    'signs inside one another': `a = ${'-'.repeat(5000)}1`,
    'a sum of many': `a = ${Array(5000).fill('1').join(' + ')}`,
    'a chain of calls': `a = ${'f'.repeat(1)}${'()'.repeat(5000)}`,
    'blocks inside one another': Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}if 1:`).join('\n'),
    'elif after elif': `if 0: pass\n${'elif 0: pass\n'.repeat(5000)}`,
    'f-strings inside one another': `a = ${`f'{f"{`.repeat(50)}1${`}"}'`.repeat(50)}`,
    'a dict of many keys that are not strings': 'a = {i: i for i in range(10 ** 6)}',
    'a deep value': 'a = []\nfor i in range(10 ** 4):\n    a = [a]\nmodels = [dict(a=a)]',
    'a list that contains itself': 'a = []\na.append(a)\nmodels = [dict(a=a)]',
    'replacing that grows': "a = 'x' * 10 ** 5\na = a.replace('x', 'y' * 10 ** 5)",
    'joining that grows': "a = ['x' * 1000] * 10 ** 5\nb = ''.join(a)",
    'sorting with comparisons of shared lists': `a = [1]\n${'a = [a, a]\n'.repeat(60)}b = sorted([[a], [a]])`,
  }
  for (const [name, text] of Object.entries(hostile)) {
    test(name, () => {
      const elapsed = processorTimer()
      let thrown: unknown
      try {
        read(text)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(PromptError)
      expect(elapsed()).toBeLessThan(2000)
    })
  }

  test('circular imports', () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}.py`, `from .f${index + 1} import *`]))
    expect(() => read('from .f0 import *', files)).toThrow('more than 5 files import one another')
  })

  test('an import tree with many branches', () => {
    const files = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`f${index}.py`, `from .f${index + 1} import *\n`.repeat(8)]))
    expect(() => read('from .f0 import *', { ...files, 'f3.py': 'x = 1' })).toThrow('more than 50 files')
  })

  test('a limit is reported with its location', () => {
    const error = thrownBy(() => read('x = 1\nwhile True: pass'))
    expect(error).toBeInstanceOf(ImportLimitError)
    expect((error as Error).message).toMatch(/^config\.py:2:\d+: it needs more than 200,000 steps\. A config does not need that much/)
  })
})

describe('any text gives a config or a PromptError, within the limits', () => {
  const folder = new URL('fixtures/configs/', import.meta.url)
  const sources = [
    'datasets/quiz/quiz_gen_000000.py',
    'datasets/quiz/quiz_ppl_000000.py',
    'datasets/arithmetic/depths.py',
    'models/hf_tiny.py',
  ].map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const files = { 'quiz_sets.py': readFileSync(new URL('datasets/quiz/quiz_sets.py', folder), 'utf8') }
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    "'",
    '"',
    '"""',
    "f'",
    '{',
    ':',
    ',',
    '=',
    '\n',
    '\n    ',
    ' for x in y',
    ' if ',
    ' else ',
    'lambda ',
    '*',
    '**',
    '\\',
    '#',
    '...',
    ' in ',
    'not ',
    'dict(',
    'def f(a):',
    'del ',
    'while 1: ',
    '0x',
    '1e',
    '\t',
    '\0',
    '😀',
    '. ',
    '@',
    ':=',
    'with ',
    'import ',
    'from . import ',
    '-',
    '%',
    'locals()',
    'None',
  ]

  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), insert: fc.constantFrom('', ...pieces) })

  test('mutated configs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(edit, { minLength: 1, maxLength: 6 }), fc.boolean(), (source, edits, lenient) => {
        let text = source
        for (const { at, remove, insert } of edits) {
          const offset = Math.floor(at * text.length)
          text = text.slice(0, offset) + insert + text.slice(offset + remove)
        }
        expectBounded(text, lenient)
      }),
      { numRuns: propertyRuns(300) },
    )
  }, 60_000)

  test('random fragments of Python in any order', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...pieces, 'x', 'y', ' 1 ', 'models', 'datasets = [', 'for ', 'a = '), fc.string({ maxLength: 4 })),
          { maxLength: 40 },
        ),
        (parts) => expectBounded(parts.join(''), false),
      ),
      { numRuns: propertyRuns(500) },
    )
  }, 60_000)

  function expectBounded(text: string, lenient: boolean): void {
    const elapsed = processorTimer()
    const all: Record<string, string> = { 'config.py': text, ...files }
    const asked: string[] = []
    try {
      importConfig('config.py', {
        limits,
        lenient,
        read: (path) => {
          asked.push(path)
          return Object.hasOwn(all, path) ? all[path] : undefined
        },
      })
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      expect([error.where, error.problem, error.fix].every((part) => part.length > 0)).toBe(true)
    }
    expect(elapsed()).toBeLessThan(5000)
    // Nothing outside the root is ever read.
    expect(asked.filter((path) => path.startsWith('/') || path.split('/').includes('..'))).toEqual([])
  }
})

function thrownBy(attempt: () => unknown): unknown {
  try {
    attempt()
  } catch (error) {
    return error
  }
  return undefined
}

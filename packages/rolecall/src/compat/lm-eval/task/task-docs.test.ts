import { describe, expect, test } from 'vitest'
import { dictGet } from '../../../../../core/src/base/python/index.ts'
import type { Value } from '../../../../../core/src/base/python/values/value.ts'
import type { Row } from '../../../../../core/src/prompt/conversation/row.ts'
import { functionHost } from '../python/function-host.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { Doc } from './field.ts'
import { readTask } from './task-config.ts'
import { docsOfTask } from './task-docs.ts'

const rows: Readonly<Record<string, readonly Row[]>> = { train: [{ id: 0 }, { id: 1 }], test: [{ id: 2 }] }

function shuffled(generator: string, splits: Readonly<Record<string, string>>, local = '') {
  const source = `
import random
rng = ${generator}

def process_docs(dataset):
    ${local}
    def shuffle(doc):
        letters = list("abcd")
        rng.shuffle(letters)
        return {"letters": "".join(letters)}
    return dataset.map(shuffle)
`
  const keys: [string, Value][] = [...Object.entries(splits), ['process_docs', new FunctionMark('utils.process_docs', 't.yaml')]]
  const { docs, pool, notes } = docsOfTask(
    readTask(new Map(keys), 't.yaml'),
    (split) => rows[split],
    functionHost((path) => (path === 'utils.py' ? source : undefined)),
  )
  const letters = (given: readonly Doc[] | undefined) => given?.map((doc) => dictGet(doc, 'letters'))
  return { docs: letters(docs), pool: letters(pool), notes: notes.map(({ code }) => code) }
}

/** All letters are what CPython's `random` shuffles. */
describe('process_docs with random numbers', () => {
  test("a module's generator goes on: examples, the check of the first document, requests", () => {
    expect(shuffled('random.Random(42)', { training_split: 'train', validation_split: 'train' })).toEqual({
      pool: ['cbda', 'dcab'],
      docs: ['bcda', 'bdca'],
      notes: ['documents-vary'],
    })
    expect(shuffled('random.Random(42)', { training_split: 'train', test_split: 'test' })).toEqual({
      pool: ['cbda', 'dcab'],
      docs: ['bcad'],
      notes: ['documents-vary'],
    })
  })

  test('a generator that each call creates or seeds again returns the same documents', () => {
    const same = { pool: ['cbda', 'dcab'], docs: ['cbda', 'dcab'], notes: [] }
    const splits = { training_split: 'train', validation_split: 'train' }
    expect(shuffled('None', splits, 'rng = random.Random(42)')).toEqual(same)
    expect(shuffled('random.Random(1)', splits, 'rng.seed(42)')).toEqual(same)
  })

  test('the global generator serves each split once, examples first: the dataset cache keeps what it made', () => {
    expect(shuffled('random', { training_split: 'train', test_split: 'test' })).toEqual({
      pool: ['cabd', 'abdc'],
      docs: ['acbd'],
      notes: [],
    })
    expect(shuffled('random', { validation_split: 'train' })).toEqual({ pool: ['cabd', 'abdc'], docs: ['cabd', 'abdc'], notes: [] })
  })

  test('a missing split is named', () => {
    expect(() => shuffled('random', { training_split: 'dev', test_split: 'test' })).toThrow('the dataset has no split "dev"')
  })
})

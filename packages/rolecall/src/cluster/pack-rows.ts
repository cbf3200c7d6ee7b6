import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, isDict, isList, type PyValue, parseCompactJson } from '@rolecall/core/internal/python'
import { z } from 'zod'
import type { RowRetry, RowTask } from '../evaluation/run/run-types.ts'

/** Serialises the rows of a job. Examples that several rows share are written once. */
export function packRows(tasks: readonly RowTask[], examplesText: (examples: readonly Row[]) => string = examplesJson): string {
  const places = new Map<readonly Row[], number>()
  const examples: string[] = []
  const rows = tasks.map((task) => {
    let place = places.get(task.examples)
    if (place === undefined) {
      place = examples.push(examplesText(task.examples)) - 1
      places.set(task.examples, place)
    }
    return { id: task.id, key: task.key, row: task.row, shown: place, retry: task.retry }
  })
  return compactJson({ rows, examples } as PyValue)
}

function examplesJson(examples: readonly Row[]): string {
  return compactJson({ examples } as PyValue)
}

/** The serialised examples of jobs: a run's fixed examples are one list for all rows, and serialised once. */
export class ExampleTexts {
  readonly #known = new WeakMap<readonly Row[], string>()

  of(examples: readonly Row[]): string {
    const text = this.#known.get(examples) ?? examplesJson(examples)
    this.#known.set(examples, text)
    return text
  }
}

const mostLists = 64

/** The examples of jobs that are taken: the same list for the same text. */
export class ExampleLists {
  readonly #known = new Map<string, readonly Row[]>()

  read(text: string): readonly Row[] {
    const known = this.#known.get(text)
    if (known) return known
    const list = readExamples(text)
    if (this.#known.size >= mostLists) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(text, list)
    return list
  }
}

/** Parses the output of `packRows`. `examplesOf` may return the same list for the same text, so that the prefix of a prompt is rendered once. */
export function unpackRows(text: string, examplesOf: (text: string) => readonly Row[] = readExamples): RowTask[] {
  const { rows, examples } = parsed(text)
  if (!isList(rows) || !isList(examples)) throw badJob('it has no rows')
  const lists = examples.map((one) => {
    if (typeof one !== 'string') throw badJob('its examples are not text')
    return examplesOf(one)
  })
  return rows.map((one) => {
    const { id, key, row, shown, retry } = isDict(one) && !(one instanceof Map) ? (one as Record<string, PyValue>) : {}
    const list = lists[Number(shown)]
    if (!isKey(key) || !isDict(row) || list === undefined || !Number.isSafeInteger(Number(id))) {
      throw badJob('a row in it has no number, key or columns')
    }
    const task = { id: Number(id), key, row: row as Row, examples: list }
    if (retry === undefined) return task
    const read = retrySchema.safeParse(retry)
    if (!read.success) throw badJob('the second attempt of a row in it has no key, limit or tokens')
    return { ...task, retry: read.data as RowRetry }
  })
}

const keyPattern = /^[0-9a-f]{64}$/

function isKey(key: PyValue | undefined): key is string {
  return typeof key === 'string' && keyPattern.test(key)
}

const count = z.number().int().min(0)
const retrySchema = z.strictObject({
  of: z.string().regex(keyPattern),
  maxTokens: z.number().int().min(1),
  spent: z.strictObject({ prompt: count, reused: count, reply: count, unreported: count.optional() }),
})

function readExamples(text: string): readonly Row[] {
  const { examples } = parsed(text)
  if (!isList(examples)) throw badJob('its examples are not a list')
  return examples as readonly Row[]
}

function parsed(text: string): Record<string, PyValue> {
  let value: PyValue
  try {
    value = parseCompactJson(text)
  } catch (error) {
    throw badJob(`it is not JSON (${(error as Error).message})`)
  }
  if (!isDict(value) || value instanceof Map) throw badJob('it is not an object')
  return value as Record<string, PyValue>
}

function badJob(problem: string): PromptError {
  return new PromptError('bad-job', {
    where: 'a job in the queue',
    problem,
    fix: 'nothing: it is removed, and the coordinator enqueues its rows again',
  })
}

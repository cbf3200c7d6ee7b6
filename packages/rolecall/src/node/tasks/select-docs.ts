import { existsSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TaskSpec } from '../../compat/lm-eval/dataset/task-spec.ts'
import type { Doc } from '../../compat/lm-eval/task/field.ts'
import { readWholeText } from '../read-whole-file.ts'

/** `--samples`, as JSON or the path of a JSON file: the numbers of the documents to evaluate, by task. */
export function readSamples(given: string | undefined): ReadonlyMap<string, readonly number[]> | undefined {
  if (given === undefined) return undefined
  const text = !given.trimStart().startsWith('{') && existsSync(given) ? readWholeText(given) : given
  try {
    const entries = Object.entries(JSON.parse(text) as object)
    if (text.trimStart().startsWith('{') && entries.every(([, numbers]) => isNumbers(numbers))) return new Map(entries)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new PromptError('bad-samples', {
    where: '--samples',
    problem: 'it is neither JSON with document numbers by task nor the path of such a file',
    fix: `write --samples '{"arc_easy": [0, 5]}'`,
  })
}

/** Refuses `--samples` with tasks that are not evaluated, whose documents it would not choose. */
export function checkSamples(given: string | undefined, tasks: readonly string[]): void {
  const unknown = [...(readSamples(given)?.keys() ?? [])].filter((name) => !tasks.includes(name))
  if (unknown.length > 0)
    throw new PromptError('bad-samples', {
      where: '--samples',
      problem: `it names ${unknown.join(', ')}, which is not evaluated`,
      fix: tasks.length === 0 ? 'leave it out: only tasks of lm-evaluation-harness take it' : `choose from ${tasks.join(', ')}`,
    })
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0)
}

/**
 * The documents with these numbers, in the order of the dataset. As in lm-evaluation-harness, the first of them is logged under the first
 * number, and no numbers select all documents.
 */
export function selectDocs(
  docs: readonly Doc[],
  numbers: readonly number[] | undefined,
  where: string,
): { docs: readonly Doc[]; selected?: TaskSpec['selected'] } {
  if (numbers === undefined || numbers.length === 0) return { docs }
  const surplus = numbers.find((number) => number >= docs.length)
  if (surplus !== undefined)
    throw new PromptError('bad-samples', {
      where: `--samples › ${where}`,
      problem: `there is no document ${surplus}: there are ${docs.length}, numbered from 0`,
      fix: 'correct the numbers',
    })
  const wanted = new Set(numbers)
  return { docs: docs.filter((_, number) => wanted.has(number)), selected: { numbers, of: docs.length } }
}

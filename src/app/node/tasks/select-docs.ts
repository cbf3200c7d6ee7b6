import { existsSync, readFileSync } from 'node:fs'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { TaskSpec } from '../../../compat/lm-eval/dataset/task-spec.ts'
import type { Doc } from '../../../compat/lm-eval/task/field.ts'

/** `--samples`, as JSON or the path of a JSON file: the numbers of the documents to evaluate, by task. */
export function readSamples(given: string | undefined): ReadonlyMap<string, readonly number[]> | undefined {
  if (given === undefined) return undefined
  const text = !given.trimStart().startsWith('{') && existsSync(given) ? readFileSync(given, 'utf8') : given
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

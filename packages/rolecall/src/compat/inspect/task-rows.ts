import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, dictHas, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../python/library/random.ts'
import type { InspectTask } from './eval-yaml.ts'
import { taskColumns } from './prompt-of-task.ts'

/** The letter of a choice: A to Z, then numbers from 1. */
export function choiceLetter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index - 25)
}

/** The position of a choice by its letter or number; undefined for other characters. */
export function choiceIndex(character: string): number | undefined {
  if (/^[A-Za-z]$/.test(character)) return character.toUpperCase().charCodeAt(0) - 65
  return /^\d$/.test(character) ? 25 + Number(character) : undefined
}

/** The rows of a task: its samples, with the columns that its prompt and its scorers read. */
export function rowsOfTask(records: readonly Row[], task: InspectTask, where: string): Record<string, PyValue>[] {
  const { field_spec: fields } = task
  // Inspect draws an order without a seed: every run of it has another.
  const random = task.shuffle_choices ? new PythonRandom(0) : undefined
  return records.map((record, index) => {
    const at = (name: string) => valueAt(record, name, `${where} › row ${index}`)
    const choices = choicesOf(fields.choices, at)
    const target = targetOf(fields.target, choices !== undefined, at)
    const { order, shuffled } = inOrder(choices, random)
    return {
      [taskColumns.input]: at(fields.input),
      [taskColumns.target]: order === undefined ? target : movedTarget(target, order),
      ...(shuffled === undefined
        ? {}
        : {
            [taskColumns.choices]: shuffled.map((choice, number) => `${choiceLetter(number)}) ${choice}`).join('\n'),
            [taskColumns.letters]: shuffled.map((_, number) => choiceLetter(number)).join(','),
          }),
      ...(fields.input_image == null ? {} : { [taskColumns.image]: at(fields.input_image) }),
      ...Object.fromEntries((fields.metadata ?? []).map((name) => [name, at(name)])),
    }
  })
}

function valueAt(record: Row, name: string, where: string): PyValue {
  if (dictHas(record, name)) return dictGet(record, name)!
  throw new PromptError('bad-row', { where, problem: `the row has no "${name}", which field_spec names`, fix: 'check eval.yaml' })
}

function choicesOf(named: string | readonly string[] | null | undefined, at: (name: string) => PyValue): string[] | undefined {
  if (named == null) return undefined
  const values = typeof named === 'string' ? at(named) : named.map(at)
  return isList(values) ? values.map(pyStr) : [pyStr(values)]
}

/** A literal, or the value of a column; the number of a choice becomes its letter. */
function targetOf(named: string, hasChoices: boolean, at: (name: string) => PyValue): string {
  if (named.startsWith('literal:')) return named.split(':')[1]!
  const value = at(named)
  if (hasChoices && (typeof value === 'number' || typeof value === 'bigint')) return choiceLetter(Number(value))
  return pyStr(value)
}

type Ordered = { order?: readonly number[]; shuffled: readonly string[] | undefined }

function inOrder(choices: readonly string[] | undefined, random: PythonRandom | undefined): Ordered {
  if (choices === undefined || random === undefined) return { shuffled: choices }
  const order = choices.map((_, index) => index)
  random.shuffle(order)
  return { order, shuffled: order.map((index) => choices[index]!) }
}

/** The letters of a target after its choices were moved. */
function movedTarget(target: string, order: readonly number[]): string {
  return [...target]
    .map((character) => {
      const index = choiceIndex(character)
      const moved = index === undefined ? -1 : order.indexOf(index)
      return moved < 0 ? character : choiceLetter(moved)
    })
    .join('')
}

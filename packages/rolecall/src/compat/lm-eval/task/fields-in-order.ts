import type { Value } from '@rolecall/core/internal/python'
import type { Doc } from './field.ts'
import type { FieldName } from './kept-fields.ts'
import type { Questions, Task } from './task.ts'

type ReadFields = { text: Value; choices?: readonly Value[] | undefined; target: Value }

/** Calls `read`, which reads this field. */
export type ReadField = <Result>(field: FieldName, read: () => Result) => Result

/**
 * Reads the fields of a document and of its examples as often and in the order that lm-evaluation-harness reads them for the requests:
 * functions that draw random numbers give something else each time. The document comes first.
 */
export function readFields(task: Task, doc: Doc, examples: readonly Doc[], read: ReadField): ReadFields[] {
  const { asked, config, hasInputs } = task
  const ofExamples = examples.map((example) => readOnce(task.examples, example, read))
  const { text, choices, target } = readOnce(asked, doc, read)
  const isChoice = config.outputType === 'multiple_choice'
  const scored = isChoice ? read('choices', () => asked.choices(doc)) : undefined
  const isReadAgain = config.outputType.startsWith('loglikelihood') || (isChoice && hasInputs)
  const again = isReadAgain ? read('target', () => asked.target(doc)) : target
  return [{ text, choices: hasInputs ? choices : (scored ?? choices), target: again }, ...ofExamples]
}

function readOnce(questions: Questions, doc: Doc, read: ReadField): ReadFields {
  const text = read('text', () => questions.text(doc))
  const choices = read('choices', () => questions.choices(doc))
  return { text, choices, target: read('target', () => questions.target(doc)) }
}

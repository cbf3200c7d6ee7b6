import type { Doc } from './field.ts'
import type { KeptFields } from './kept-fields.ts'
import type { Questions, Task } from './task.ts'

/**
 * Reads the fields of a document and of its examples as often and in the order that lm-evaluation-harness reads them for the requests:
 * functions that draw random numbers give something else each time. The document comes first.
 */
export function readFields(task: Task, doc: Doc, examples: readonly Doc[]): KeptFields[] {
  const { asked, config, hasInputs } = task
  const ofExamples = examples.map((example) => readOnce(task.examples, example))
  const { text, choices, target } = readOnce(asked, doc)
  const isChoice = config.outputType === 'multiple_choice'
  const scored = isChoice ? asked.choices(doc) : undefined
  const isReadAgain = config.outputType.startsWith('loglikelihood') || (isChoice && hasInputs)
  const own = { text, choices: hasInputs ? choices : (scored ?? choices), target: isReadAgain ? asked.target(doc) : target }
  return [own, ...ofExamples]
}

function readOnce(questions: Questions, doc: Doc): KeptFields {
  const text = questions.text(doc)
  const choices = questions.choices(doc)
  return { text, choices, target: questions.target(doc) }
}

import { PromptError } from '@rolecall/core/internal/errors'
import { isInt, isListValue, plainText, str, strip, type Value } from '@rolecall/core/internal/python'
import { type Doc, type Field, fieldValue, isConstant } from '../task/field.ts'
import { itemOf, type Questions, type Task } from '../task/task.ts'
import type { Fragment, TaskMessage } from './message.ts'
import { SharedMessages, TaskPrompt } from './task-prompt.ts'

export type PromptOptions = { examples: readonly Doc[]; system?: string | undefined }

/**
 * The prompts of a document: system message, examples, question, and the start of the answer. Usually one; if the choices are inputs, one
 * per choice.
 */
export function buildPrompts(
  task: Task,
  doc: Doc,
  choices: readonly Value[] | undefined,
  { examples, system }: PromptOptions,
): TaskPrompt[] {
  const { asked, config } = task
  const written = writtenFor(task)
  const said = systemMessage(task, doc, system, written)
  const before: SharedMessages[] = said === undefined ? [] : [said]
  for (let number = 0; number < examples.length; number++) before.push(exampleMessages(task, examples[number]!, number, written))
  const prefix = prefixOf(asked, doc)
  if (task.hasInputs)
    return choices!.map((choice) => {
      const question: Fragment = { text: textOf(choice, asked.choiceField!), path: asked.choiceField!.path, doc }
      return new TaskPrompt(before, questionMessages(question, prefix, undefined))
    })
  const question = fragmentOf(asked.text(doc), asked.textField, doc, choices, config.where)
  const delimiter: Fragment | undefined = prefix && { text: asked.targetDelimiter, path: `${config.where} › target_delimiter` }
  return [new TaskPrompt(before, questionMessages(question, prefix, delimiter))]
}

/** The answer prefix of a document. */
export function prefixOf(questions: Questions, doc: Doc, example?: number): Fragment | undefined {
  const text = questions.prefix(doc)
  if (text === undefined || text === '') return undefined
  return { text, path: questions.prefixField!.path, field: questions.prefixField, doc, ...(example === undefined ? {} : { example }) }
}

function systemMessage(task: Task, doc: Doc, system: string | undefined, written: Written): SharedMessages | undefined {
  if (!isConstant(task.description)) return sharedSystem(systemContent(task, doc, system))
  if (!written.systems.has(system)) written.systems.set(system, sharedSystem(systemContent(task, doc, system)))
  return written.systems.get(system)
}

function sharedSystem(content: Fragment[]): SharedMessages | undefined {
  return content.length === 0 ? undefined : new SharedMessages([{ role: 'system', content }])
}

function systemContent(task: Task, doc: Doc, system: string | undefined): Fragment[] {
  const { config, description } = task
  const given: Fragment | undefined = system ? { text: system, path: 'system_instruction' } : undefined
  const value = fieldValue(description, doc)
  const text = value === null ? '' : typeof value === 'string' ? value : plainText(str(value))
  const described: Fragment | undefined = text === '' ? undefined : { text, path: description.path, field: description, doc }
  return delimited(given, described, { text: config.fewshotDelimiter, path: `${config.where} › fewshot_delimiter` })
}

/** What many documents share: examples, each rendered once per position, and system messages that do not depend on the document. */
type Written = { examples: WeakMap<Doc, SharedMessages[]>; count: number; systems: Map<string | undefined, SharedMessages | undefined> }

/** Rendered examples that are kept: fixed sets have a few; those drawn from a large split rarely come twice at one position. */
const mostKept = 10_000

const writtenByTask = new WeakMap<Task, Written>()

function writtenFor(task: Task): Written {
  const known = writtenByTask.get(task)
  if (known) return known
  const made: Written = { examples: new WeakMap(), count: 0, systems: new Map() }
  writtenByTask.set(task, made)
  return made
}

function exampleMessages(task: Task, doc: Doc, example: number, written: Written): SharedMessages {
  const places = written.examples.get(doc) ?? []
  const known = places[example]
  if (known) return known
  const made = new SharedMessages(writeExample(task, doc, example))
  if (written.count < mostKept) {
    written.count++
    places[example] = made
    written.examples.set(doc, places)
  }
  return made
}

function writeExample(task: Task, doc: Doc, example: number): TaskMessage[] {
  const { examples: questions, config } = task
  const where = `${config.where} › fewshot_config`
  const choices = questions.choices(doc)
  const text = questions.text(doc)
  const target = questions.target(doc)
  const prefix = prefixOf(questions, doc, example)
  const question: Fragment = task.hasInputs
    ? { text: textOf(itemOf(choices ?? [], text, config.where), questions.textField), path: questions.textField.path, doc, example }
    : { ...fragmentOf(text, questions.textField, doc, undefined, config.where), example }
  if (target === null || target === '') return questionMessages(question, prefix, { text: questions.targetDelimiter, path: where })
  const answer: Fragment = { ...answerOf(task, target, task.hasInputs ? undefined : choices, doc), example }
  const delimiter: Fragment = { text: questions.targetDelimiter, path: `${config.where} › target_delimiter`, example }
  return [
    { role: 'user', content: [question], delimiter: prefix === undefined || needsDelimiter(question, prefix) ? delimiter : undefined },
    {
      role: 'assistant',
      content: delimited(prefix, answer, { text: ' ', path: questions.prefixField?.path ?? where, example }),
      delimiter: { text: questions.fewshotDelimiter, path: `${config.where} › fewshot_delimiter`, example },
    },
  ]
}

/** The answer that an example shows: the choice at its target's index, the first of several, or the text. */
function answerOf(task: Task, target: Value, choices: readonly Value[] | undefined, doc: Doc): Fragment {
  const { targetField, choiceField } = task.examples
  if (choices !== undefined && choices.length > 0 && isInt(target)) {
    return { text: answerText(itemOf(choices, target, task.config.where), targetField), path: choiceField!.path, doc }
  }
  const [value, field] = isListValue(target) ? [target[0] ?? null, undefined] : [target, targetField]
  return { text: answerText(value, targetField), path: targetField.path, field, doc }
}

function answerText(value: Value, field: Field): string {
  if (typeof value === 'string') return value
  throw new PromptError('bad-answer', {
    where: field.path,
    problem: `the answer of an example is not text: ${plainText(str(value)).slice(0, 80)}`,
    fix: 'use no examples, or convert it to text in doc_to_target, e.g. {{answer|string}}',
  })
}

/** A question, and the start of its answer if the task has one. */
function questionMessages(question: Fragment, prefix: Fragment | undefined, delimiter: Fragment | undefined): TaskMessage[] {
  if (prefix === undefined) return [{ role: 'user', content: [question] }]
  return [
    { role: 'user', content: [question], delimiter: needsDelimiter(question, prefix) ? delimiter : undefined },
    { role: 'assistant', content: [prefix] },
  ]
}

function fragmentOf(value: Value, field: Field, doc: Doc, choices: readonly Value[] | undefined, where: string): Fragment {
  if (isInt(value) && choices !== undefined) return { text: textOf(itemOf(choices, value, where), field), path: field.path, doc }
  return { text: textOf(value, field), path: field.path, field, doc }
}

function textOf(value: Value, field: Field): string {
  if (typeof value === 'string') return value
  throw new PromptError('bad-text', {
    where: field.path,
    problem: `it is not text: ${plainText(str(value)).slice(0, 80)}`,
    fix: 'convert it to text, e.g. {{column|string}}',
  })
}

/** Two optional parts, with a delimiter between them unless there is already white space. */
function delimited(first: Fragment | undefined, second: Fragment | undefined, delimiter: Fragment): Fragment[] {
  if (first === undefined || first.text === '') return second === undefined || second.text === '' ? [] : [second]
  if (second === undefined || second.text === '') return [first]
  return endsInSpace(first.text) || startsWithSpace(second.text) ? [first, second] : [first, delimiter, second]
}

function needsDelimiter({ text }: Fragment, prefix: Fragment): boolean {
  return text !== '' && !endsInSpace(text) && !startsWithSpace(prefix.text)
}

export function endsInSpace(text: string): boolean {
  return text !== '' && strip(text.slice(-1)) === ''
}

function startsWithSpace(text: string): boolean {
  return text !== '' && strip(text.slice(0, 1)) === ''
}

import { PromptError } from '@rolecall/core/internal/errors'
import { dictKeys, isDictValue, isDigit, isInt, isListValue, Tuple, type Value, valuesOf } from '@rolecall/core/internal/python'
import type { MediaPiece } from '@rolecall/core/internal/text'
import { readLiteral } from '../../../python/syntax/literal.ts'
import { type ConstructRequests, constructRequests } from './class-config.ts'
import { compileField, type Doc, type Field, fieldValue } from './field.ts'
import { withKept } from './kept-fields.ts'
import type { TaskConfig } from './task-config.ts'
import type { FindFunction } from './task-function.ts'
import { taskMedia } from './task-media.ts'

/** How documents, or examples, are turned into prompts. */
export type Questions = {
  text(doc: Doc): Value
  target(doc: Doc): Value
  /** Undefined if there are no choices. */
  choices(doc: Doc): readonly Value[] | undefined
  prefix(doc: Doc): string | undefined
  textField: Field
  targetField: Field
  choiceField: Field | undefined
  prefixField: Field | undefined
  targetDelimiter: string
  fewshotDelimiter: string
}

/** A task with its documents. Fields are compiled once; the first document decides how all are prompted, as in the harness. */
export type Task = {
  config: TaskConfig
  find: FindFunction
  docs: readonly Doc[]
  /** The documents that examples are drawn from. */
  pool: readonly Doc[] | undefined
  asked: Questions
  examples: Questions
  description: Field
  /** The images and audio of a document, in their order. */
  media(doc: Doc): readonly MediaPiece[]
  /** `doc_to_text` is the index of the right choice: the choices are inputs, and `doc_to_target` follows each. */
  hasInputs: boolean
  /** `doc_to_target` is a list: any of its entries is right. */
  hasTargets: boolean
  /** Of a task that is a class: makes the requests. */
  construct: ConstructRequests | undefined
}

export function openTask(config: TaskConfig, docs: readonly Doc[], pool: readonly Doc[] | undefined, find: FindFunction): Task {
  const [first] = docs
  if (first === undefined)
    throw new PromptError('no-rows', {
      where: config.where,
      problem: 'there are no documents',
      fix: 'check the split and process_docs',
    })
  const columns = new Set(dictKeys(first))
  const asked = withKept(questionsOf(config, config, columns, find))
  const examples = config.own ? asked : withKept(questionsOf(config, config.fewshot, columns, find))
  const description = compileField(config.description ?? '', `${config.where} › description`, columns, find)
  const text = asked.text(first)
  const target = asked.target(first)
  const choices = asked.choices(first)
  if (choices !== undefined) {
    if (isInt(target)) itemOf(choices, target, config.where)
    for (const choice of choices)
      if (typeof choice !== 'string' || choice === '')
        throw new PromptError('bad-choice', {
          where: `${config.where} › doc_to_choice`,
          problem: choice === '' ? 'a choice is empty' : 'a choice is not text',
          fix: 'give every choice a text',
        })
  }
  return {
    config,
    find,
    docs,
    pool,
    asked,
    examples,
    description,
    media: taskMedia(config, columns, find),
    hasInputs: choices !== undefined && isInt(text),
    hasTargets: isListValue(target),
    construct: config.own && constructRequests(config, find),
  }
}

type Asking = Pick<TaskConfig, 'docToText' | 'docToTarget' | 'docToChoice' | 'genPrefix' | 'targetDelimiter' | 'fewshotDelimiter'>

function questionsOf(config: TaskConfig, given: Asking, columns: ReadonlySet<string>, find: FindFunction): Questions {
  const where = given === config ? config.where : `${config.where} › fewshot_config`
  const hasChoices = config.docToChoice !== null
  const compile = (value: Value, key: string) => compileField(value, `${where} › ${key}`, columns, find)
  const textField = compile(given.docToText, 'doc_to_text')
  const targetField = compile(given.docToTarget, 'doc_to_target')
  const choiceField = given.docToChoice === null ? undefined : compile(given.docToChoice, 'doc_to_choice')
  const prefixField = given.genPrefix === null ? undefined : compile(given.genPrefix, 'gen_prefix')
  if (textField.kind === 'value' && !isInt(textField.value))
    throw new PromptError('bad-task', {
      where: textField.path,
      problem: 'it is empty',
      fix: 'write a template, or the name of a column',
    })
  if (targetField.kind === 'value' && !isInt(targetField.value) && !isListValue(targetField.value))
    throw new PromptError('bad-task', {
      where: targetField.path,
      problem: 'it is empty',
      fix: 'write a template, or the name of a column',
    })
  return {
    textField,
    targetField,
    choiceField,
    prefixField,
    targetDelimiter: given.targetDelimiter,
    fewshotDelimiter: given.fewshotDelimiter,
    text(doc) {
      const value = fieldValue(textField, doc)
      return textField.kind === 'template' && hasChoices ? numberIfDigits(value as string, textField.path) : value
    },
    target(doc) {
      const value = fieldValue(targetField, doc)
      if (targetField.kind !== 'template') return value
      const text = value as string
      if (hasChoices && isDigit(text)) return numberIfDigits(text, targetField.path)
      if (text.length >= 2 && text.startsWith('[') && text.endsWith(']')) return (readLiteral(text) as Value | undefined) ?? text
      return text
    },
    choices: (doc) => choiceField && choicesOf(choiceField, doc),
    prefix(doc) {
      if (prefixField === undefined) return undefined
      const value = fieldValue(prefixField, doc)
      return typeof value === 'string' ? value : undefined
    },
  }
}

function choicesOf(field: Field, doc: Doc): readonly Value[] {
  const value = fieldValue(field, doc)
  if (field.kind === 'value' && isDictValue(value)) return valuesOf(value)
  const found = field.kind === 'template' ? (readLiteral(value as string) as Value | undefined) : value
  if (found instanceof Tuple) return found.items
  if (found !== undefined && isListValue(found)) return found
  throw new PromptError('bad-choices', {
    where: field.path,
    problem: `it does not return a list of choices${field.kind === 'template' ? `: ${JSON.stringify(String(value).slice(0, 80))}` : ''}`,
    fix: 'write a list, or a template that shows one as Python would, e.g. {{[a, b]}}, which keeps texts with quotes whole',
  })
}

/** A rendered text of digits is a number; Python refuses leading zeros. */
function numberIfDigits(text: string, where: string): Value {
  if (!isDigit(text)) return text
  if (/^(?:[1-9]\d*|0+)$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
  throw new PromptError('bad-number', { where, problem: `Python reads no number from "${text}"`, fix: 'leave the zeros at its start out' })
}

/** `list[index]`, from the end if negative. */
export function itemOf(list: readonly Value[], index: Value, where: string): Value {
  const number = Number(index)
  const found = isInt(index) ? list[number < 0 ? number + list.length : number] : undefined
  if (found !== undefined) return found
  throw new PromptError('no-choice', {
    where,
    problem: `there is no choice ${String(index)} (there are ${list.length})`,
    fix: 'correct the row, or doc_to_target',
  })
}

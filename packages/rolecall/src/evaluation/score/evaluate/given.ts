import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, dictKeys, isList, type PyValue, pyRepr, pyStr } from '@rolecall/core/internal/python'

/** An answer that must be a text, as most evaluators require. */
export function answerText(prediction: PyValue): string {
  if (typeof prediction === 'string') return prediction
  throw new PromptError('wrong-prediction', {
    where: 'the answer',
    problem: `it is not text but ${short(prediction)}`,
    fix: 'leave out the postprocessor that makes something else of it, or use another evaluator',
  })
}

/** A gold answer that must be a text. */
export function goldText(reference: PyValue): string {
  if (typeof reference === 'string') return reference
  throw wrongGold(`it is not text but ${short(reference)}`, 'name a column of texts in reader_cfg.output_column')
}

/** Gold answers that must be texts; a single one need not be a list. */
export function goldTexts(reference: PyValue): string[] {
  return (isList(reference) ? reference : [reference]).map(goldText)
}

/** The accepted answers as texts; a single one need not be a list. */
export function acceptedAnswers(reference: PyValue): string[] {
  return (isList(reference) ? reference : [reference]).map((answer) => pyStr(answer))
}

export function wrongGold(problem: string, fix: string): PromptError {
  return new PromptError('wrong-gold', { where: 'the gold answer', problem, fix })
}

/** A column that an evaluator reads in addition to the gold answer. */
export function columnOf(row: Row, name: string): PyValue {
  const value = dictGet(row, name)
  if (value !== undefined) return value
  throw new PromptError('missing-column', {
    where: `the column "${name}" of the row`,
    problem: `the evaluator needs it, but it is missing (there are: ${dictKeys(row).join(', ') || 'none'})`,
    fix: 'use rows as the loader of this dataset gives them',
  })
}

/** A column of a row that must hold a text. */
export function textColumn(row: Row, name: string): string {
  const value = columnOf(row, name)
  if (typeof value === 'string') return value
  throw wrongColumn(name, 'a text', value)
}

/** A column of a row that must hold a list. */
export function listColumn(row: Row, name: string): readonly PyValue[] {
  const value = columnOf(row, name)
  if (isList(value)) return value
  throw wrongColumn(name, 'a list', value)
}

function wrongColumn(name: string, wanted: string, value: PyValue): PromptError {
  return new PromptError('wrong-column', {
    where: `the column "${name}" of the row`,
    problem: `it is not ${wanted} but ${short(value)}`,
    fix: 'use rows as the loader of this dataset gives them',
  })
}

function short(value: PyValue): string {
  const shown = pyRepr(value)
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown
}

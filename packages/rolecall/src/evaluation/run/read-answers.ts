import type { Row } from '@rolecall/core/internal/conversation'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import type { Reader } from '../score/postprocess/postprocessors.ts'
import { toolCallNote } from './ask/read-calls.ts'
import type { Outcome } from './record/outcome.ts'
import type { RowAnswer } from './record/run-record.ts'

/** The compared value of a row's answer, or of each of its answers, and their outcomes. */
export type ReadAnswers = { value: PyValue; outcome: Outcome | readonly Outcome[] }

/** Reads a row's answers with the config's postprocessors. */
export function readAnswers(answer: RowAnswer, read: Reader, row: Row): ReadAnswers {
  const { prediction, reasoning, calls } = answer
  if (!isList(prediction)) return calling(readOne(answer, prediction, reasoning, read, row), calls)
  const each = prediction.map((one, index) =>
    calling(readOne(answer, one, isList(reasoning) ? reasoning[index] : undefined, read, row), isList(calls) ? calls[index] : undefined),
  )
  return { value: each.map(({ value }) => value), outcome: each.map(({ outcome }) => outcome) }
}

/** A reply with a tool call is an answer, with or without text. */
function calling<Read extends { outcome: Outcome }>(read: Read, calls: PyValue | undefined): Read {
  return isList(calls) && calls.length > 0 ? { ...read, outcome: 'answered' } : read
}

function readOne(
  { finish, notes = [] }: RowAnswer,
  said: PyValue,
  reasoning: PyValue | undefined,
  read: Reader,
  row: Row,
): { value: PyValue; outcome: Outcome } {
  // Choices compared by likelihood are not generated text.
  if (typeof said !== 'string') return { value: said, outcome: 'answered' }
  const { value, isFound } = read(said, row, finish === 'length')
  if (said.trim() === '' && notes.some(({ code }) => code === toolCallNote)) return { value, outcome: 'tool-call' }
  if (said.trim() === '') return { value, outcome: finish === 'length' || reasoning ? 'cut' : 'empty' }
  if (isFound) return { value, outcome: 'answered' }
  if (finish === 'length') return { value, outcome: 'cut' }
  return { value, outcome: refuses(said) || notes.some(({ code }) => code === 'refusal') ? 'refused' : 'not-found' }
}

/** How models decline to answer; only matched against replies without an answer. */
const refusals = [
  /\bas an? (?:ai|artificial intelligence)\b|\bi(?:'|’)?m an ai\b|\bi am an ai\b/i,
  /\bi(?:'|’)?m (?:really |very |so )?sorry\b|\bi am sorry\b|\bmy apologies\b|\bi apologi[sz]e\b/i,
  /\bi (?:can(?:no|'|’)t|can not|am unable to|am not able to|won(?:'|’)t|will not|must decline|have to decline)\b/i,
  /\bi(?:'|’)m (?:unable|not able) to\b/i,
  /作为一?[个名款]?(?:AI|人工智能|语言模型|大模型)|(?:抱歉|对不起|很遗憾)[，,。！!]|我(?:无法|不能|不便|没有办法)(?:回答|提供|完成|协助|帮助|判断|给出)/i,
]

export function refuses(text: string): boolean {
  // Only at the beginning: later in the text it is a quotation.
  const beginning = text.trimStart().slice(0, 300)
  return refusals.some((pattern) => pattern.test(beginning))
}

import { PromptError } from '../../base/errors/prompt-error.ts'
import { compactJson, isDict, type PyValue, parseCompactJson } from '../../base/python/index.ts'
import type { RowAnswer } from '../../evaluation/run/record/run-record.ts'

/** A worker's result for a row: an answer or an error. */
export type SentAnswer = { answer: RowAnswer } | { error: PromptError }

/** Serialises an answer for `readAnswer`. */
export function packAnswer(sent: SentAnswer): string {
  if ('answer' in sent) return compactJson({ answer: sent.answer } as PyValue)
  const { code, where, problem, fix } = sent.error
  return JSON.stringify({ error: { code, where, problem, fix } })
}

/** Undefined if a worker did not write it. */
export function readAnswer(text: string): SentAnswer | undefined {
  let read: PyValue
  try {
    read = parseCompactJson(text)
  } catch {
    return undefined
  }
  if (!isDict(read) || read instanceof Map) return undefined
  const { answer, error } = read as Record<string, PyValue>
  if (isDict(answer) && !(answer instanceof Map)) {
    const { prompt_hash: hash, tokens, examples, milliseconds } = answer as Record<string, PyValue>
    const isWhole =
      typeof hash === 'string' && isDict(tokens) && isDict(examples) && typeof milliseconds === 'number' && 'prediction' in answer
    return isWhole ? { answer: answer as RowAnswer } : undefined
  }
  const { code, where, problem, fix } = (isDict(error) && !(error instanceof Map) ? error : {}) as Record<string, PyValue>
  const texts = [code, where, problem, fix]
  if (!texts.every((one) => typeof one === 'string')) return undefined
  const [named, ...details] = texts as [string, string, string, string]
  return { error: new PromptError(named, { where: details[0], problem: details[1], fix: details[2] }) }
}

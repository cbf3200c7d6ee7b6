import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, isDict, type PyValue, parseCompactJson } from '@rolecall/core/internal/python'
import { z } from 'zod'
import { readRowAnswer, tokensSchema } from '../evaluation/run/record/answer-schema.ts'
import type { RowAnswer, TokenUsage } from '../evaluation/run/record/run-record.ts'
import { stopsRun } from '../model/language-model/stops-run.ts'

/** A worker's result for a row: an answer, or an error with the tokens of the replies before it. */
export type SentAnswer = { answer: RowAnswer } | { error: PromptError; tokens?: TokenUsage }

/** Serialises an answer for `readAnswer`. */
export function packAnswer(sent: SentAnswer): string {
  if ('answer' in sent) return compactJson({ answer: sent.answer } as PyValue)
  const { code, where, problem, fix } = sent.error
  return JSON.stringify({ error: { code, where, problem, fix }, tokens: sent.tokens })
}

/** The answer or error that a worker sent, or why it cannot be one. */
export function readAnswer(text: string): SentAnswer | { problem: string } {
  let read: PyValue
  try {
    read = parseCompactJson(text)
  } catch (error) {
    return { problem: (error as Error).message }
  }
  if (!isDict(read) || read instanceof Map) return { problem: 'it is not an object' }
  const { answer, error, tokens } = read as Record<string, PyValue>
  if (answer !== undefined) return readRowAnswer(answer)
  const parsed = errorSchema.safeParse(error)
  if (!parsed.success) return { problem: 'it has neither an answer nor an error' }
  const { code, ...told } = parsed.data
  const problem = new PromptError(code, told)
  const spent = tokensSchema.safeParse(tokens)
  // Workers refuse a run with such an error, and never send it for a row.
  return stopsRun(problem)
    ? { problem: `a row cannot fail with ${code}` }
    : { error: problem, ...(spent.success ? { tokens: spent.data as TokenUsage } : {}) }
}

const errorSchema = z.object({ code: z.string(), where: z.string(), problem: z.string(), fix: z.string() })

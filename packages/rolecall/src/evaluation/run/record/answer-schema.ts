import type { PyValue } from '@rolecall/core/internal/python'
import { callsOf } from '@rolecall/core/internal/reply'
import { z } from 'zod'
import type { RowAnswer } from './run-record.ts'

const count = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER)
const textOrTexts = z.union([z.string(), z.array(z.string())])
/** Perplexities may be infinite. */
const anyNumber = z.custom<number>((value) => typeof value === 'number', 'expected a number')
const calls = z.custom<PyValue>(
  (value) => callsOf(value as PyValue) !== undefined || (Array.isArray(value) && value.every((one) => callsOf(one as PyValue))),
  'expected tool calls',
)

/** The tokens of a reply. */
export const tokensSchema = z.object({ prompt: count, reused: count, reply: count, unreported: count.optional() })

/** An answer from a cache file or a queue, which other programs may have written: keys that no answer has are dropped. */
const answerSchema = z.object({
  prompt_hash: z.string().regex(/^[0-9a-f]{32,64}$/),
  prompts: z.array(z.string()).optional(),
  prediction: z.union([textOrTexts, anyNumber]),
  reasoning: textOrTexts.optional(),
  calls: calls.optional(),
  calls_by: z.enum(['server', 'ids', 'text']).optional(),
  scores: z
    .array(
      z.object({
        label: z.string().optional(),
        value: anyNumber.nullable(),
        is_greedy: z.boolean().optional(),
        log_probabilities: z.array(anyNumber.nullable()).optional(),
      }),
    )
    .optional(),
  finish: z.enum(['stop', 'length']).optional(),
  tokens: tokensSchema,
  examples: z.object({ used: z.int().nonnegative(), dropped: z.int().nonnegative() }),
  milliseconds: count,
  notes: z.array(z.object({ code: z.string(), text: z.string(), where: z.string().optional() })).optional(),
})

/**
 * Checks the shape of an answer from outside this process.
 *
 * @example
 * readRowAnswer({ prediction: 4n }) // => { problem: 'prompt_hash: Invalid input: expected string, received undefined' }
 */
export function readRowAnswer(value: unknown): { answer: RowAnswer } | { problem: string } {
  const parsed = answerSchema.safeParse(value)
  if (parsed.success) return { answer: parsed.data as RowAnswer }
  const [issue] = parsed.error.issues
  const place = issue!.path.join('.')
  return { problem: place === '' ? issue!.message : `${place}: ${issue!.message}` }
}

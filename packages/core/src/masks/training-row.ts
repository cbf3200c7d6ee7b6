import { type ChecksOf, checkOptionsOf, isObject } from '../base/errors/check-options.ts'
import type { Format } from '../prompt/format/format.ts'
import type { RunMemo } from '../prompt/tokenizer/run-memo.ts'
import { tokenize } from '../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { maskOf } from './mask.ts'
import type { TrainingPolicy } from './policy.ts'
import { type TrainingChat, type TrainingText, trainingText } from './training-text.ts'

/** A conversation as training data: ids and training mask. */
export type TrainingRow = TrainingText & {
  ids: readonly number[]
  /** 1 for trained tokens. */
  mask: readonly (0 | 1)[]
  /** Set if a message has a weight other than 0 and 1. */
  weights?: readonly number[]
}

/** How conversations become rows: format, tokenizer and policy. */
export type TrainingSetup = { format: Format; tokenizer: Tokenizer; policy?: Partial<TrainingPolicy>; memo?: RunMemo }

const setupChecks = { format: isObject, tokenizer: isObject, policy: isObject, memo: isObject } satisfies ChecksOf<TrainingSetup>

/** Converts a conversation to ids and training mask. */
export function trainingRow(chat: TrainingChat, setup: TrainingSetup): TrainingRow {
  checkOptionsOf(setup, setupChecks, 'trainingRow › setup')
  const { format, tokenizer, policy, memo } = setup
  const written = trainingText(chat, format, policy)
  const { ids, tokens } = tokenize(written.prompt, tokenizer, { markers: format.markers, tokens: format.tokens, ...(memo && { memo }) })
  const mask = maskOf(
    tokens,
    written.spans.map(({ start, end }) => [start, end] as const),
  )
  if (!written.spans.some(({ weight }) => weight !== undefined)) return { ...written, ids, mask }
  const weights = mask.map(Number)
  for (const { start, end, weight } of written.spans)
    for (const [index, one] of maskOf(tokens, [[start, end]]).entries()) if (one === 1) weights[index] = weight ?? 1
  return { ...written, ids, mask, weights }
}

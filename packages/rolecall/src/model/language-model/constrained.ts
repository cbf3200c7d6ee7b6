import {
  type Constraint,
  compileConstraint,
  constraintKey,
  type GuideState,
  TokenGuide,
  type TokenMask,
  tokenTrie,
} from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'

type Awaitable<Value> = Value | Promise<Value>

/** A reply in progress under a constraint. */
export type GuidedText = {
  next(): Awaitable<GuideState>
  /** Appends the bytes of a token; false if they are not allowed. */
  push(bytes: Uint8Array): Awaitable<boolean>
}

/** Compiles constraints for one vocabulary and keeps replies within them: in this process, or in a thread that can be stopped. */
export type Guides = {
  /** Throws if a constraint cannot be enforced (`cannot-constrain`). */
  check(constraint: Constraint, signal?: AbortSignal): Awaitable<void>
  begin(constraint: Constraint, signal?: AbortSignal): Awaitable<GuidedText>
  /** Whether a whole text fits. */
  accepts(constraint: Constraint, text: string, signal?: AbortSignal): Awaitable<boolean>
}

/** How many compiled constraints are cached: rows of a run share one, requests often do. */
const mostGuides = 16

/** Guides in this process. */
export function guidesFor(tokenizer: Tokenizer): Guides & { check(constraint: Constraint): void } {
  const known = new Map<string, TokenGuide>()
  const guideOf = (constraint: Constraint) => {
    const key = constraintKey(constraint)
    const found = known.get(key) ?? new TokenGuide(compileConstraint(constraint), tokenTrie(tokenizer))
    known.delete(key)
    known.set(key, found)
    if (known.size > mostGuides) known.delete(known.keys().next().value!)
    return found
  }
  return {
    check: (constraint) => void guideOf(constraint),
    begin: (constraint) => guideOf(constraint).begin(),
    accepts: (constraint, text) => compileConstraint(constraint).accepts(text),
  }
}

/**
 * The tokens that may come next in a constrained reply; undefined if nothing can follow. Stop tokens are allowed where the reply may end.
 */
export function allowedNext({ mask, isComplete }: GuideState, stops: ReadonlySet<number>, where: string): TokenMask | undefined {
  if (!mask) return undefined
  if (isComplete) {
    if (mask.count === 0) return undefined
    const allowed = mask.allowed.slice()
    for (const id of stops) allowed[id] = 1
    return { allowed, count: mask.count + stops.size }
  }
  if (mask.count > 0) return mask
  throw new PromptError('cannot-constrain', {
    where,
    problem: 'the vocabulary has no token for a byte that has to come next',
    fix: 'use a model whose tokenizer has a token for every byte, or leave out what it cannot write',
  })
}

/** A value may contain any text, and must be complete. */
export function unusedStops(texts: readonly string[]): Note[] {
  if (texts.length === 0) return []
  const shown = texts.map((text) => JSON.stringify(text)).join(', ')
  return [{ code: 'stops-unused', text: `a constrained reply ends where its value ends: the stops ${shown} are not looked for in it` }]
}

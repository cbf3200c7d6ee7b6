import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import { type Constraint, compileConstraint, constraintKey, type GuidedReply, TokenGuide, type TokenMask } from '../constrain/index.ts'

/** How many compiled constraints are cached: rows of a run share one, requests often do. */
const mostGuides = 16

/** Keeps replies of a model in this process within constraints. */
export function guidesFor(tokenizer: Tokenizer): (constraint: Constraint) => TokenGuide {
  const known = new Map<string, TokenGuide>()
  return (constraint) => {
    const key = constraintKey(constraint)
    const found = known.get(key) ?? new TokenGuide(compileConstraint(constraint), tokenizer)
    known.delete(key)
    known.set(key, found)
    if (known.size > mostGuides) known.delete(known.keys().next().value!)
    return found
  }
}

/**
 * The tokens that may come next in a constrained reply; undefined if nothing can follow. Stop tokens are allowed where the reply may end.
 */
export function allowedNext(reply: GuidedReply, stops: ReadonlySet<number>, where: string): TokenMask | undefined {
  if (reply.isOver) return undefined
  const { mask } = reply
  if (reply.isComplete) {
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

import { beginsWith, commonLength } from './written.ts'

/** Whether a longer text begins with a shorter one, and where it does not. */
export type Growth = { isAppended: true } | { isAppended: false; at: number; shorter: string; longer: string }

/** How much of a text is shown where two differ. */
const shownLength = 40

/** Compares what was sent with what is sent next: a cache, and ids that are kept, hold as far as they agree. */
export function growthOf(shorter: string, longer: string): Growth {
  if (beginsWith(longer, shorter)) return { isAppended: true }
  const at = commonLength(shorter, longer)
  return { isAppended: false, at, shorter: shorter.slice(at, at + shownLength), longer: longer.slice(at, at + shownLength) }
}

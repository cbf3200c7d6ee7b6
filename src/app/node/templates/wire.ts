import type { RenderedPieces } from '../../../base/jinja/index.ts'
import type { Origin } from '../../../base/jinja/origins.ts'
import type { Limits } from '../../../base/python/limits.ts'

/** What a template's thread is asked. Templates are known by their text, which is sent with every question: threads are replaced. */
export type Question = {
  source: string
  name: string
  isTraced?: boolean
  /** Left out where only the names are asked for. */
  render?: {
    kind: 'text' | 'marked' | 'pieces'
    variables: Readonly<Record<string, unknown>>
    /** Where the strings of each variable come from, for pieces. */
    origins: Readonly<Record<string, Origin>>
    clock: Date
    limits?: Partial<Limits>
  }
}

/** What it answers. An error is told by what it is made of, since its class does not travel. */
export type Answer =
  | { kind: 'names'; names: readonly string[] }
  | { kind: 'rendered'; rendered: Partial<RenderedPieces> & { text: string } }
  | { kind: 'template-error'; details: ErrorDetails }
  | { kind: 'prompt-error'; code: string; where: string; problem: string; fix: string }
  | { kind: 'failed'; message: string }

export type ErrorDetails = { type: string; reason: string; line: number; column: number; expression: string; name: string }

/** Where the two threads wait for one another: how many questions were asked, how many were answered, and whether there is a thread. */
export const asked = 0
export const answered = 1
export const ready = 2

/** Waits until a count is another one than before, and gives it; the same one where the time is up. A thread may wake up without a reason. */
export function changed(counts: Int32Array, index: number, before: number, milliseconds = Number.POSITIVE_INFINITY): number {
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0; left = end - performance.now()) {
    const now = Atomics.load(counts, index)
    if (now !== before) return now
    Atomics.wait(counts, index, before, left)
  }
  return Atomics.load(counts, index)
}

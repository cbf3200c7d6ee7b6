import type { SetupCause } from './setup-causes.ts'

/** The steps of the waterfall, in the order in which differences are attributed. */
export const whySteps = ['rows', 'prompt', 'sampling', 'replies', 'extraction', 'gold and metric', 'noise'] as const

/** A step at which two runs may part. */
export type WhyStep = (typeof whySteps)[number]

/** A cause with its part of the difference and its rows. */
export type WhyCause = {
  step: WhyStep
  cause: string
  /** What differs, in words. */
  detail: string
  /** Its part of the difference between the scores; all parts add up to the difference. */
  effect: number
  /** Rows whose score rose or fell, by their numbers in the first run. */
  gained: number[]
  lost: number[]
  /** Rows whose reply differs. */
  changed: number[]
  /** Rows that only one side scored, by their numbers in the first run. */
  unmatched: number[]
  /** Rows that only the second run has, by their numbers there. */
  onlySecond: number[]
  /** The causes that the records cannot separate, if there are several. */
  parts?: string[]
  /** The rows whose reply is cut, empty, a refusal, …, on either side. */
  replies: Record<string, number[]>
}

/** Effects by cause. */
export class CauseLedger {
  readonly #causes = new Map<string, WhyCause>()

  of(step: WhyStep, cause: string, detail: string): WhyCause {
    const key = `${step} ${cause}`
    const lists = { gained: [], lost: [], changed: [], unmatched: [], onlySecond: [], replies: {} }
    const known = this.#causes.get(key) ?? { step, cause, detail, effect: 0, ...lists }
    this.#causes.set(key, known)
    return known
  }

  /** One cause, or several that the records cannot separate. */
  ofAll(step: WhyStep, causes: readonly SetupCause[]): WhyCause {
    const [one, ...more] = causes as [SetupCause, ...SetupCause[]]
    if (more.length === 0) return this.of(step, one.cause, one.detail)
    const parts = causes.map(({ cause }) => cause)
    const details = causes.map(({ cause, detail }) => (detail === '' ? cause : `${cause}: ${detail}`)).join('; ')
    return Object.assign(this.of(step, parts.join(' + '), `the records cannot separate these: ${details}`), { parts })
  }

  /** The largest effect first, then the most rows, then the order of the steps. A cause without rows is left out if a combined one has it. */
  causes(): WhyCause[] {
    const weight = ({ gained, lost, changed, unmatched, onlySecond }: WhyCause) =>
      1000 * (gained.length + lost.length) + changed.length + unmatched.length + onlySecond.length
    const place = ({ step }: WhyCause) => whySteps.indexOf(step)
    const combined = new Set([...this.#causes.values()].flatMap(({ parts = [] }) => parts))
    const listed = [...this.#causes.values()].filter((cause) => weight(cause) > 0 || !combined.has(cause.cause))
    return listed.sort(
      (one, other) => Math.abs(other.effect) - Math.abs(one.effect) || weight(other) - weight(one) || place(one) - place(other),
    )
  }
}

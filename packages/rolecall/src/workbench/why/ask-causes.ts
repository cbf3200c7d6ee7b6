import type { WhyCause } from './cause-ledger.ts'
import type { WhyReport } from './explain.ts'
import { samplingDifferences } from './setup-causes.ts'
import type { WhyRow, WhySide } from './why-row.ts'

/** A request: the prompt and the settings of one side each, 0 for the first and 1 for the second. */
export type WhyVariant = { prompt: 0 | 1; settings: 0 | 1 }

/** Rows that settle a cause, and what to send for each. */
export type CauseToAsk = {
  cause: string
  rows: { id: number; sides: readonly [WhyRow, WhyRow] }[]
  variants: WhyVariant[]
}

/** What asking again showed about a cause: mean scores over its rows. */
export type AskedCause = {
  cause: string
  rows: number[]
  /** As recorded. */
  first: number
  second: number
  /** The first side's prompt and settings, asked now: the difference from `first` is due to the model or chance. */
  again: number
  /** With only the prompt, or only the settings, of the second side. */
  prompt?: number
  settings?: number
  /** Requests without a reply, or whose reply has no score. */
  failed: number
}

/** Sends a request of one side's prompt with the settings of one side and returns the reply; undefined if it failed. */
export type AskVariant = (prompt: NonNullable<WhyRow['prompt']>, settings: WhySide) => Promise<string | undefined>

/**
 * The rows that tell prompt and settings of a cause apart, those with another score first, at most `mostRows` per cause. Causes whose rows
 * have the same replies, or no recorded prompts, cannot be asked.
 */
export function causesToAsk(report: WhyReport, sides: readonly [WhySide, WhySide], mostRows: number): CauseToAsk[] {
  const hasSettings = samplingDifferences(sides).length > 0
  const places = sides.map((side) => new Map(Array.from({ length: side.count }, (_, place) => [side.row(place).id, place])))
  return report.causes.flatMap((cause) => {
    const rows = rowsOf(cause).flatMap((id) => {
      const [one, other] = [places[0]!.get(id), places[1]!.get(report.join.renumbered[id] ?? id)]
      if (one === undefined || other === undefined) return []
      const found = [sides[0].row(one), sides[1].row(other)] as const
      return found.every(({ prompt }) => prompt !== undefined) ? [{ id, sides: found }] : []
    })
    const asked = rows.slice(0, mostRows)
    if (asked.length === 0 || !['prompt', 'sampling', 'replies', 'noise'].includes(cause.step)) return []
    const hasPrompts = asked.some(({ sides: [one, other] }) => JSON.stringify(one.prompt) !== JSON.stringify(other.prompt))
    const variants: WhyVariant[] = [
      { prompt: 0, settings: 0 },
      ...(hasPrompts ? [{ prompt: 1, settings: 0 } as const] : []),
      ...(hasSettings ? [{ prompt: 0, settings: 1 } as const] : []),
    ]
    return [{ cause: cause.cause, rows: asked, variants }]
  })
}

function rowsOf({ gained, lost, changed }: WhyCause): number[] {
  return [...new Set([...gained, ...lost, ...changed])]
}

/** Sends the variants of a cause's rows, a few at once, and scores the replies by the first rule that can be executed. */
export async function askCause(
  { cause, rows, variants }: CauseToAsk,
  sides: readonly [WhySide, WhySide],
  ask: AskVariant,
): Promise<AskedCause> {
  const scores = variants.map((): number[] => [])
  const complete: typeof rows = []
  let failed = 0
  for (const row of rows) {
    const replies = await Promise.all(variants.map(({ prompt, settings }) => ask(row.sides[prompt].prompt!, sides[settings])))
    const found = replies.map((reply) => (reply === undefined ? undefined : scoreOf(reply, row.sides, sides)))
    failed += found.filter((score) => score === undefined).length
    // Means are over the same rows.
    if (!found.every((score) => score !== undefined)) continue
    complete.push(row)
    for (const [index, score] of found.entries()) scores[index]!.push(score)
  }
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
  const of = (wanted: WhyVariant) => {
    const index = variants.findIndex(({ prompt, settings }) => prompt === wanted.prompt && settings === wanted.settings)
    return index < 0 ? undefined : mean(scores[index]!)
  }
  const [prompt, settings] = [of({ prompt: 1, settings: 0 }), of({ prompt: 0, settings: 1 })]
  return {
    cause,
    rows: complete.map(({ id }) => id),
    first: mean(complete.map(({ sides: [one] }) => one.score!)),
    second: mean(complete.map(({ sides: [, other] }) => other.score!)),
    again: of({ prompt: 0, settings: 0 })!,
    ...(prompt === undefined ? {} : { prompt }),
    ...(settings === undefined ? {} : { settings }),
    failed,
  }
}

function scoreOf(reply: string, rows: readonly [WhyRow, WhyRow], sides: readonly [WhySide, WhySide]): number | undefined {
  return sides[0].rule?.(reply, rows[0])?.score ?? sides[1].rule?.(reply, rows[1])?.score
}

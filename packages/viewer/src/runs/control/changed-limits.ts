import type { ControlStatus } from 'rolecall/internal/node/runs/control/control-messages'

export const limitNames = ['maxCost', 'maxTokensTotal', 'maxTime'] as const

export type LimitName = (typeof limitNames)[number]

/** The limits that the fields of a form change: null removes one. Undefined if they change nothing. */
export function changedLimits(
  now: ControlStatus['limits'],
  fieldOf: (name: LimitName) => string,
): Partial<Record<LimitName, number | null>> | undefined {
  const changes: Partial<Record<LimitName, number | null>> = {}
  for (const name of limitNames) {
    const text = fieldOf(name).trim()
    const wanted = text === '' ? undefined : Number(text)
    // JSON has no NaN: it would remove the limit.
    if (wanted !== undefined && !Number.isFinite(wanted)) continue
    if (wanted !== now[name]) changes[name] = wanted ?? null
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}

import type { CarriedConfig } from './carried.ts'

/**
 * The turns of a template with ids for calls and results that have none: chat servers require them. A result answers the first unanswered
 * call. Ids have nine letters and digits, as some chat templates require.
 */
export function withCallIds<Config>(turns: readonly Config[]): Config[] {
  if (!turns.some(hasCalls)) return [...turns]
  let count = 0
  let open: string[] = []
  return turns.map((turn): Config => {
    if (typeof turn !== 'object' || turn === null) return turn
    const { role = '', tool_calls: calls, tool_call_id: callId } = turn as CarriedConfig
    if (Array.isArray(calls)) {
      const known = calls.map((call: unknown) => withId(call, () => `call${String(++count).padStart(5, '0')}`))
      open = known.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
      return { ...turn, tool_calls: known }
    }
    if (role !== 'tool' && role !== 'function' && role !== 'environment') return turn
    const answered = callId ?? open[0]
    open = open.filter((id) => id !== answered)
    return answered === undefined ? turn : { ...turn, tool_call_id: answered }
  })
}

function hasCalls(turn: unknown): boolean {
  return typeof turn === 'object' && turn !== null && 'tool_calls' in turn
}

function withId(call: unknown, next: () => string): { id?: unknown } {
  if (typeof call !== 'object' || call === null) return call as never
  return 'id' in call ? call : { id: next(), ...call }
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ColumnQuestion, Drawn } from './engine/contract.ts'
import { ask, EngineError } from './engine/engine.ts'
import { firstState, type LabState, readState } from './lab-state.ts'
import { packState, unpackState } from './link.ts'
import { columnQuestions } from './models/column-questions.ts'
import { starters } from './starters.ts'

/** The parameters behind `#`, where nothing of them reaches a server. Links of the playground begin with `#/playground?`. */
export function fragment(hash = location.hash): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#(?:\/[\w-]*\??)?/, ''))
}

async function stateOf(given: URLSearchParams): Promise<{ state: LabState; isDamaged: boolean }> {
  const packed = given.get('s')
  const starter = starters.find(({ id }) => id === given.get('starter'))
  const named = given.get('models')?.split(',').filter(Boolean)
  const read = packed === null ? undefined : readState(await unpackState(packed))
  const state = read ?? starter?.state ?? firstState
  const isDamaged = packed !== null && read === undefined
  return { state: named ? { ...state, columns: named.slice(0, 4).map((model) => ({ model })) } : state, isDamaged }
}

/** The state of the lab, in the address: what is typed is kept there, and a link restores it. */
export function useLabState() {
  const [state, setState] = useState<LabState>()
  const [isDamaged, setDamaged] = useState(false)
  const written = useRef<string>(undefined)
  useEffect(() => {
    const read = () => {
      const given = fragment()
      if (given.get('s') !== null && given.get('s') === written.current) return
      void stateOf(given).then((found) => {
        setDamaged(found.isDamaged)
        setState(found.state)
      })
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  useEffect(() => {
    if (state === undefined) return undefined
    const timer = setTimeout(async () => {
      // The page as it came, or an example as it is: its short address stays.
      if (starters.some((starter) => starter.state === state) || state === firstState) return
      const packed = await packState(state)
      written.current = packed
      keep({ s: packed, starter: undefined, models: undefined })
    }, 300)
    return () => clearTimeout(timer)
  }, [state])
  return { state, setState, isDamaged }
}

/** Changes parameters of the fragment, without a step in the history. */
export function keep(changes: Readonly<Record<string, string | undefined>>): void {
  const now = fragment()
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) now.delete(key)
    else now.set(key, value)
  }
  history.replaceState(null, '', `${location.pathname}${location.search}#${now}`)
}

export type Asked = { columns: readonly ColumnQuestion[]; drawn: readonly Drawn[] }

/** The prompts of the columns. While one render runs, only the last of the states that follow is rendered. */
export function usePrompts(state: LabState | undefined): { asked: Asked | undefined; error: Error | undefined } {
  const [asked, setAsked] = useState<Asked>()
  const [error, setError] = useState<Error>()
  const running = useRef(false)
  const waiting = useRef<LabState>(undefined)
  useEffect(() => {
    if (state === undefined) return
    waiting.current = state
    if (running.current) return
    running.current = true
    void (async () => {
      while (waiting.current !== undefined) {
        const now: LabState = waiting.current
        waiting.current = undefined
        try {
          const columns = await columnQuestions(now)
          const drawn = await drawColumns(now, columns)
          setAsked({ columns, drawn })
          setError(undefined)
        } catch (problem) {
          setError(problem instanceof Error ? problem : new EngineError({ where: '', problem: String(problem), fix: '', code: 'error' }))
        }
      }
      running.current = false
    })()
  }, [state?.source, state?.messages, state?.tools, state?.want, state?.variables, state?.date, state?.row, state?.columns, state?.own])
  return { asked, error }
}

function drawColumns(state: LabState, columns: readonly ColumnQuestion[]): Promise<readonly Drawn[]> {
  const { messages, tools, want, date } = state
  if (state.source === 'row') return ask({ kind: 'rows', columns, said: state.row }, 20)
  return ask({ kind: 'prompts', columns, said: { messages, tools, want, ...(date === undefined ? {} : { date }) } })
}

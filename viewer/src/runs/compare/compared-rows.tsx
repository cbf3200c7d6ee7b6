import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { placeOf } from '../../../../src/app/server/viewer/rows/place-of.ts'
import type { PairDiff, ScoreColumn, Site } from '../../../../src/app/server/viewer/viewer-data.ts'
import { lazy } from '../../parts/lazy.tsx'
import { focusRecord, useReturnToList } from '../../parts/use-focus.ts'
import { VirtualTable } from '../../parts/virtual-table.tsx'
import { isTyping } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { type Route, readRoute, useQuery } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { useLines } from '../use-run.ts'
import type { Side } from './sides.ts'

// Loaded on demand: rendering prompts needs most of the library.
const ComparedRow = lazy(async () => (await import('./compared-row.tsx')).ComparedRow)

type ComparedRowsProps = { site: Site; route: Route; first: Side; second: Side; pair: PairDiff }

const kinds = ['all', 'b', 'w', 'o', '='] as const

/** The rows both sides have, by change, and the selected row from both. */
export function ComparedRows({ site, route, first, second, pair }: ComparedRowsProps) {
  const change = useQuery(route)
  const ui = compareTexts()
  const { ids, places, changes, differs } = pair.rows
  const kind = kinds.find((one) => one === route.query.show) ?? 'all'
  const shown = useMemo(() => [...ids.keys()].filter((index) => kind === 'all' || changes[index] === kind), [pair, kind])
  const column = useMemo((): ScoreColumn => ({ from: 0, ids, scores: [], failed: [], outcomes: {} }), [pair])
  const [left, right] = [useLines(first.run, pair.first, column), useLines(second.run, pair.second, column)]
  const wanted = route.query.row
  const chosen = wanted === undefined ? undefined : placeOf(ids, Number(wanted))
  const at = chosen === undefined ? -1 : shown.indexOf(chosen)
  const select = (index: number) => {
    if (shown[index] !== undefined) change({ row: String(ids[shown[index]]) }, { replace: route.query.row !== undefined })
  }
  // Before paint: the user may press a key as soon as rows are visible.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const now = shown.findIndex((index) => String(ids[index]) === readRoute(location.hash).query.row)
      if (event.key === 'j') select(Math.min(shown.length - 1, now + 1))
      if (event.key === 'k') select(Math.max(0, now - 1))
      if (event.key === 'Escape') change({ row: undefined })
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [shown])
  const list = useRef<HTMLElement>(null)
  useReturnToList(list, chosen !== undefined)
  const { expected, asked, row } = rowsTexts()
  return (
    <div class={`pair compared-rows${chosen === undefined ? '' : ' with-record'}`}>
      <section ref={list} class="pair-list" aria-label={ui.table}>
        <header>
          <h2 class="pair-name">{visibleText(pair.comparison.dataset, false)}</h2>
          <div class="filters">
            <div class="filter-buttons">
              {kinds.map((one) => (
                <button
                  key={one}
                  type="button"
                  class="chip"
                  aria-pressed={kind === one}
                  onClick={() => change({ show: one === 'all' ? undefined : one })}
                >
                  {ui.kinds[one]}{' '}
                  <span class="count">
                    {showNumber(one === 'all' ? ids.length : [...changes].filter((letter) => letter === one).length)}
                  </span>
                </button>
              ))}
            </div>
          </div>
        </header>
        {wanted !== undefined && chosen === undefined && <p class="error">{rowsTexts().noRow(wanted.slice(0, 40))}</p>}
        <VirtualTable
          id="compared"
          label={ui.table}
          columns={[
            { key: 'number', name: row },
            { key: 'asked', name: asked },
            { key: 'expected', name: expected },
            { key: 'answered', name: ui.first },
            { key: 'second', name: ui.second },
            { key: 'change', name: ui.differing },
          ]}
          of={shown}
          count={shown.length}
          height={34}
          selected={at < 0 ? undefined : at}
          onSelect={select}
          onEnter={() => focusRecord(list.current)}
          onSeen={(from, to) => {
            const seen = shown.slice(from, to + 1)
            left.want(seen.map((index) => places[0][index]!))
            right.want(seen.map((index) => places[1][index]!))
          }}
          cells={(position) => {
            const index = shown[position]!
            const [one, other] = [left.line(places[0][index]!), right.line(places[1][index]!)]
            return [
              ids[index],
              visibleText(one?.asked ?? '', false),
              visibleText(one?.gold ?? '', false),
              visibleText(one?.error ?? one?.prediction ?? '…', false),
              visibleText(other?.error ?? other?.prediction ?? '…', false),
              <ChangeMark key="change" letter={changes[index]!} differs={differs[index]!} />,
            ]
          }}
        />
      </section>
      {chosen !== undefined && <ComparedRow {...{ site, first, second, pair, index: chosen }} onClose={() => change({ row: undefined })} />}
    </div>
  )
}

/** Better, worse, changed or same, and the cause. */
function ChangeMark({ letter, differs }: { letter: string; differs: number }) {
  const ui = compareTexts()
  const what = ui.what.filter((_, bit) => (differs & (1 << bit)) !== 0).join(', ')
  const names: Record<string, string> = ui.kinds
  return (
    <span class={`change is-${letter === '=' ? 'same' : letter}`} title={what}>
      {{ b: '▲ ', w: '▼ ', o: '≠ ' }[letter] ?? ''}
      {names[letter]} <small>{what}</small>
    </span>
  )
}

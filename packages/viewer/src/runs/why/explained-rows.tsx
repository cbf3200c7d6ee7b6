import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Site, WhyView } from 'rolecall/internal/server/viewer/viewer-data'
import { lazy } from '../../parts/lazy.tsx'
import { focusRecord, useReturnToList } from '../../parts/use-focus.ts'
import { useRowKeys } from '../../parts/use-row-keys.ts'
import { VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { type Route, readRoute, useQuery } from '../../route.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { whyTexts } from '../../texts/why.ts'
import { useLines } from '../use-run.ts'
import { type ListedRow, listedRows, listKeys } from './listed-rows.ts'

// Loaded on demand: rendering prompts needs most of the library.
const ExplainedRow = lazy(async () => (await import('./explained-row.tsx')).ExplainedRow)

/** A run and the number of one of its pairs. */
export type ExplainedPair = { run: number; pair: number; name: string }

type ExplainedRowsProps = { site: Site; route: Route; view: WhyView; sides: readonly [ExplainedPair, ExplainedPair]; list: string }

/** The rows behind a number, and the selected row from both runs. */
export function ExplainedRows({ site, route, view, sides: [first, second], list }: ExplainedRowsProps) {
  const change = useQuery(route)
  const ui = whyTexts()
  const rows = useMemo(() => listedRows(view, list), [view, list])
  const { kind, row: wanted } = route.query
  const kinds = useMemo(() => [...new Set((rows ?? []).flatMap((row) => row.kinds))], [rows])
  const shown = useMemo(() => (rows ?? []).filter((row) => kind === undefined || row.kinds.includes(kind)), [rows, kind])
  const [left, right] = [useLines(first.run, first.pair), useLines(second.run, second.pair)]
  const at = shown.findIndex((row) => rowKey(row) === wanted)
  const select = (index: number) => {
    if (shown[index]) change({ row: rowKey(shown[index]) }, { replace: readRoute(location.hash).query.row !== undefined })
  }
  const close = () => change({ row: undefined })
  const openAt = () => shown.findIndex((row) => rowKey(row) === readRoute(location.hash).query.row)
  useRowKeys({ count: shown.length, openAt, select, close })
  const box = useRef<HTMLElement>(null)
  useReturnToList(box, at >= 0)
  // The number that was clicked is above the rows.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [list, kind])
  const name = listName(list)
  const words = rowsTexts()
  return (
    <div class={`pair compared-rows${at < 0 ? '' : ' with-record'}`} id="why-rows">
      <section ref={box} class="pair-list" aria-label={ui.rowsOf(name)}>
        <header>
          <h2 class="pair-name">{visibleText(ui.rowsOf(name), false)}</h2>
          <div class="filters">
            <div class="filter-buttons">
              {[undefined, ...kinds].map((one) => (
                <button
                  key={one ?? ''}
                  type="button"
                  class="chip"
                  aria-pressed={kind === one}
                  onClick={() => change({ kind: one, row: undefined })}
                >
                  {kindName(one)}{' '}
                  <span class="count">
                    {showNumber(one === undefined ? (rows ?? []).length : (rows ?? []).filter((row) => row.kinds.includes(one)).length)}
                  </span>
                </button>
              ))}
              <button type="button" onClick={() => change({ rows: undefined, kind: undefined, row: undefined })}>
                {ui.closeRows}
              </button>
            </div>
          </div>
          <p class="quiet" role="status">
            {words.shown(shown.length, view.ids[0].length)}
          </p>
        </header>
        {wanted !== undefined && at < 0 && <p class="error">{words.noRow(wanted.slice(0, 40))}</p>}
        <VirtualTable
          id="explained"
          label={ui.rowsOf(name)}
          columns={[
            { key: 'number', name: words.row },
            { key: 'asked', name: words.asked },
            { key: 'expected', name: words.expected },
            { key: 'answered', name: ui.first },
            { key: 'second', name: ui.second },
            { key: 'change', name: ui.change },
          ]}
          of={shown}
          count={shown.length}
          height={34}
          selected={at < 0 ? undefined : at}
          onSelect={select}
          onEnter={() => focusRecord(box.current)}
          onSeen={(from, to) => {
            const seen = shown.slice(from, to + 1)
            left.want(seen.flatMap(({ places }) => places[0] ?? []))
            right.want(seen.flatMap(({ places }) => places[1] ?? []))
          }}
          cells={(index) => {
            const { id, places, change: changed } = shown[index]!
            const lines = [
              places[0] === undefined ? undefined : left.line(places[0]),
              places[1] === undefined ? undefined : right.line(places[1]),
            ]
            const answer = (side: 0 | 1) => (places[side] === undefined ? '–' : (lines[side]?.error ?? lines[side]?.prediction ?? '…'))
            return [
              showNumber(id),
              visibleText(lines[0]?.asked ?? lines[1]?.asked ?? '', false),
              visibleText(lines[0]?.gold ?? lines[1]?.gold ?? '', false),
              visibleText(answer(0), false),
              visibleText(answer(1), false),
              <span key="change" class={`change ${changed === 'better' ? 'is-b' : changed === 'worse' ? 'is-w' : ''}`}>
                {{ better: '▲ ', worse: '▼ ', 'other reply': '≠ ', 'one side only': '', same: '' }[changed]}
                {ui.changes(changed)}
              </span>,
            ]
          }}
        />
      </section>
      {at >= 0 && <ExplainedRow {...{ site, view, first, second, row: shown[at]! }} onClose={close} />}
    </div>
  )
}

/** A row in links: its number in the first run, or `second 7` if only the second has it. */
function rowKey({ id, places }: ListedRow): string {
  return places[0] === undefined ? `second ${id}` : String(id)
}

function listName(key: string): string {
  const ui = whyTexts()
  const known = listKeys.find((one) => one === key)
  return known ? ui.listNames[known] : ui.cause(key.replace(/^[^:]*: /, ''))
}

function kindName(kind: string | undefined): string {
  const ui = whyTexts()
  if (kind === undefined) return ui.all
  if (kind.startsWith('tag ')) return ui.tagName(kind.slice('tag '.length))
  return ui.changes(kind as ListedRow['change'])
}

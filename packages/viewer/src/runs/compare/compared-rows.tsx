import { useMemo, useRef } from 'preact/hooks'
import { placeOf } from 'rolecall/internal/server/viewer/rows/place-of'
import type { PairDiff, Site, ValueColumn } from 'rolecall/internal/server/viewer/viewer-data'
import { findRows, loadColumns, type Search } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { Choice } from '../../parts/choice.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { focusRecord, useReturnToList } from '../../parts/use-focus.ts'
import { useRowKeys } from '../../parts/use-row-keys.ts'
import { VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { type Route, readRoute, useQuery } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { RowSearch } from '../rows/row-filters.tsx'
import { useLines } from '../use-run.ts'
import { countsByValue } from './change-counts.ts'
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
  const text = route.query.text || undefined
  const isPattern = route.query.pattern !== undefined
  const search = useLoad(
    async (signal) => (text === undefined ? undefined : await findInBoth(site, [first, second], pair, { text, isPattern }, signal)),
    [pair, text, isPattern],
  )
  const columns = useLoad((signal) => loadColumns(first.run, pair.first, signal), [first.run, pair.first])
  const by = columns.value?.columns.find(({ name }) => name === route.query.by)
  const byValue = by && route.query.value !== undefined ? by.values.indexOf(route.query.value) : undefined
  const found = text === undefined ? undefined : search.value
  const candidates = useMemo(
    () =>
      [...ids.keys()].filter(
        (index) => (found?.has(index) ?? text === undefined) && (byValue === undefined || by!.of[places[0][index]!] === byValue),
      ),
    [pair, found, text, by, byValue],
  )
  const shown = useMemo(() => candidates.filter((index) => kind === 'all' || changes[index] === kind), [candidates, kind])
  const isSearching = text !== undefined && search.isLoading
  const [left, right] = [useLines(first.run, pair.first), useLines(second.run, pair.second)]
  const wanted = route.query.row
  const chosen = wanted === undefined ? undefined : placeOf(ids, Number(wanted))
  const at = chosen === undefined ? -1 : shown.indexOf(chosen)
  const select = (index: number) => {
    if (shown[index] !== undefined)
      change({ row: String(ids[shown[index]]) }, { replace: readRoute(location.hash).query.row !== undefined })
  }
  const close = () => change({ row: undefined })
  const openAt = () => shown.findIndex((index) => String(ids[index]) === readRoute(location.hash).query.row)
  useRowKeys({ count: shown.length, openAt, select, close })
  const list = useRef<HTMLElement>(null)
  useReturnToList(list, chosen !== undefined)
  const { expected, asked, row } = rowsTexts()
  return (
    <div class={`pair compared-rows${chosen === undefined ? '' : ' with-record'}`}>
      <section ref={list} class="pair-list" aria-label={ui.table}>
        <header>
          <h2 class="pair-name">{visibleText(pair.comparison.dataset, false)}</h2>
          <div class="filters">
            <RowSearch query={route.query} change={change} />
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
                    {showNumber(one === 'all' ? candidates.length : candidates.filter((index) => changes[index] === one).length)}
                  </span>
                </button>
              ))}
            </div>
          </div>
          {columns.value && columns.value.columns.length > 0 && (
            <div class="filter-choices by-column">
              <Choice
                label={ui.byColumn}
                value={by?.name ?? ''}
                options={[['', ui.none], ...columns.value.columns.map(({ name }) => [name, name] as const)]}
                onChange={(value) => change({ by: value || undefined, value: undefined })}
              />
              {by && (
                <ByValue pair={pair} column={by} chosen={route.query.value} onChoose={(value) => change({ value, show: undefined })} />
              )}
            </div>
          )}
          <p class="quiet" role="status">
            {isSearching ? rowsTexts().searching : rowsTexts().shown(shown.length, ids.length)}
          </p>
        </header>
        {search.error && <ErrorBox error={search.error} />}
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
              visibleText(one?.error ?? (one?.reading || one?.prediction) ?? '…', false),
              visibleText(other?.error ?? (other?.reading || other?.prediction) ?? '…', false),
              <ChangeMark key="change" letter={changes[index]!} differs={differs[index]!} />,
            ]
          }}
        />
      </section>
      {chosen !== undefined && <ComparedRow {...{ site, first, second, pair, index: chosen }} onClose={close} />}
    </div>
  )
}

/** The rows in which a text occurs on either side. */
async function findInBoth(
  site: Site,
  sides: readonly [Side, Side],
  pair: PairDiff,
  search: Search,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const { ids, places } = pair.rows
  const numbers = [pair.first, pair.second] as const
  const found = await Promise.all(
    sides.map(async ({ run }, side) => {
      const count = places[side]!.reduce((most, place) => Math.max(most, place + 1), 0)
      return new Set((await findRows(site, [run, numbers[side]!], search, count, signal)).places)
    }),
  )
  return new Set([...ids.keys()].filter((index) => found.some((some, side) => some.has(places[side]![index]!))))
}

type ByValueProps = { pair: PairDiff; column: ValueColumn; chosen: string | undefined; onChoose: (value: string | undefined) => void }

/** Rows won, lost and tied for each value of a column; a value shows its rows. */
function ByValue({ pair, column, chosen, onChoose }: ByValueProps) {
  const ui = compareTexts()
  return (
    <div class="filter-buttons">
      {countsByValue(pair, column).map(({ value, rows, better, worse }) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={chosen === value}
          title={`${ui.wins(better)} · ${ui.losses(worse)}`}
          onClick={() => onChoose(chosen === value ? undefined : value)}
        >
          {visibleText(value, false)}{' '}
          <span class="count">
            {showNumber(rows)} · ▲ {showNumber(better)} ▼ {showNumber(worse)}
          </span>
        </button>
      ))}
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

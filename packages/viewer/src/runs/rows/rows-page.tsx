import { useMemo, useRef } from 'preact/hooks'
import { placeOf } from 'rolecall/internal/server/viewer/rows/place-of'
import type { RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadExtracted, loadRecordText, readRecord } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { NotHere } from '../../parts/not-here.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { focusRecord, useReturnToList } from '../../parts/use-focus.ts'
import { useRowKeys } from '../../parts/use-row-keys.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { type Route, readRoute, useQuery } from '../../route.ts'
import { annotationTexts } from '../../texts/annotations.ts'
import { modelName } from '../../texts/model-name.ts'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { RowView } from '../row/row-view.tsx'
import { RowFilters } from './row-filters.tsx'
import { RowsTable } from './rows-table.tsx'
import { ColumnBoxes } from './table-columns.tsx'
import { useRows } from './use-rows.ts'

type RowsPageProps = { site: Site; number: number; pair: number; state: RunStatus | undefined; route: Route }

/** The rows of a model on a dataset, and the selected one beside them. */
export function RowsPage({ site, number, pair, state, route }: RowsPageProps) {
  const change = useQuery(route)
  const { query } = route
  const run = site.runs[number]!
  const name = run.pairs[pair]!
  const figure = state?.pairs[pair]?.figure
  const { column, columns, first, places, counts, choices, filter, order, annotations, unknown, error, lacks, isSearching, isLoading } =
    useRows(site, [number, pair], query, figure, state?.pairs[pair]?.stamp)
  const selected = query.row === undefined || !column ? undefined : placeOf(column.ids, Number(query.row))
  const at = selected === undefined ? -1 : places.indexOf(selected)
  const select = (index: number) => {
    const place = places[index]
    // Only opening a row is a step of the history, however fast keys arrive.
    const isOpen = readRoute(location.hash).query.row !== undefined
    if (place !== undefined && column) change({ row: String(column.ids[place]) }, { replace: isOpen })
  }
  const step = useRowKeys({
    count: places.length,
    openAt: () => {
      const { row } = readRoute(location.hash).query
      const place = row === undefined || !column ? undefined : placeOf(column.ids, Number(row))
      return place === undefined ? -1 : places.indexOf(place)
    },
    select,
    close: () => change({ row: undefined }),
  })
  const list = useRef<HTMLElement>(null)
  useReturnToList(list, selected !== undefined)
  const noNote = filter.note !== undefined && columns?.notes.every(({ code }) => code !== filter.note!.code)
  const all = state?.pairs[pair]?.result?.rows
  const isExported = site.exported !== undefined && column !== undefined && all !== undefined && all > column.ids.length
  const isMissing = column !== undefined && query.row !== undefined && selected === undefined
  return (
    <div class={`pair${selected === undefined ? '' : ' with-record'}`}>
      <section
        ref={list}
        class={`pair-list${query.cols === undefined ? '' : ' own-columns'}`}
        aria-label={rowsTexts().rowsOf(modelName(name), name.dataset)}
      >
        <header>
          <h1 class="pair-name">
            {visibleText(modelName(name), false)} <span class="quiet">{rowsTexts().on(visibleText(name.dataset, false))}</span>
          </h1>
          <RowFilters counts={state ? counts : []} chosen={filter.show} {...{ choices, query, change }}>
            <ColumnBoxes chosen={query.cols} columns={columns} onChoose={(cols) => change({ cols }, { replace: true })} />
          </RowFilters>
          <div class="list-foot">
            <p class="quiet" role="status" data-testid="row-count">
              {isLoading && !error
                ? partTexts().loading
                : isSearching
                  ? rowsTexts().searching
                  : rowsTexts().shown(places.length, column?.ids.length ?? 0)}
            </p>
            {site.exported === undefined && !isLoading && <Downloads {...{ number, pair, query }} />}
          </div>
          {annotations.all?.unreadable !== undefined && <p class="bad">{annotationTexts().unreadable(annotations.all.unreadable)}</p>}
          {lacks && <p class="quiet">{rowsTexts().lacks[lacks]}</p>}
          {isExported && (
            <p class="quiet">
              {site.shared ? rowsTexts().sharedRows(site.shared, all!) : rowsTexts().exportedRows(column!.ids.length, all!)}
            </p>
          )}
        </header>
        {error && <ErrorBox error={error} />}
        <NotHere
          missing={[
            [rowsTexts().filter, unknown.show],
            [rowsTexts().order, unknown.sort],
            [rowsTexts().column, unknown.column],
          ]}
        />
        {isMissing && <p class="error">{rowsTexts().noRow(query.row!.slice(0, 40))}</p>}
        {noNote && <p class="quiet">{visibleText(rowsTexts().noNote(filter.note!.code.slice(0, 80)), false)}</p>}
        {places.length === 0 && column && !isLoading && !isSearching && !error && !noNote && (
          <p class="quiet">
            {rowsTexts().noMatch}{' '}
            <button type="button" onClick={() => change(withoutFilters(query), { replace: true })}>
              {rowsTexts().clearFilters}
            </button>
          </p>
        )}
        {isLoading && !error && <Skeleton lines={12} />}
        <RowsTable
          {...{ run: number, pair, column, columns, first, places, figure, annotations, order }}
          chosen={query.cols}
          onSort={({ by, isDescending }) =>
            change({ sort: by === 'number' ? undefined : by, descending: isDescending ? '1' : undefined }, { replace: true })
          }
          selected={at < 0 ? undefined : at}
          onSelect={select}
          onEnter={() => focusRecord(list.current)}
        />
      </section>
      {selected !== undefined && (
        <Selected
          key={`${number} ${pair}`}
          {...{ site, number, pair, place: selected, figure, annotations, route }}
          stamp={column!.stamp}
          position={at < 0 ? undefined : { at: at + 1, of: places.length }}
          onStep={step}
        />
      )}
    </div>
  )
}

/** What does not choose rows: the pair, the row, and how the list looks. */
const kept = new Set(['run', 'pair', 'model', 'format', 'dataset', 'row', 'tab', 'sort', 'descending', 'cols', 'lang'])

/** The query without what chooses rows. */
function withoutFilters(query: Route['query']): Record<string, undefined> {
  return Object.fromEntries(Object.keys(query).flatMap((name) => (kept.has(name) ? [] : [[name, undefined]])))
}

const files = [
  ['rows.csv', 'csv'],
  ['rows.jsonl', 'jsonl'],
  ['report.html', 'report'],
] as const

/** The rows shown, as files. */
function Downloads({ number, pair, query }: { number: number; pair: number; query: Route['query'] }) {
  const ui = rowsTexts()
  const { run, model, format, dataset, ...rest } = query
  const search = new URLSearchParams(rest).toString()
  return (
    <p class="downloads">
      {files.map(([name, kind]) => (
        <a key={kind} href={`data/runs/${number}/${pair}/${name}${search === '' ? '' : `?${search}`}`} download title={ui.downloads[kind]}>
          ↓ {kind === 'report' ? ui.share : kind.toUpperCase()}
        </a>
      ))}
    </p>
  )
}

type SelectedProps = Pick<
  Parameters<typeof RowView>[0],
  'site' | 'number' | 'pair' | 'figure' | 'annotations' | 'route' | 'position' | 'onStep'
> & {
  place: number
  /** Changes when rows were added or replaced. */
  stamp: string | undefined
}

function Selected({ place, stamp, ...props }: SelectedProps) {
  const { site, number, pair } = props
  const { value: text, error } = useLoad((signal) => loadRecordText(site, number, pair, place, signal), [number, pair, place, stamp])
  // While a run adds other rows, this one is loaded again but not rendered again.
  const record = useMemo(() => (text === undefined ? undefined : readRecord(text)), [text])
  // Rows are shown without marks if this fails.
  const extracted = useLoad(
    async (signal) => (record ? await loadExtracted(site, number, pair, place, signal) : undefined),
    [number, pair, record],
  )
  return (
    <section class="pair-record" aria-label={rowTexts().label}>
      {error && <ErrorBox error={error} />}
      {record && <RowView {...props} record={record} extracted={extracted.isLoading ? undefined : extracted.value} />}
    </section>
  )
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readTerms } from 'rolecall/internal/server/viewer/grid/filter-terms'
import { findTexts } from 'rolecall/internal/server/viewer/grid/find-texts'
import { locateRow } from 'rolecall/internal/server/viewer/grid/grid-table'
import { choosingParameters, lineOfQuery } from 'rolecall/internal/server/viewer/grid/line-of-query'
import { matchRows } from 'rolecall/internal/server/viewer/grid/match-rows'
import { type GridOrder, orderOfQuery, sortRows } from 'rolecall/internal/server/viewer/grid/sort-rows'
import { placeOf } from 'rolecall/internal/server/viewer/rows/place-of'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { findRows } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { Guarded } from '../../parts/guarded.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { focusRecord, useReturnToList } from '../../parts/use-focus.ts'
import { useRowKeys } from '../../parts/use-row-keys.ts'
import { isTyping } from '../../prompt/use-settings.ts'
import { type Route, readRoute, useQuery } from '../../route.ts'
import { gridTexts } from '../../texts/grid.ts'
import { partTexts } from '../../texts/parts.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { runTexts } from '../../texts/run.ts'
import { ChartStrip } from './chart-strip.tsx'
import { FilterLine } from './filter-line.tsx'
import { gridAddress } from './grid-address.ts'
import { GridChips } from './grid-chips.tsx'
import { columnsOf, datasetsOf } from './grid-columns.ts'
import { GridCrumbs, RunNotices } from './grid-crumbs.tsx'
import { type Density, densities, GridList } from './grid-list.tsx'
import { GridNotices } from './grid-notices.tsx'
import { GridTools } from './grid-tools.tsx'
import { Resizer, usePanelWidth } from './resizer.tsx'
import { type PanelCell, RowPanel } from './row-panel.tsx'
import { cellKey, useGrid, useRunStates } from './use-grid.ts'
import { useGridAnnotations } from './use-grid-annotations.ts'

/** Rows down, models, prompts and formats across: one filter line, scores on top, one row with all answers beside them. */
export function GridPage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const { query } = route
  const ui = gridTexts()
  const address = useMemo(
    () => gridAddress(site, route),
    [site, route.page, query.cells, query.run, query.model, query.format, query.dataset, query.pair, query.data],
  )
  const runs = [...new Set(address.sides.map(({ run }) => run))]
  const { states, error: stateError } = useRunStates(runs)
  const shape = [...states.values()].map(({ pairs }) => pairs.map(({ result }) => JSON.stringify(result?.axes ?? {})).join()).join()
  const columns = useMemo(() => columnsOf(site, address.sides, states), [site, address, shape])
  const cells = useMemo(
    () =>
      datasetsOf(columns, address.only).flatMap((data) =>
        columns.flatMap(({ run, pairs }) => (pairs.has(data) ? [{ run, pair: pairs.get(data)! }] : [])),
      ),
    [columns, address.only],
  )
  const annotations = useGridAnnotations(site, states.size > 0 ? cells : [])
  const line = lineOfQuery(query)
  const terms = useMemo(() => readTerms(line), [line])
  const { order, unknown: unknownOrder } = orderOfQuery(query, Math.max(1, columns.length))
  const [isDrawn, setDrawn] = useState(false)
  const { grid, hasColumns, isMatched, unmatched, error, columnsError } = useGrid(
    columns,
    states,
    address.only,
    annotations.all,
    isDrawn || needsColumns(terms, order),
  )
  const texts = terms.flatMap((term) => (term.kind === 'text' ? [term.source] : []))
  const stamps = cells.map(({ run, pair }) => `${cellKey(run, pair)} ${states.get(run)?.pairs[pair]?.stamp}`).join()
  const lacks = useRef<'inputs' | 'rest' | undefined>(undefined)
  const found = useLoad(
    async (signal) => {
      if (texts.length === 0 || !grid) return undefined
      lacks.current = undefined
      return findTexts(grid, terms, async ({ run, pair, rows }, { text, isPattern, field }) => {
        const { places, lacks: missing } = await findRows(site, [run, pair], { text, isPattern, field }, rows, signal)
        lacks.current ??= missing
        return new Set(places)
      })
    },
    [texts.join('\n'), grid !== undefined, stamps],
  )
  const isSearching = texts.length > 0 && found.isLoading
  const texted = texts.length > 0 ? found.value : undefined
  const matched = useMemo(
    () =>
      grid ? matchRows(grid, columns, isSearching && !texted ? terms.filter(({ kind }) => kind !== 'text') : terms, texted) : undefined,
    [grid, columns, terms, texted, isSearching],
  )
  const rows = useMemo(
    () => (grid && matched && !found.error ? sortRows(grid, matched.rows, order) : []),
    [grid, matched, found.error, order.by, order.isDescending],
  )
  const isLoading = !grid || !isMatched || (needsColumns(terms, order) && !hasColumns && !columnsError)

  const selectedRow = useMemo(() => rowInAddress(grid, query), [grid, query.row, query.of])
  const at = selectedRow === undefined ? -1 : rows.indexOf(selectedRow)
  const addressOf = (row: number) => {
    const { part, index } = locateRow(grid!, row)!
    return { row: String(part.ids[index]), of: grid!.parts.length > 1 ? part.data : undefined }
  }
  const select = (position: number) => {
    const row = rows[position]
    if (row === undefined || !grid) return
    // Only opening a row is a step of the history, however fast keys arrive.
    change(addressOf(row), { replace: readRoute(location.hash).query.row !== undefined })
  }
  const close = () => change({ row: undefined, of: undefined })
  const step = useRowKeys({
    count: rows.length,
    openAt: () => {
      const row = rowInAddress(grid, readRoute(location.hash).query)
      return row === undefined ? -1 : rows.indexOf(row)
    },
    select,
    close,
  })
  const list = useRef<HTMLElement>(null)
  const selected = selectedRow === undefined || !grid ? undefined : locateRow(grid, selectedRow)
  useReturnToList(list, selected !== undefined)
  const [width, setWidth] = usePanelWidth()
  const density = (Object.keys(densities) as Density[]).find((one) => one === query.rows) ?? 'normal'
  const setLine = (next: string) =>
    change(
      { ...Object.fromEntries(choosingParameters.map((name) => [name, undefined])), q: next === '' ? undefined : next },
      { replace: true },
    )
  useGridKeys({
    d: () => change({ rows: nextDensity(density) }, { replace: true }),
    c: () => change({ charts: query.charts === undefined ? '1' : undefined }, { replace: true }),
    g: () => document.querySelector<HTMLElement>('.go-to input')?.focus(),
  })
  const panelCells: PanelCell[] =
    selected === undefined
      ? []
      : columns.flatMap((column, index) => {
          const cell = selected.part.cells[index]
          const place = cell?.places[selected.index] ?? -1
          return cell && place >= 0 ? [{ column, cell, place, annotations: annotations.of(cell) }] : []
        })
  const count = grid?.count ?? 0
  return (
    <div class="runs-page grid-page">
      <div class="grid-bar">
        <GridCrumbs {...{ site, route, columns, address, states }} />
        <FilterLine line={line} onChange={setLine} grid={grid} columns={columns} found={texted ?? noTexts} />
        <p class="quiet" role="status" data-testid="row-count">
          {isLoading && !error ? partTexts().loading : isSearching ? rowsTexts().searching : rowsTexts().shown(rows.length, count)}
        </p>
        <GridTools
          {...{ site, query, grid, density, columns, address }}
          onCharts={() => change({ charts: query.charts === undefined ? '1' : undefined }, { replace: true })}
          onDensity={(next) => change({ rows: next }, { replace: true })}
          onGo={(id) => grid && change({ row: String(id), of: grid.parts.length > 1 ? partWith(grid, id) : undefined })}
        />
      </div>
      {stateError && <ErrorBox error={stateError} />}
      <RunNotices site={site} runs={runs} states={states} />
      <div class={`pair grid${panelCells.length > 0 ? ' with-record' : ''}`} style={{ '--panel': `${width}px` }}>
        <section ref={list} class="pair-list" aria-label={ui.label}>
          <GridNotices
            {...{ site, states, columns, annotations: annotations.all, unmatched, line, grid, rows }}
            terms={terms}
            unknown={matched?.unknown ?? []}
            unknownOrder={unknownOrder}
            lacks={texts.length > 0 && !found.isLoading ? lacks.current : undefined}
            missing={query.row !== undefined && grid && selected === undefined ? query.row : undefined}
            isReady={!isLoading && !isSearching && !error && !found.error}
            found={texted ?? noTexts}
            onLine={setLine}
          />
          {(error ?? found.error ?? (needsColumns(terms, order) ? columnsError : undefined) ?? annotations.error) && (
            <ErrorBox error={(error ?? found.error ?? columnsError ?? annotations.error)!} />
          )}
          {address.missing.map((name) => (
            <p key={name} class="error">
              {runTexts().noRun(name)}
            </p>
          ))}
          {!grid && !error && address.missing.length === 0 && <Skeleton lines={12} />}
          {grid && (
            <GridList
              {...{ grid, columns, rows: isLoading ? [] : rows, stamps, density, order }}
              onSort={({ by, isDescending }) =>
                change({ sort: by === 'number' ? undefined : by, descending: isDescending ? '1' : undefined }, { replace: true })
              }
              selected={at < 0 ? undefined : at}
              onSelect={select}
              onEnter={() => focusRecord(list.current)}
              onDrawn={() => setDrawn(true)}
            />
          )}
          {grid && query.charts !== undefined && (
            <ChartStrip {...{ grid, columns, line }} rows={isLoading ? [] : rows} onChange={setLine} />
          )}
          {grid && <GridChips {...{ grid, columns, line, found: texted ?? noTexts }} onChange={setLine} />}
        </section>
        {panelCells.length > 0 && selected && (
          <>
            <Resizer width={width} onChange={setWidth} />
            <Guarded place={ui.title} retryOn={`${query.row} ${query.of}`}>
              <RowPanel
                key={columns.map(({ path }) => path).join()}
                {...{ site, route, cells: panelCells }}
                part={selected.part}
                index={selected.index}
                hasSeveral={columns.length > 1}
                stamp={stamps}
                position={at < 0 ? undefined : { at: at + 1, of: rows.length }}
                onStep={step}
              />
            </Guarded>
          </>
        )}
      </div>
    </div>
  )
}

const noTexts = new Map()

/** Keys of the grid, outside of fields. */
function useGridKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = isTyping(event) ? undefined : latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

function nextDensity(now: Density): string | undefined {
  const all = Object.keys(densities)
  const next = all[(all.indexOf(now) + 1) % all.length]
  return next === 'normal' ? undefined : next
}

type GridOf = ReturnType<typeof useGrid>['grid']

function rowInAddress(grid: GridOf, { row, of }: Route['query']): number | undefined {
  if (!grid || row === undefined || !/^\d{1,15}$/.test(row)) return undefined
  for (const part of grid.parts) {
    if (of !== undefined && part.data !== of) continue
    const index = placeOf(part.ids, Number(row))
    if (index !== undefined) return part.from + index
  }
  return undefined
}

/** The first dataset that has a row of this number. */
function partWith(grid: NonNullable<GridOf>, id: number): string | undefined {
  return grid.parts.find(({ ids }) => placeOf(ids, id) !== undefined)?.data
}

/** Whether rows are chosen or sorted by what is loaded after the scores. */
function needsColumns(terms: ReturnType<typeof readTerms>, { by }: GridOrder): boolean {
  const isFiltered = terms.some(
    (term) =>
      (term.kind === 'value' && term.name !== 'tag' && term.name !== 'data') ||
      (term.kind === 'range' && term.measure !== 'score') ||
      (term.kind === 'answer' && ['limit', 'cached', 'noted'].includes(term.word)),
  )
  return isFiltered || /:(?:tokens|time)$/.test(by)
}

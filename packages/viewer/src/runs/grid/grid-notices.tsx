import { readTerms, type Term, tokensOf } from 'rolecall/internal/server/viewer/grid/filter-terms'
import type { RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { type FoundTexts, matchRows, type UnknownTerm } from 'rolecall/internal/server/viewer/grid/match-rows'
import type { PairAnnotations, RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { NotHere } from '../../parts/not-here.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { annotationTexts } from '../../texts/annotations.ts'
import { gridTexts } from '../../texts/grid.ts'
import { rowsTexts } from '../../texts/rows.ts'
import type { GridColumn } from './grid-columns.ts'

type GridNoticesProps = {
  site: Site
  states: ReadonlyMap<number, RunStatus>
  columns: readonly GridColumn[]
  annotations: ReadonlyMap<string, PairAnnotations>
  unmatched: ReadonlyMap<string, number>
  line: string
  terms: readonly Term[]
  unknown: readonly UnknownTerm[]
  unknownOrder: string | undefined
  lacks: 'inputs' | 'rest' | undefined
  /** A row of the address that is not here. */
  missing: string | undefined
  grid: RowGrid | undefined
  rows: readonly number[]
  found: FoundTexts
  isReady: boolean
  onLine: (line: string) => void
}

const mostNamed = 12

/** What the rows shown do not say: terms that are not understood, rows that were not searched, are not here, or do not count. */
export function GridNotices(props: GridNoticesProps) {
  const {
    site,
    states,
    columns,
    annotations,
    unmatched,
    line,
    terms,
    unknown,
    unknownOrder,
    lacks,
    missing,
    grid,
    rows,
    found,
    isReady,
    onLine,
  } = props
  const ui = gridTexts()
  const words = rowsTexts()
  const unreadable = [...annotations.values()].reduce((sum, one) => sum + (one.unreadable ?? 0), 0)
  const excluded = grid ? grid.parts.reduce((sum, part) => sum + part.excluded.size, 0) : 0
  const [only] = columns
  const pairs = columns.length === 1 && only ? [...only.pairs.values()] : []
  const all = pairs.reduce((sum, pair) => sum + (states.get(only!.run)?.pairs[pair]?.result?.rows ?? 0), 0)
  const isCut = site.exported !== undefined && grid !== undefined && all > grid.count
  return (
    <>
      <NotHere missing={[[words.order, unknownOrder]]} />
      {unknown.map(({ source, problem, known }) => (
        <p key={source} class="not-understood">
          {visibleText(ui.unknown[problem](source.slice(0, 80)), false)}{' '}
          {known.length > 0 && <span class="quiet">{visibleText(ui.couldBe(known.slice(0, mostNamed).join(', ')), false)}</span>}{' '}
          <button type="button" onClick={() => onLine(without(line, source))}>
            {visibleText(ui.dropTerm(source.slice(0, 40)), false)}
          </button>
        </p>
      ))}
      {unreadable > 0 && <p class="bad">{annotationTexts().unreadable(unreadable)}</p>}
      {excluded > 0 && <p class="quiet">⊘ {ui.excludedRows(excluded)}</p>}
      {[...unmatched].map(
        ([letter, count]) =>
          count > 0 && (
            <p key={letter} class="quiet">
              {ui.unmatched(letter, count)}
            </p>
          ),
      )}
      {lacks && <p class="quiet">{words.lacks[lacks]}</p>}
      {isCut && <p class="quiet">{site.shared ? words.sharedRows(site.shared, all) : words.exportedRows(grid.count, all)}</p>}
      {missing !== undefined && <p class="error">{words.noRow(missing.slice(0, 40))}</p>}
      {isReady && grid && rows.length === 0 && terms.length > 0 && (
        <div class="no-rows">
          <p>
            {words.noMatch}{' '}
            <button type="button" onClick={() => onLine('')}>
              {words.clearFilters}
            </button>
          </p>
          {terms.length > 1 && (
            <ul>
              {terms.map(({ source }) => {
                const rest = without(line, source)
                const left = matchRows(grid, columns, readTerms(rest), found).rows.length
                const alone = matchRows(grid, columns, readTerms(source), found).rows.length
                return (
                  <li key={source}>
                    <button type="button" onClick={() => onLine(rest)}>
                      {visibleText(ui.dropTerm(source.slice(0, 40)), false)}
                    </button>{' '}
                    <span class="quiet">
                      {ui.rowsLeft(left)}
                      {alone === 0 && <> · {visibleText(ui.notAlone(source.slice(0, 40)), false)}</>}
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </div>
      )}
    </>
  )
}

function without(line: string, source: string): string {
  return tokensOf(line)
    .filter((token) => token !== source)
    .join(' ')
}

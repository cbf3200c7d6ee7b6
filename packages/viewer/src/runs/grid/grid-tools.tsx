import type { RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import type { Route } from '../../route.ts'
import { gridTexts } from '../../texts/grid.ts'
import { rowsTexts } from '../../texts/rows.ts'
import type { GridAddress } from './grid-address.ts'
import { datasetsOf, type GridColumn } from './grid-columns.ts'
import { type Density, densities } from './grid-list.tsx'

type GridToolsProps = {
  site: Site
  query: Route['query']
  grid: RowGrid | undefined
  columns: readonly GridColumn[]
  address: GridAddress
  density: Density
  onCharts: () => void
  onDensity: (density: string | undefined) => void
  onGo: (row: number) => void
}

/** Go to a row, the height of rows, and the rows shown as files. */
export function GridTools({ site, query, grid, columns, address, density, onCharts, onDensity, onGo }: GridToolsProps) {
  const ui = gridTexts()
  return (
    <div class="grid-tools">
      <form
        class="go-to"
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.querySelector('input')!
          if (field.value !== '') onGo(Number(field.value))
          field.blur()
        }}
      >
        <input type="number" min="0" aria-label={`${ui.goTo} (g)`} placeholder={ui.goToHint} />
      </form>
      <button type="button" class="charts-button" aria-pressed={query.charts !== undefined} onClick={onCharts}>
        {ui.charts}
      </button>
      <label class="density">
        <select
          aria-label={ui.density}
          value={density}
          onChange={({ currentTarget: { value } }) => onDensity(value === 'normal' ? undefined : value)}
        >
          {(Object.keys(densities) as Density[]).map((one) => (
            <option key={one} value={one}>
              {ui.densities[one]}
            </option>
          ))}
        </select>
      </label>
      {site.exported === undefined && grid && <Downloads {...{ query, columns, address }} />}
    </div>
  )
}

const kinds = ['csv', 'jsonl', 'html'] as const

/** The rows shown, as files: for one model on one dataset also as a page that opens anywhere. */
function Downloads({ query, columns, address }: Pick<GridToolsProps, 'query' | 'columns' | 'address'>) {
  const ui = rowsTexts()
  const { run: _, model: _model, format: _format, dataset: _dataset, cells: _cells, ...rest } = query
  const search = new URLSearchParams(rest)
  const [side] = address.sides
  if (columns.length === 1 && side?.pair !== undefined) {
    const path = `data/runs/${side.run}/${side.pair}`
    return <Links href={(kind) => `${path}/${kind === 'html' ? 'report.html' : `rows.${kind}`}${search.size === 0 ? '' : `?${search}`}`} />
  }
  const parts = datasetsOf(columns, address.only).map((data) => ({
    data,
    cells: columns.map(({ run, pairs }) => (pairs.has(data) ? [run, pairs.get(data)] : null)),
  }))
  search.set('parts', JSON.stringify(parts))
  search.set('names', JSON.stringify(columns.map(({ letter, names }) => ({ letter, names }))))
  return <Links href={(kind) => `data/grid/rows.${kind}?${search}`} />

  function Links({ href }: { href: (kind: (typeof kinds)[number]) => string }) {
    return (
      <p class="downloads">
        {kinds.map((kind) => (
          <a key={kind} href={href(kind)} download title={ui.downloads[kind === 'html' ? 'report' : kind]}>
            ↓ {kind === 'html' ? ui.share : kind.toUpperCase()}
          </a>
        ))}
      </p>
    )
  }
}

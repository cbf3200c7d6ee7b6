// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by scrolling cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the row that is active. A row with the focus would lose it when it scrolls away
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles keys
import type { ComponentChildren } from 'preact'
import { partTexts } from '../texts/parts.ts'
import { useVirtual } from './use-virtual.ts'

export type TableColumn = {
  /** Also the class of its cells. */
  key: string
  name: ComponentChildren
  /** Further classes of its cells. */
  class?: string
  /** The tooltip of the heading. */
  title?: string
  /** Absent if the column is not sortable. */
  sort?: { is: 'ascending' | 'descending' | 'none'; toggle: () => void }
}

type VirtualTableProps = {
  columns: readonly TableColumn[]
  count: number
  height: number
  selected: number | undefined
  onSelect: (index: number) => void
  /** Renders the cells of a row in column order; called only for visible rows. */
  cells: (index: number) => readonly ComponentChildren[]
  label: string
  onEnter?: () => void
  onSeen?: (first: number, last: number) => void
  id: string
  /** Changes when the row numbers refer to other rows. */
  of?: unknown
  /** The height of the headings. */
  head?: number
  /** The class of a row. */
  lineClass?: (index: number) => string
}

/** A table that renders only visible rows; clicking a heading sorts by it. */
export function VirtualTable({
  columns,
  count,
  height,
  selected,
  onSelect,
  onEnter,
  cells,
  label,
  onSeen,
  id,
  of,
  head = 30,
  lineClass,
}: VirtualTableProps) {
  const given = { count, height, head, selected, onSelect, onEnter, onSeen, of }
  const { box, lines, drawn, topOf, onScroll, onKeyDown } = useVirtual(given)
  return (
    <>
      <div
        ref={box}
        class="virtual-table"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-activedescendant={selected === undefined ? undefined : `${id}-${selected}`}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div class="table-head" role="rowgroup">
          <div class="table-line" role="row" aria-rowindex={1} style={{ height: `${head}px` }}>
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </div>
        </div>
        <div class="virtual-lines" role="rowgroup" style={{ height: `${drawn}px` }}>
          {lines.map((index) => (
            <div
              key={index}
              id={`${id}-${index}`}
              role="row"
              aria-selected={index === selected}
              aria-rowindex={index + 2}
              class={`table-line virtual-line${lineClass ? ` ${lineClass(index)}` : ''}`}
              style={{ height: `${height}px`, transform: `translateY(${topOf(index)}px)` }}
              onClick={() => onSelect(index)}
            >
              {cells(index).map((cell, place) => (
                <div key={columns[place]!.key} class={cellClass(columns[place]!)} role="gridcell">
                  {cell}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {lines.length > 0 && lines.length < count && <p class="on-paper">{partTexts().onPaper(lines[0]! + 1, lines.at(-1)! + 1, count)}</p>}
    </>
  )
}

const arrows = { ascending: '▲', descending: '▼', none: '' }

function cellClass({ key, class: more }: TableColumn): string {
  return `cell c-${key}${more === undefined ? '' : ` ${more}`}`
}

function Heading({ column }: { column: TableColumn }) {
  const { name, title, sort } = column
  return (
    <div class={cellClass(column)} role="columnheader" aria-sort={sort?.is} title={title}>
      {sort ? (
        <button type="button" onClick={sort.toggle}>
          {name} <span aria-hidden="true">{arrows[sort.is]}</span>
        </button>
      ) : (
        name
      )}
    </div>
  )
}

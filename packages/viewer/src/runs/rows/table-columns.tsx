import type { RowColumns } from 'rolecall/internal/server/viewer/viewer-data'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowsTexts } from '../../texts/rows.ts'

/** The columns of every table of rows, after the row's number. */
const ownColumns = ['asked', 'expected', 'extracted', 'answered', 'verdict', 'tokens', 'time'] as const

/** Distinguishes columns of the dataset from those of every table. */
export const valuePrefix = '.'

/** The columns that can be shown: those of every table, and the dataset's columns with few values. */
function allColumns(columns: RowColumns | undefined): string[] {
  return [...ownColumns, ...(columns?.columns ?? []).map(({ name }) => `${valuePrefix}${name}`)]
}

/** The columns to show, by the address; names that do not exist are skipped. */
export function shownColumns(chosen: string | undefined, columns: RowColumns | undefined): readonly string[] {
  if (chosen === undefined) return ownColumns
  const wanted = chosen.split(',').map(decodeName)
  return allColumns(columns).filter((name) => wanted.includes(name))
}

export function columnName(name: string): string {
  return name.startsWith(valuePrefix) ? name.slice(valuePrefix.length) : rowsTexts()[name as (typeof ownColumns)[number]]
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type ColumnBoxesProps = { chosen: string | undefined; columns: RowColumns | undefined; onChoose: (chosen: string | undefined) => void }

/** A box for each column that can be shown. */
export function ColumnBoxes({ chosen, columns, onChoose }: ColumnBoxesProps) {
  const shown = shownColumns(chosen, columns)
  const all = allColumns(columns)
  const choose = (name: string, isShown: boolean) => {
    const next = all.filter((one) => (one === name ? isShown : shown.includes(one)))
    onChoose(next.join() === ownColumns.join() ? undefined : next.map(encodeURIComponent).join())
  }
  return (
    <fieldset class="column-boxes">
      <legend>{rowsTexts().columns}</legend>
      {all.map((name) => (
        <label key={name}>
          <input type="checkbox" checked={shown.includes(name)} onChange={({ currentTarget }) => choose(name, currentTarget.checked)} />
          {visibleText(columnName(name), false)}
        </label>
      ))}
    </fieldset>
  )
}

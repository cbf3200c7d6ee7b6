import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RowColumns } from '../../../../src/app/server/viewer/viewer-data.ts'
import { Choice } from '../../parts/choice.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import type { Route, useQuery } from '../../route.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import type { Show } from './choose-rows.ts'

function nameOf(show: Show): string {
  const { verdicts, outcomes } = verdictTexts()
  if (show === 'all' || show === 'noted' || show === 'limit') return rowsTexts()[show]
  return show === 'right' || show === 'wrong' || show === 'scored' || show === 'none' ? verdicts[show] : outcomes[show]
}

type RowFiltersProps = {
  counts: readonly { show: Show; count: number }[]
  chosen: Show
  columns: RowColumns | undefined
  query: Route['query']
  change: ReturnType<typeof useQuery>
}

/** The filters of the table: search, kinds of rows with counts, column values, notes. */
export function RowFilters({ counts, chosen, columns, query, change }: RowFiltersProps) {
  return (
    <div class="filters">
      <Search query={query} change={change} />
      <div class="filter-buttons">
        {counts.map(({ show, count }) => (
          <button
            key={show}
            type="button"
            class={`chip v-${show}`}
            aria-pressed={chosen === show}
            title={rowsTexts().meanings[show]}
            onClick={() => change({ show: show === 'all' ? undefined : show })}
          >
            {nameOf(show)} <span class="count">{showNumber(count)}</span>
          </button>
        ))}
      </div>
      {columns && columns.columns.length + columns.notes.length > 0 && (
        <div class="filter-choices">
          {columns.columns.length > 0 && <ColumnChoice columns={columns} query={query} change={change} />}
          {columns.notes.length > 0 && (
            <Choice
              label={rowsTexts().note}
              value={query.note ?? ''}
              options={[['', rowsTexts().any], ...columns.notes.map(({ code, places }) => [code, `${code} (${places.length})`] as const)]}
              onChange={(value) => change({ note: value || undefined })}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** One list of all columns and values, so that the wrong rows of a category are two clicks away. */
function ColumnChoice({ columns, query, change }: { columns: RowColumns } & Pick<RowFiltersProps, 'query' | 'change'>) {
  const key = (name: string, value: string) => JSON.stringify([name, value])
  const choose = (chosen: string) => {
    const [column, value] = chosen === '' ? [] : (JSON.parse(chosen) as [string, string])
    change({ column, value })
  }
  return (
    <label class="choice">
      <span aria-hidden="true">{rowsTexts().column}</span>
      <select
        aria-label={rowsTexts().column}
        value={query.column !== undefined && query.value !== undefined ? key(query.column, query.value) : ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{rowsTexts().any}</option>
        {columns.columns.map(({ name, values, of }) => (
          <optgroup key={name} label={name}>
            {values.map((value, number) => (
              <option key={value} value={key(name, value)}>
                {name}: {value} ({of.filter((one) => one === number).length})
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

/** Searches while typing; `/` focuses it, Enter and arrow down move to the rows, Escape clears and then leaves it. */
function Search({ query, change }: Pick<RowFiltersProps, 'query' | 'change'>) {
  const [text, setText] = useState(query.text ?? '')
  useEffect(() => {
    if (text === (query.text ?? '')) return
    const timer = setTimeout(() => change({ text: text === '' ? undefined : text }, { replace: true }), 200)
    return () => clearTimeout(timer)
  }, [text])
  // Back and links change the address, not the field.
  useEffect(() => setText(query.text ?? ''), [query.text])
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    if (event.key === 'Escape' && field.value === '') field.blur()
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    field.closest('.pair-list')?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }
  const isPattern = query.pattern !== undefined
  const problem = isPattern ? patternProblem(text) : undefined
  return (
    <div class="search">
      <input
        type="search"
        aria-label={rowsTexts().search}
        aria-invalid={problem !== undefined}
        placeholder={isPattern ? rowsTexts().patternHint : rowsTexts().searchHint}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <Toggle on={isPattern} onChange={(on) => change({ pattern: on ? '1' : undefined })}>
        {rowsTexts().pattern}
      </Toggle>
      {problem !== undefined && <p class="quiet">{visibleText(problem, false)}</p>}
    </div>
  )
}

function patternProblem(text: string): string | undefined {
  try {
    new RegExp(text, 'iu')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FilterChoices } from 'rolecall/internal/server/viewer/rows/choose-rows'
import { type Measure, measures, readRange, type Show, writeRange } from 'rolecall/internal/server/viewer/rows/row-filter'
import { Toggle } from '../../parts/toggle.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import type { Route, useQuery } from '../../route.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { verdictTexts } from '../../texts/verdicts.ts'

function nameOf(show: Show): string {
  const { verdicts, outcomes } = verdictTexts()
  switch (show) {
    case 'right':
    case 'wrong':
    case 'scored':
    case 'none':
      return verdicts[show]
    case 'all':
    case 'noted':
    case 'limit':
    case 'cached':
    case 'reviewed':
    case 'overrated':
    case 'underrated':
    case 'starred':
    case 'annotated':
      return rowsTexts()[show]
    default:
      return outcomes[show]
  }
}

type RowFiltersProps = {
  counts: readonly { show: Show; count: number }[]
  chosen: Show
  choices: FilterChoices | undefined
  query: Route['query']
  change: ReturnType<typeof useQuery>
  /** Further choices, behind "more". */
  children?: ComponentChildren
}

/** The filters of the table: search, kinds of rows with counts, column values, notes, reasons and ranges of numbers. */
export function RowFilters({ counts, chosen, choices, query, change, children }: RowFiltersProps) {
  const ui = rowsTexts()
  return (
    <div class="filters">
      <RowSearch query={query} change={change} />
      <div class="filter-buttons">
        {counts.map(({ show, count }) => (
          <button
            key={show}
            type="button"
            class={`chip v-${show}`}
            aria-pressed={chosen === show}
            title={ui.meanings[show]}
            onClick={() => change({ show: show === 'all' ? undefined : show })}
          >
            {nameOf(show)} <span class="count">{showNumber(count)}</span>
          </button>
        ))}
      </div>
      {choices && (
        <div class="filter-choices">
          {choices.columns.length > 0 && (
            <GroupedChoice
              label={ui.column}
              groups={choices.columns.map(({ name, values }) => ({
                name,
                options: values.map(({ value, count }) => ({ key: [name, value], text: `${name}: ${value}`, count })),
              }))}
              chosen={[query.column, query.value]}
              onChoose={([column, value]) => change({ column, value })}
            />
          )}
          {choices.notes.length > 0 && (
            <GroupedChoice
              label={ui.note}
              groups={choices.notes.map(({ code, count, texts }) => ({
                name: code,
                options: [
                  { key: [code], text: code, count },
                  ...(texts.length > 1 ? texts.map((one) => ({ key: [code, one.text], text: one.text, count: one.count })) : []),
                ],
              }))}
              chosen={[query.note, choices.notes.find(({ code }) => code === query.note)?.texts.length === 1 ? undefined : query.said]}
              onChoose={([note, said]) => change({ note, said })}
            />
          )}
          {choices.reasons.length > 0 && (
            <GroupedChoice
              label={ui.reason}
              groups={[{ name: ui.reason, options: choices.reasons.map(({ reason, count }) => ({ key: [reason], text: reason, count })) }]}
              chosen={[query.reason]}
              onChoose={([reason]) => change({ reason })}
            />
          )}
          {choices.tags.length > 0 && (
            <GroupedChoice
              label={ui.tag}
              groups={[{ name: ui.tag, options: choices.tags.map(({ tag, count }) => ({ key: [tag], text: tag, count })) }]}
              chosen={[query.tag]}
              onChoose={([tag]) => change({ tag })}
            />
          )}
          <details class="more-filters" open={measures.some((measure) => query[measure] !== undefined)}>
            <summary>{ui.more}</summary>
            <div class="filter-choices">
              {measures.map((measure) => (
                <RangeFilter key={measure} measure={measure} query={query} change={change} />
              ))}
              {children}
            </div>
          </details>
        </div>
      )}
    </div>
  )
}

type GroupedChoiceProps = {
  label: string
  groups: readonly { name: string; options: readonly { key: readonly string[]; text: string; count: number }[] }[]
  chosen: readonly (string | undefined)[]
  onChoose: (key: readonly (string | undefined)[]) => void
}

const mostShown = 80

/** One list of all names and values with counts, so that the wrong rows of a category are two clicks away. */
function GroupedChoice({ label, groups, chosen, onChoose }: GroupedChoiceProps) {
  const keyText = (key: readonly (string | undefined)[]) => JSON.stringify(key.filter((one) => one !== undefined))
  return (
    <label class="choice">
      <span aria-hidden="true">{label}</span>
      <select
        aria-label={label}
        value={chosen[0] === undefined ? '' : keyText(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? [] : (JSON.parse(value) as string[]))}
      >
        <option value="">{rowsTexts().any}</option>
        {groups.map(({ name, options }) => (
          <optgroup key={name} label={name}>
            {options.map(({ key, text, count }) => (
              <option key={keyText(key)} value={keyText(key)}>
                {text.length > mostShown ? `${text.slice(0, mostShown)}…` : text} ({showNumber(count)})
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

/** The least and the greatest score, tokens or time of the rows. */
function RangeFilter({ measure, query, change }: { measure: Measure } & Pick<RowFiltersProps, 'query' | 'change'>) {
  const ui = rowsTexts()
  const range = readRange(query[measure] ?? '') ?? {}
  const field = (end: 'from' | 'to') => (
    <input
      type="number"
      step="any"
      aria-label={ui.rangeEnds[end](ui.measures[measure])}
      placeholder={end === 'from' ? ui.atLeast : ui.atMost}
      value={range[end] ?? ''}
      onChange={({ currentTarget: { valueAsNumber } }) => {
        const { [end]: _, ...other } = range
        change({ [measure]: writeRange(Number.isNaN(valueAsNumber) ? other : { ...other, [end]: valueAsNumber }) }, { replace: true })
      }}
    />
  )
  return (
    <fieldset class="range">
      <legend>{ui.measures[measure]}</legend>
      {field('from')}
      {field('to')}
    </fieldset>
  )
}

/** Searches while typing; `/` focuses it, Enter and arrow down move to the rows, Escape clears and then leaves it. */
export function RowSearch({ query, change }: Pick<RowFiltersProps, 'query' | 'change'>) {
  const linked = query.text ?? ''
  const [text, setText] = useState(linked)
  const sent = useRef(linked)
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      change({ text: text === '' ? undefined : text }, { replace: true })
    }, 200)
    return () => clearTimeout(timer)
  }, [text])
  // Back and links change the address, not the field. What was typed since the search started stays.
  useEffect(() => {
    if (linked !== sent.current) setText(linked)
    sent.current = linked
  }, [linked])
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
      {/* Once it was searched for, the list says what is wrong with it. */}
      {problem !== undefined && text !== linked && <p class="quiet">{visibleText(problem, false)}</p>}
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

import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { completions } from 'rolecall/internal/server/viewer/grid/complete-term'
import { readTerms, tokensOf } from 'rolecall/internal/server/viewer/grid/filter-terms'
import type { ColumnName, RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { type FoundTexts, matchRows } from 'rolecall/internal/server/viewer/grid/match-rows'
import { gridTexts } from '../../texts/grid.ts'
import { rowsTexts } from '../../texts/rows.ts'

type FilterLineProps = {
  line: string
  onChange: (line: string) => void
  grid: RowGrid | undefined
  columns: readonly ColumnName[]
  found: FoundTexts
}

const list = 'filter-completions'

/** One line that filters the whole grid, completed while typing: Tab takes the first term, arrows and Enter another. Escape closes the list, and then clears. */
export function FilterLine({ line, onChange, grid, columns, found }: FilterLineProps) {
  const ui = gridTexts()
  const [text, setText] = useState(line)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const sent = useRef(line)
  const send = (now: string) => {
    sent.current = now.trim()
    onChange(now.trim())
  }
  useEffect(() => {
    if (text.trim() === sent.current) return
    const timer = setTimeout(() => send(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  // Back and links change the address, not the field. What was typed since stays.
  useEffect(() => {
    if (line !== sent.current) setText(line)
    sent.current = line
  }, [line])
  const typed = /\s$/.test(text) ? '' : (tokensOf(text).at(-1) ?? '')
  const others = typed === '' ? text : text.slice(0, text.length - typed.length)
  const proposed = useMemo(() => {
    if (!isOpen || !grid) return []
    const { rows } = matchRows(grid, columns, readTerms(others), found)
    return completions(grid, columns, { rows, chosen: tokensOf(others), typed })
  }, [isOpen, grid, columns, text, found])
  const take = (term: string) => {
    const next = `${others.trimEnd()}${others.trim() === '' ? '' : ' '}${term} `
    setText(next)
    send(next)
    setActive(-1)
  }
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && isOpen && proposed.length > 0) {
      event.preventDefault()
      setActive((active + step + proposed.length) % proposed.length)
    } else if (event.key === 'Tab' && !event.shiftKey && isOpen && typed !== '' && proposed[0]) {
      event.preventDefault()
      take((proposed[active] ?? proposed[0]).term)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (isOpen && proposed[active]) take(proposed[active].term)
      else {
        setOpen(false)
        send(text)
        field.closest('.grid-page')?.querySelector<HTMLElement>('[role="grid"]')?.focus()
      }
    } else if (event.key === 'Escape') {
      // The browser clears a search field.
      if (field.value === '') field.blur()
      setOpen(false)
    } else if (event.key === 'Backspace' && text.endsWith(' ') && text.trim() !== '') {
      event.preventDefault()
      const next = tokensOf(text).slice(0, -1).join(' ')
      setText(next === '' ? '' : `${next} `)
    }
  }
  return (
    <div class="filter-line">
      <input
        type="search"
        // The list of a combobox is not that of the browser.
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: a field without a list of the browser is no combobox by itself
        role="combobox"
        aria-label={rowsTexts().search}
        aria-expanded={isOpen && proposed.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={columns.length > 1 ? ui.filterHintOfColumns : ui.filterHint}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setActive(-1)
          setOpen(true)
        }}
        onKeyDown={pressed}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      <div id={list} role="listbox" aria-label={ui.completions} class="completions" hidden={!isOpen || proposed.length === 0}>
        {proposed.map(({ term, kind, rows }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active term
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys
          <div
            key={term}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(term)}
          >
            <code>{term}</code>
            <span class="quiet">{ui.kinds[kind]}</span>
            <span class="count">{rows === undefined ? '' : ui.rowsLeft(rows)}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import { printable } from '../terminal.ts'
import type { Cell, Grid, NextStep, ScreenBlock, Tone } from './blocks.ts'
import { cut, joinWhole, padEnd, shorten, widthOf, wrap } from './fit-text.ts'

/** Prose is not wider than this: longer lines are hard to read. */
const widestProse = 100
const gap = '  '
const shortestName = 8

/** Everything is coloured, and colours are removed at the end where the terminal has none: what the data holds is escaped before. */
const colors = pc.createColors(true)

const paints: Readonly<Record<Tone, (text: string) => string>> = {
  good: colors.green,
  bad: colors.red,
  attention: colors.yellow,
  quiet: colors.dim,
  strong: colors.bold,
}

function paint(text: string, tone: Tone | undefined): string {
  return tone === undefined || text === '' ? text : paints[tone](text)
}

/**
 * Lays out a screen for this many columns: blocks parted by blank lines, no line wider than the terminal. It escapes, aligns, shortens and
 * colours; commands do none of that.
 */
export function layOut(blocks: readonly ScreenBlock[], width: number, hasColours = pc.isColorSupported): string {
  const text = blocks
    .map((block) => linesOf(block, width).join('\n'))
    .filter((lines) => lines !== '')
    .join('\n\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

function linesOf(block: ScreenBlock, width: number): string[] {
  switch (block.kind) {
    case 'prose':
      return wrap(printable(block.text), Math.min(width, widestProse)).map((line) => paint(line, block.tone))
    case 'parts':
      return joinParts(block.parts.map(printable), width).map((line) => paint(line, block.tone))
    case 'label':
      return labelled(block, width)
    case 'grid':
      return gridLines(block, width)
    case 'group':
      return block.blocks.flatMap((part) => linesOf(part, width))
    case 'drawn':
      return [...block.draw(width)]
    case 'indented':
      return block.blocks.flatMap((part) => linesOf(part, width - block.by)).map((line) => ' '.repeat(block.by) + line)
    case 'forms':
      return linesOf(formFor(block.forms, width), width)
    default:
      return block satisfies never
  }
}

function joinParts(parts: readonly string[], width: number): string[] {
  return joinWhole(parts, ' · ', width).flatMap((line) => wrap(line, width))
}

/** `note  text`, further lines below the text. */
function labelled({ label, tone, texts, gap: blanks = gap.length }: ScreenBlock & { kind: 'label' }, width: number): string[] {
  const indent = ' '.repeat(widthOf(label) + blanks)
  const lines = texts.flatMap((text) => wrap(printable(text), Math.min(width, widestProse) - indent.length))
  return lines.map((line, index) => (index === 0 ? `${paint(label, tone)}${' '.repeat(blanks)}${line}` : `${indent}${line}`))
}

/** The first form whose tables fit as they are; else the first that fits with shorter names; else the last. */
function formFor(forms: readonly ScreenBlock[], width: number): ScreenBlock {
  const last = forms[forms.length - 1]!
  return forms.find((form) => fits(form, width, false)) ?? forms.slice(0, -1).find((form) => fits(form, width, true)) ?? last
}

function fits(block: ScreenBlock, width: number, isSqueezed: boolean): boolean {
  if (block.kind === 'indented') return block.blocks.every((part) => fits(part, width - block.by, isSqueezed))
  if (block.kind === 'group') return block.blocks.every((part) => fits(part, width, isSqueezed))
  if (block.kind !== 'grid') return true
  const grid = asPrinted(block)
  return tableWidth(isSqueezed ? (squeezed(grid, width) ?? grid) : grid) <= width
}

/** A table with everything escaped, as its widths are measured. */
type PrintedGrid = { columns: Grid['columns']; rows: Grid['rows'] }

/** Columns without any text are left out: their gaps would show. */
function asPrinted(grid: Grid): PrintedGrid {
  const printed = escaped(grid)
  const widths = columnWidths(printed)
  return widths.includes(0)
    ? withColumns(
        printed,
        widths.flatMap((width, index) => (width > 0 ? [index] : [])),
      )
    : printed
}

function withColumns({ columns, rows }: PrintedGrid, kept: readonly number[]): PrintedGrid {
  return {
    columns: kept.flatMap((index) => columns[index] ?? []),
    rows: rows.map((row) => ('below' in row ? row : { cells: kept.flatMap((index) => row.cells[index] ?? []) })),
  }
}

function escaped({ columns, rows }: Grid): PrintedGrid {
  return {
    columns: columns.map((column) => ({ ...column, title: printable(column.title ?? ''), subtitle: printable(column.subtitle ?? '') })),
    rows: rows.map((row) =>
      'below' in row ? { below: printable(row.below) } : { cells: row.cells.map((cell) => ({ ...cell, text: printable(cell.text) })) },
    ),
  }
}

function gridLines(block: Grid, width: number): string[] {
  const grid = asPrinted(block)
  const shown = squeezed(grid, width)
  return shown ? tableLines(shown, width) : recordLines(grid, width)
}

function columnWidths({ columns, rows }: PrintedGrid): number[] {
  return columns.map(({ title = '', subtitle = '' }, index) =>
    Math.max(widthOf(title), widthOf(subtitle), ...rows.map((row) => ('below' in row ? 0 : widthOf(row.cells[index]?.text ?? '')))),
  )
}

function tableWidth(grid: PrintedGrid): number {
  const widths = columnWidths(grid)
  const last = widths.length - 1
  const isMarked = grid.rows.some((row) => 'cells' in row && row.cells[last]?.mark !== undefined)
  return widths.reduce((sum, width) => sum + width + gap.length, -gap.length) + Number(isMarked)
}

/** The table in this width: as it is, without columns that may be dropped, then with shorter names; undefined if that is not enough. */
function squeezed(grid: PrintedGrid, width: number): PrintedGrid | undefined {
  if (tableWidth(grid) <= width) return grid
  const kept = grid.columns.flatMap(({ mayDrop }, index) => (mayDrop ? [] : [index]))
  const dropped = withColumns(grid, kept)
  return tableWidth(dropped) <= width ? dropped : withShortNames(dropped, width)
}

function withShortNames(grid: PrintedGrid, width: number): PrintedGrid | undefined {
  const widths = columnWidths(grid)
  let tooMuch = tableWidth(grid) - width
  const allowed = new Map<number, number>()
  const names = grid.columns.flatMap(({ mayShorten, mayCut }, index) => (mayShorten || mayCut ? [index] : []))
  // The widest name gives way first.
  for (const index of names.sort((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))) {
    const natural = widths[index] ?? 0
    const shorter = Math.max(Math.min(shortestName, natural), natural - tooMuch)
    allowed.set(index, shorter)
    tooMuch -= natural - shorter
  }
  if (tooMuch > 0) return undefined
  const fit = (text: string, index: number) =>
    (grid.columns[index]?.mayCut ? cut : shorten)(text, allowed.get(index) ?? Number.POSITIVE_INFINITY)
  return {
    columns: grid.columns.map((column, index) => ({
      ...column,
      title: fit(column.title ?? '', index),
      subtitle: fit(column.subtitle ?? '', index),
    })),
    rows: grid.rows.map((row) =>
      'below' in row ? row : { cells: row.cells.map((cell, index) => ({ ...cell, text: fit(cell.text, index) })) },
    ),
  }
}

function tableLines(grid: PrintedGrid, width: number): string[] {
  const widths = columnWidths(grid)
  const line = (cells: readonly Cell[]) =>
    grid.columns
      .map(({ isNumber }, index) => {
        const { text = '', tone, mark = ' ' } = cells[index] ?? {}
        const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)))
        const cell = isNumber ? blanks + paint(text, tone) : paint(text, tone) + blanks
        // The mark stands in the gap, so that digits stay below digits.
        return `${cell}${mark}`
      })
      .join(' ')
      .trimEnd()
  const heads = [grid.columns.map(({ title = '' }) => title), grid.columns.map(({ subtitle = '' }) => subtitle)]
  const indent = ' '.repeat((widths[0] ?? 0) + gap.length)
  return [
    ...heads
      .filter((head) => head.some((title) => title !== ''))
      .map((head, index) => line(head.map((text) => ({ text, tone: index === 0 ? ('strong' as const) : ('quiet' as const) })))),
    ...grid.rows.flatMap((row) =>
      'cells' in row ? [line(row.cells)] : wrap(row.below, Math.max(shortestName, width - indent.length)).map((text) => indent + text),
    ),
  ]
}

/** A table that is too wide even so: a block for each line, and a line for each cell. */
function recordLines({ columns, rows }: PrintedGrid, width: number): string[] {
  return rows.flatMap((row) => {
    if ('below' in row) return wrap(row.below, width - gap.length).map((text) => gap + text)
    const [name, ...rest] = row.cells
    return [
      ...wrap(name?.text ?? '', width),
      ...rest.flatMap(({ text, mark = '' }, index) => {
        if (text === '' || columns[index + 1]?.mayDrop) return []
        const { title = '' } = columns[index + 1] ?? {}
        return wrap(`${title === '' ? '' : `${title} `}${text}${mark}`, width - gap.length).map((part) => gap + part)
      }),
    ]
  })
}

/** `next  COMMAND    what it shows`, for standard error. Commands are never broken where a paste would change them. */
export function layOutNext(steps: readonly NextStep[], width: number, hasColours = pc.isColorSupported): string {
  const label = 'next'
  const indent = ' '.repeat(label.length + gap.length)
  const room = width - indent.length
  const longest = Math.max(0, ...steps.map(({ command }) => widthOf(command)).filter((columns) => columns <= room))
  const lines = withinLines(steps, room).flatMap(({ command, shows }) => {
    if (widthOf(command) > room) return continued(command, room)
    const aligned = [longest, 0].find((columns) => shows !== undefined && Math.max(columns, widthOf(command)) + 4 + widthOf(shows) <= room)
    return [aligned === undefined || shows === undefined ? command : `${padEnd(command, aligned)}    ${colors.dim(shows)}`]
  })
  const text = lines.map((line, index) => `${index === 0 ? colors.bold(label) + gap : indent}${line}`).join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

/** More lines of commands would push the answer off the screen. */
const mostNextLines = 4

/** The first steps, as many as fit these lines; at least one. */
function withinLines(steps: readonly NextStep[], room: number): NextStep[] {
  let used = 0
  return steps.filter(({ command }, index) => {
    used += widthOf(command) > room ? continued(command, room).length : 1
    return index === 0 || used <= mostNextLines
  })
}

/** A long command over several lines, as a shell reads it. */
function continued(command: string, width: number): string[] {
  const lines = joinWhole(command.split(' '), ' ', width - 4)
  return lines.map((line, index) => `${index > 0 ? gap : ''}${line}${index < lines.length - 1 ? ' \\' : ''}`)
}

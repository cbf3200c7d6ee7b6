import { isDict, isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import stringWidth from 'string-width'
import { colors, printable } from '../terminal.ts'
import type { ColumnUse } from './column-names.ts'
import type { UsedColumn } from './file-columns.ts'

const paints: Readonly<Partial<Record<ColumnUse, (text: string) => string>>> = { gold: colors.green, unused: colors.dim, id: colors.dim }

/** Every column with its kind and its use. */
export function showColumns(uses: readonly UsedColumn[]): string {
  const cells = uses.map(({ path, kind, use, note }) => ({
    cells: [printable(path === '' ? '""' : path), kind, use],
    note,
    use,
  }))
  const header = ['column', 'values', 'use']
  const widths = header.map((name, index) => Math.max(...[name, ...cells.map((one) => one.cells[index]!)].map((text) => stringWidth(text))))
  const line = (texts: readonly string[]) => texts.map((text, index) => text + ' '.repeat(widths[index]! - stringWidth(text))).join('  ')
  const lines = cells.map(({ cells: texts, note, use }) => {
    const paint = paints[use] ?? ((text: string) => text)
    return paint(`${line(texts)}${note === undefined ? '' : `  ${printable(note)}`}`.trimEnd())
  })
  return `${[colors.bold(line(header).trimEnd()), ...lines].join('\n')}\n`
}

/** A value in one line, for the terminal. */
export function showValue(value: PyValue, most = 200): string {
  const text = isList(value) || isDict(value) ? stringifyJson(value) : pyStr(value)
  const shown = printable(text.replaceAll('\n', '⏎'))
  return shown.length > most ? `${shown.slice(0, most)}…` : shown
}

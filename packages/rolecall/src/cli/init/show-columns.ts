import { isDict, isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import type { ScreenBlock, Tone } from '../screen/blocks.ts'
import { printable } from '../terminal.ts'
import type { ColumnUse } from './column-names.ts'
import type { UsedColumn } from './file-columns.ts'

const tones: Readonly<Partial<Record<ColumnUse, Tone>>> = { gold: 'good', unused: 'quiet', id: 'quiet' }

/** Every column with its kind and its use. */
export function columnsBlock(uses: readonly UsedColumn[]): ScreenBlock {
  const rows = uses.map(({ path, kind, use, note = '' }) => ({
    cells: [path === '' ? '""' : path, kind, use, note].map((text) => ({ text, tone: tones[use] })),
  }))
  const columns = [{ title: 'column', mayShorten: true }, { title: 'values' }, { title: 'use' }, { mayCut: true }]
  return { kind: 'grid', columns, rows }
}

/** A value in one line, for the terminal. */
export function showValue(value: PyValue, most = 200): string {
  const text = isList(value) || isDict(value) ? stringifyJson(value) : pyStr(value)
  const shown = printable(text.replaceAll('\n', '⏎'))
  return shown.length > most ? `${shown.slice(0, most)}…` : shown
}

import { dictHas, type PyDict, pyRepr } from '../../src/base/python/index.ts'
import {
  asRead,
  filesOf,
  isTable,
  type Loaded,
  load,
  loaderNamed,
  type ReaderSettings,
} from '../../src/compat/opencompass/loaders/index.ts'
import { PromptError } from '../../src/index.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { rules } from './rules.ts'
import { asVector, type LoaderVector } from './vector.ts'

/** The rows that OpenCompass's dataset classes produce from files. */
export const loaderRuns: Suite = {
  name: 'loaders',
  recognises: (vector) => ['loader', 'kwargs', 'files'].every((key) => dictHas(vector, key)),
  async judge(json): Promise<Verdict> {
    const vector = asVector(json)
    if (!loaderNamed(vector.loader)) return judgeUnknown(vector)
    const ours = await outcomeOf(vector)
    const same = 'error' in ours ? vector.expected === undefined : vector.expected !== undefined && sameRows(ours.value, vector)
    if (same) return { kind: 'passed' }
    const rule = Object.entries(rules).find(([, holds]) => holds(vector))?.[0]
    if (rule) return { kind: 'deviation', rule }
    const shown = 'error' in ours ? ours.error.message : pyRepr(ours.value as PyDict)
    return {
      kind: 'failed',
      why: `${vector.loader} ${pyRepr(vector.settings)}\n  ours ${shown}\n  expected ${vector.expected === undefined ? 'an error' : pyRepr(vector.expected)}`,
    }
  },
}

/** An unknown loader must be rejected by name. */
async function judgeUnknown(vector: LoaderVector): Promise<Verdict> {
  const ours = await outcomeOf(vector)
  const isRefused = 'error' in ours && ours.error.code === 'unknown-loader' && ours.error.message.includes(vector.loader)
  return isRefused ? { kind: 'later', why: 'not known' } : { kind: 'failed', why: `${vector.loader} is not known and was not refused` }
}

type LoaderOutcome = { value: unknown } | { error: PromptError }

async function outcomeOf({ loader, settings, files, reader }: LoaderVector): Promise<LoaderOutcome> {
  try {
    const { abbr, n, k: _, ...own } = settings as Record<string, never>
    const loaded = await load(loader, own, filesOf(files))
    return { value: reader ? asRead(loaded, { abbr, n, reader_cfg: reader } as ReaderSettings) : rowsOf(loaded) }
  } catch (error) {
    if (error instanceof PromptError) return { error }
    throw error
  }
}

function rowsOf(loaded: Loaded): unknown {
  return isTable(loaded) ? loaded.rows : Object.fromEntries(Object.entries(loaded).map(([split, { rows }]) => [split, rows]))
}

/** Compares column order and number types; lists that come from a set or a directory listing may be in any order. */
function sameRows(ours: unknown, { expected, unordered, unorderedRows }: LoaderVector): boolean {
  const shown = (value: unknown) => shownRows(value, unordered, unorderedRows)
  return JSON.stringify(shown(ours)) === JSON.stringify(shown(expected))
}

/** Split → its rows, each as Python's `repr`. */
function shownRows(value: unknown, unordered: readonly string[], unorderedRows: boolean): unknown {
  if (!Array.isArray(value)) {
    const splits = value instanceof Map ? [...value] : Object.entries(value as object)
    return splits
      .map(([split, rows]) => [split, shownRows(rows, unordered, unorderedRows)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  }
  const rows = value.map((row: PyDict) => pyRepr(unordered.length === 0 ? row : withSortedLists(row, unordered)))
  return unorderedRows ? rows.sort() : rows
}

function withSortedLists(row: PyDict, columns: readonly string[]): PyDict {
  return Object.fromEntries(
    Object.entries(row as Record<string, never>).map(([name, value]) => [
      name,
      columns.includes(name) && Array.isArray(value) ? [...value].sort() : value,
    ]),
  )
}

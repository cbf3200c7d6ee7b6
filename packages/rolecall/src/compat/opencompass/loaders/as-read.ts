import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries } from '@rolecall/core/internal/python'
import { rangeIndexes, readRange } from '../../../evaluation/dataset/row-range.ts'
import { isTable, type Loaded } from './loader.ts'
import type { Table } from './table.ts'

/** How a dataset's config uses the rows from its loader. */
export type ReaderSettings = {
  abbr?: string | undefined
  /** How many times the rows are repeated. */
  n?: number | undefined
  reader_cfg?:
    | { train_split?: string; test_split?: string; train_range?: string | number | null; test_range?: string | number | null }
    | undefined
}

/**
 * The rows available as examples and the rows to evaluate, as OpenCompass's `BaseDataset` and `DatasetReader` return them:
 * with the columns `subdivision` and `idx`, each split repeated `n` times, then sliced to its range.
 */
export function asRead(loaded: Loaded, settings: ReaderSettings): { train: Row[]; test: Row[] } {
  const { train_split = 'train', test_split = 'test', train_range, test_range } = settings.reader_cfg ?? {}
  const train = cut(splitAsRead(loaded, train_split, 'train_split', settings), train_range, 'train_range')
  // OpenCompass stores the sliced rows as "train" before it selects the rows to evaluate.
  const asked = test_split === 'train' ? train : splitAsRead(loaded, test_split, 'test_split', settings)
  return { train, test: cut(asked, test_range, 'test_range') }
}

/** One split with its additional columns, repeated `n` times. Rows without splits are both "train" and "test". */
export function splitAsRead(loaded: Loaded, split: string, key: string, { abbr = 'dataset', n = 1 }: ReaderSettings): Row[] {
  if (isTable(loaded) && (split === 'train' || split === 'test')) return numbered(loaded, abbr, n)
  const splits = isTable(loaded) ? {} : loaded
  const table = Object.hasOwn(splits, split) ? splits[split] : undefined
  if (table) return numbered(table, `${abbr}_${split}`, n)
  throw new PromptError('unknown-split', {
    where: `${abbr} › reader_cfg.${key}`,
    problem: `the data has no split "${split}"`,
    fix: `choose one of: ${isTable(loaded) ? 'train, test' : Object.keys(splits).join(', ')}`,
  })
}

function numbered({ rows }: Table, subdivision: string, n: number): Row[] {
  const marked = rows.map((row, idx) => dictFromEntries([...dictEntries(row), ['subdivision', subdivision], ['idx', idx]]))
  return n === 1 ? marked : Array.from({ length: n }, () => marked).flat()
}

function cut(rows: readonly Row[], range: string | number | null | undefined, key: string): Row[] {
  return rangeIndexes(readRange(range, `reader_cfg.${key}`), rows.length).map((index) => rows[index]!)
}

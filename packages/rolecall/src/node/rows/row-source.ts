import type { Row } from '@rolecall/core/internal/conversation'
import type { PromptError } from '@rolecall/core/internal/errors'
import type { Chunks } from '../../evaluation/dataset/chunks.ts'
import type { ColumnMap } from '../../evaluation/dataset/map-columns.ts'
import type { CsvDelimiter } from '../../python/library/csv-reader.ts'
import type { RowFileType } from './read-rows.ts'

/** The part of a dataset's config that defines its rows. */
export type RowsConfig = {
  abbr?: string
  path?: string | readonly string[]
  train_path?: string | readonly string[]
  columns?: readonly string[]
  file_type?: RowFileType
  delimiter?: CsvDelimiter
  map_columns?: ColumnMap
  media_columns?: readonly string[]
  media_root?: string | readonly string[]
  answers_path?: string
  row_format?: string
  rows?: readonly object[]
  train_rows?: readonly object[]
  /** An lm-evaluation-harness task, which contains its rows. */
  lm_eval?: { rows?: unknown }
  /** The OpenCompass dataset class that loads the rows; ignored if `rows` are given. */
  type?: string
  reader_cfg?: {
    test_range?: string | number | null
    train_range?: string | number | null
    train_split?: unknown
    test_split?: unknown
  }
  on_bad_row?: 'error' | 'skip'
}

/** A row and its number in the file or list, from 0, before any range applies; skipped rows are not counted. */
export type NumberedRow = { row: Row; number: number }

/** Rows read lazily, again for each iteration. */
export type RowSource = AsyncIterable<NumberedRow> & {
  /** The same rows in chunks as they are read, which is many times faster. */
  chunks(): Chunks<NumberedRow>
  /** Identifies the file or list: sources of the same rows have equal origins. */
  readonly origin: unknown
  /** The number of rows, if known before reading. */
  readonly total: number | undefined
  /** The upper bound on the number of rows, if the range sets one. */
  readonly most: number | undefined
  /** The rows skipped during the last iteration so far. */
  readonly skipped: Skipped
}

/** How many rows were skipped, with the first few reasons: a file may have a million bad rows. */
export type Skipped = { count: number; reasons: PromptError[] }

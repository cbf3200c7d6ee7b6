import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import type { Note } from '../../note.ts'

// What the page gets from the server, or finds as files in an exported site. Types only: the page imports this file.

/** Where a model's tokenizer comes from; undefined where there is none here. */
export type TokenizerSite =
  | { kind: 'embedded' }
  | { kind: 'hugging-face'; name: string; url: string; config?: string }
  | { kind: 'sentencepiece'; name: string; url: string }

export type ModelSite = { name: string; config: ModelConfig; tokenizer?: TokenizerSite }

export type DatasetSite = {
  name: string
  /** Without its rows, which are read when they are looked at. */
  config: DatasetConfig
  /** In an exported site: how many rows it has. */
  exported?: number
}

/** A config, to look at its prompts. */
export type ConfigSite = {
  name: string
  models: readonly ModelSite[]
  datasets: readonly DatasetSite[]
  warnings: readonly Note[]
  /** Places of keys that mean nothing here. */
  unused: readonly string[]
  /** The shipped example, since there is no config. */
  isExample?: true
}

/** All there is to look at. */
export type Site = {
  version: string
  configs: readonly ConfigSite[]
  /** How many rows lie in one file: 1 from a server, more in an exported site. */
  rowsPerFile: number
  /** When it was exported: files instead of a server. */
  exported?: string
}

/** How many rows one part of a list has. */
export const listPart = 200

/** A part of a dataset's rows, in short. */
export type RowList = {
  /** How many rows there are. */
  total: number
  /** The first characters of each. */
  previews: readonly string[]
}

/** Rows as they are written in JSON (the page reads them as Python would), with the rows that they are shown as examples. */
export type RowFile = {
  /** All rows that are an example of any of these. */
  texts: readonly string[]
  rows: readonly {
    row: string
    /** Places in `texts`. */
    examples: readonly number[]
    /** Which of the examples is this very row. */
    own?: number
  }[]
  notes: readonly Note[]
}

/** A user's mistake, as the server tells it. */
export type WireError = { error: { where: string; problem: string; fix: string } }

import type { Note } from '../../base/errors/note.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import type { CompiledPromptTemplate } from './compile-template.ts'
import type { Examples } from './examples.ts'
import type { Fields, Row } from './row.ts'

/** A dataset's side of the prompt: what `compileDataset` makes of `infer_cfg` and `reader_cfg`. */
export type DatasetTemplates = {
  prompt: CompiledPromptTemplate
  /** How examples are written; absent if the dataset has none. */
  ice?: CompiledPromptTemplate
  outputColumn?: string
  /** The labels that perplexity compares. */
  labels?: readonly string[]
  separator: string
  /** After the last example. */
  eos: string
  /** In place of the examples, if a row has none. */
  eosWithoutExamples: string
  /** Replaces the answer in a generation prompt. */
  mask: string
  quirks: Quirks
}

/** One row to build a prompt for: in generation its answer is masked, for perplexity the prompt is complete. */
export type Question = {
  row: Row
  examples?: readonly Row[]
  mode: 'gen' | 'ppl'
  /** For perplexity with a template for each label: which one. */
  label?: string
  /** For normalised perplexity: keeps `sep_token` in the text. */
  keepSeparator?: boolean
}

/** The context for filling a template. */
export type FillContext = { templates: DatasetTemplates; question: Question; fields: Fields; examples: Examples; notes: Note[] }

import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'

export type PresetMode = 'gen' | 'ppl'

/** One layout of a benchmark's files in a folder. `{subject}` matches one name, `*` any characters. */
export type FileLayout = {
  /** The origin of the files. */
  from: string
  test: string
  /** The example pool; by default the first test rows. */
  train?: string
  /** For CSV files without a header. */
  columns?: readonly string[]
  /** The file with the gold answers, if they are separate. */
  answers?: string
  /** The file type, if it does not follow from the names. */
  fileType?: NonNullable<DatasetConfig['file_type']>
  /** A text file with worked examples for each subject. */
  hint?: string
}

/** The request for one dataset of a preset. */
export type PresetAsk = {
  mode: PresetMode
  /** The number of examples. */
  shots: number
  /** The name in the files, e.g. `abstract_algebra`; empty if there is only one. */
  subject: string
  /** The text of the layout's `hint`. */
  hint?: string
}

/** A benchmark: how to find its files, and how to prompt and score their rows. */
export type DatasetPreset = {
  name: string
  /** Its repository on Hugging Face, with about how much is downloaded of it. */
  hub?: { name: string; megabytes: number; licence: string }
  /** One sentence for the docs. */
  does: string
  layouts: readonly FileLayout[]
  /** The first is the default. */
  modes: readonly PresetMode[]
  /** The usual number of examples. */
  shots: number
  /** Names that match a layout but are not subjects. */
  not?: readonly string[]
  /** Subjects that are skipped because they cannot be scored here, and why. */
  unscored?: readonly (readonly [names: RegExp, why: string])[]
  /** Whether a subject has a separate file of answers; by default all do if the layout has one. */
  hasAnswers?: (subject: string) => boolean
  dataset(
    ask: PresetAsk,
  ): Pick<DatasetConfig, 'reader_cfg' | 'infer_cfg' | 'eval_cfg' | 'row_format' | 'on_bad_row' | 'train_rows' | 'keep_columns'>
  /** Subjects by group, e.g. `mmlu-stem`. */
  groups?: Readonly<Record<string, readonly string[]>>
}

/** The groups of a summary: all subjects, and the preset's groups that are complete. */
export function groupsOf({ name, groups = {} }: DatasetPreset, abbrOf: ReadonlyMap<string, string>, suffix: string): SummaryGroup[] {
  if (abbrOf.size < 2) return []
  const known = Object.entries(groups).flatMap(([group, subjects]): SummaryGroup[] => {
    const subsets = subjects.flatMap((subject) => abbrOf.get(subject) ?? [])
    return subsets.length === subjects.length ? [{ name: group + suffix, subsets }] : []
  })
  return [...known, { name: name + suffix, subsets: [...abbrOf.values()] }]
}

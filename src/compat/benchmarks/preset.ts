import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'

export type PresetMode = 'gen' | 'ppl'

/** One layout of a benchmark's files in a folder. `{subject}` matches one name, `*` any characters. */
export type FileLayout = {
  /** Where it comes from. */
  from: string
  test: string
  /** The rows that may be examples; by default the first test rows. */
  train?: string
  /** For CSV files without a line of names. */
  columns?: readonly string[]
  /** The file with the gold answers, if they are separate. */
  answers?: string
  /** The file type, if the names say otherwise. */
  fileType?: NonNullable<DatasetConfig['file_type']>
  /** A text file with worked examples for each subject. */
  hint?: string
}

/** What one dataset of a preset is made for. */
export type PresetAsk = {
  mode: PresetMode
  /** How many examples are shown. */
  shots: number
  /** The name in the files, e.g. `abstract_algebra`; empty where there is only one. */
  subject: string
  /** The text of the layout's `hint`. */
  hint?: string
}

/** A benchmark that users have as files: how to find them, and how to prompt and score their rows. */
export type DatasetPreset = {
  name: string
  /** One sentence for people. */
  does: string
  layouts: readonly FileLayout[]
  /** The first is the default. */
  modes: readonly PresetMode[]
  /** How many examples are usual. */
  shots: number
  /** Names that match a layout and are not subjects. */
  not?: readonly string[]
  /** Subjects that are left out because they cannot be scored here, and why. */
  unscored?: readonly (readonly [names: RegExp, why: string])[]
  /** Whether a subject has a separate file of answers; by default all do if the layout has one. */
  hasAnswers?: (subject: string) => boolean
  dataset(
    ask: PresetAsk,
  ): Pick<DatasetConfig, 'reader_cfg' | 'infer_cfg' | 'eval_cfg' | 'row_format' | 'on_bad_row' | 'train_rows' | 'keep_columns'>
  /** Subjects by their group, e.g. `mmlu-stem`. */
  groups?: Readonly<Record<string, readonly string[]>>
}

/** The groups of a summary: all subjects, and those of the preset's own that are complete. */
export function groupsOf({ name, groups = {} }: DatasetPreset, abbrOf: ReadonlyMap<string, string>, suffix: string): SummaryGroup[] {
  if (abbrOf.size < 2) return []
  const known = Object.entries(groups).flatMap(([group, subjects]): SummaryGroup[] => {
    const subsets = subjects.flatMap((subject) => abbrOf.get(subject) ?? [])
    return subsets.length === subjects.length ? [{ name: group + suffix, subsets }] : []
  })
  return [...known, { name: name + suffix, subsets: [...abbrOf.values()] }]
}

import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { EntryComments, Value } from '@rolecall/core/internal/python'
import { metered } from '@rolecall/core/internal/python'
import { isMutableDict } from '../../../python/interpreter/containers.ts'
import { runModule } from '../../../python/interpreter/import-module.ts'
import { insideRoot } from '../../../python/interpreter/paths.ts'
import { type ImportLimits, type ModuleCache, Session } from '../../../python/interpreter/session.ts'
import { fromAisBench } from './aisbench-dataset.ts'
import { withOpponent } from './compared-dataset.ts'
import { customDataset, isCustomDataset, type ReadData } from './custom-dataset.ts'
import { describeDatasets, describeModels, type EntryReport } from './describe-entry.ts'
import { type Combination, findEntries } from './find-entries.ts'
import { withGenericJudge } from './generic-judge.ts'
import type { ImportedEntry } from './imported-entry.ts'
import { judgedBy, judgeModelsOf, withServerJudge } from './judge-models.ts'
import { withJudgeReader } from './judge-reader.ts'
import { joinHashes } from './prompt-hash.ts'
import { withSelfConsistency } from './self-consistency.ts'
import { toServerModel } from './server-models.ts'
import { type Summarizer, summarizerOf } from './summarizer.ts'
import { newConversion, toConfigValue } from './to-config-value.ts'
import { withEvalPlus, withoutJudgeClass, withoutTemplateClass } from './without-template-class.ts'
import { withWording } from './wording.ts'

/** How a Python config is read: the source of its files, and the handling of unsupported constructs. */
export type ImportOptions = {
  /** Returns the text of a file by its path from the root, with "/" as separator; undefined if it does not exist. Nothing else is read. */
  read: (path: string) => string | undefined
  /** Returns the beginning of a data file by its path from the working folder: datasets without `type` are described by their first row. */
  readData?: ReadData
  /** Drop unsupported entries, with a note, instead of stopping at the first. */
  lenient?: boolean
  limits?: Partial<ImportLimits>
  /** The model types that the caller can run; the report lists the others. */
  modelTypes?: readonly string[]
  /** Shared between imports of files with common dependencies. */
  cache?: ModuleCache
  /** Whether to compute prompt hashes; true by default. */
  hashes?: boolean
  /** Marks the classes and functions of a dataset that are the user's own. */
  markOwn?: (entry: ImportedEntry) => ImportedEntry
}

/** The content of a Python config, as plain data. */
export type ImportedConfig = {
  config: {
    models: ImportedEntry[]
    datasets: ImportedEntry[]
    summarizer?: Summarizer
    model_dataset_combinations?: { models: string[]; datasets: string[] }[]
  }
  /** Corrected slips, names without a value, dropped entries. */
  notes: Note[]
  /** Entries are made of parts that documents show without `models` or `datasets`. */
  isSnippet: boolean
  /** Top-level names that OpenCompass uses and Rolecall ignores. */
  unused: string[]
  models: EntryReport[]
  datasets: EntryReport[]
  /** OpenCompass's hash of the prompts of all datasets together, which its file names contain. */
  promptHash?: string
  /** The files that were read, relative to the root. */
  files: string[]
  /** Comments of the file, by the object or list of `config` and its key or index. */
  remarks: WeakMap<object, Map<string | number, EntryComments>>
}

/**
 * Imports a Python config of OpenCompass or AISBench unchanged. It is parsed and interpreted within limits, never executed: no files
 * except those from `read`, no environment, no network.
 *
 * @example importConfig('c.py', { read: () => "models = [dict(abbr='m', max_out_len=2**4)]" }).config.models // => [{ abbr: 'm', max_out_len: 16 }]
 */
export function importConfig(file: string, options: ImportOptions): ImportedConfig {
  const session = new Session(options)
  try {
    return metered(session, () => importFile(session, file, options))
  } catch (error) {
    throw session.explain(error)
  }
}

function importFile(
  session: Session,
  file: string,
  { modelTypes = [], hashes = true, readData = () => undefined, markOwn = (entry) => entry }: ImportOptions,
): ImportedConfig {
  const path = insideRoot(file)
  const module = path === undefined ? undefined : session.readModule(path)
  if (!module)
    throw new PromptError('no-file', { where: file, problem: 'there is no such file in the root', fix: 'check the path and --root' })
  const { names } = runModule(session, module.file, module)
  const found = findEntries(session, names, module.file)
  const remarks: ImportedConfig['remarks'] = new WeakMap()
  const conversion = newConversion(session, remarks, module.file)
  const convert = (values: readonly Value[], kind: 'models' | 'datasets' | 'judge_models') =>
    values.flatMap((value, index) => {
      return session.attempt(
        () => {
          const where = `${module.file} › ${kind}[${index}]`
          const ours = kind === 'datasets' ? withServerJudge(session, value) : toServerModel(session, value)
          const entry = toConfigValue(conversion, ours, where) as ImportedEntry
          const worded = () => withWording(session, entry, (text) => toConfigValue(conversion, text, where))
          const whole = kind === 'datasets' ? markOwn(wholeDataset(worded(), readData, (note) => session.notes.push(note))) : entry
          return [{ value, entry: withoutNulls(whole, kind) }]
        },
        (error) => {
          if (!session.lenient) throw error
          const name = isMutableDict(value) ? value.get('abbr') : undefined
          const shown = `${kind}[${index}]${typeof name === 'string' ? ` "${name}"` : ''}`
          session.notes.push({ code: 'skipped', where: error.where, text: `${shown} was left out: ${error.problem}` })
          return []
        },
      )
    })
  const models = convert(once(session, found.models, 'models', module.file), 'models')
  const judges = convert(judgeModelsOf(names), 'judge_models').map(({ entry }) => entry)
  const datasets = convert(once(session, found.datasets, 'datasets', module.file), 'datasets').flatMap(({ value, entry }) =>
    judgedBy(entry, judges, (note) => session.notes.push(note)).map((judged) => ({ value, entry: judged })),
  )
  tellOtherKeys(session, conversion.otherKeys)
  for (const entries of [models, datasets])
    giveOwnNames(
      session,
      entries.map(({ entry }) => entry),
      module.file,
    )
  const abbrs = new Set(datasets.map(({ entry }) => entry.abbr))
  const summarizer = summarizerOf(session, names.get('summarizer'), abbrs)
  const described = describeDatasets(datasets, hashes)
  return {
    config: {
      models: models.map(({ entry }) => entry),
      datasets: datasets.map(({ entry }) => entry),
      ...(summarizer ? { summarizer } : {}),
      ...(found.combinations ? { model_dataset_combinations: namesOf(found.combinations, models, datasets) } : {}),
    },
    notes: session.notes,
    isSnippet: found.isSnippet === true,
    unused: found.unused.filter((name) => !(summarizer && name === 'summarizer') && !(judges.length > 0 && name === 'judge_models')),
    models: describeModels(models, modelTypes),
    datasets: described,
    ...hashOfAll(described),
    files: [...session.files],
    remarks,
  }
}

/** A dataset with what OpenCompass adds to it in code. */
function wholeDataset(entry: ImportedEntry, readData: ReadData, note: (note: Note) => void): ImportedEntry {
  if (isCustomDataset(entry)) return customDataset(entry, readData, note)
  const steps = [
    fromAisBench,
    withoutTemplateClass,
    withoutJudgeClass,
    withGenericJudge,
    withJudgeReader,
    withEvalPlus,
    withSelfConsistency,
    withOpponent,
  ]
  return steps.reduce((made, step) => step(made, note), entry)
}

/** Keys are strings in JSON, YAML and TypeScript: numeric keys are reported, once per file. */
function tellOtherKeys(session: Session, [first, ...more]: readonly { where: string; type: string; keys: string[] }[]): void {
  if (!first) return
  const { where, type, keys } = first
  const kind = type === 'int' ? 'whole numbers' : `of type ${type}`
  const shown = `${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`
  const others = more.length === 0 ? '' : `; so are those of ${more.length} more`
  session.notes.push({ code: 'number-keys', where, text: `its keys ${shown} are ${kind} in Python, and texts here${others}` })
}

type Converted = readonly { value: Value; entry: ImportedEntry }[]

/** Combinations by the final names of their entries; an entry without a name gets one from its position. */
function namesOf(combinations: readonly Combination[], models: Converted, datasets: Converted): { models: string[]; datasets: string[] }[] {
  const named = (values: readonly Value[], entries: Converted, kind: string) =>
    entries.flatMap(({ value, entry }, index) => {
      if (!values.includes(value)) return []
      entry.abbr ??= `${kind}-${index}`
      return [String(entry.abbr)]
    })
  return combinations.map((one) => ({ models: named(one.models, models, 'model'), datasets: named(one.datasets, datasets, 'dataset') }))
}

/** OpenCompass's hash of all datasets, if each has one. */
function hashOfAll(datasets: readonly EntryReport[]): { promptHash?: string } {
  const hashes = datasets.flatMap(({ promptHash }) => promptHash ?? [])
  return hashes.length === 0 || hashes.length < datasets.length ? {} : { promptHash: joinHashes(hashes) }
}

/** An entry listed twice, `[m, m]`, is one entry: OpenCompass would run it only once, too. */
function once(session: Session, values: readonly Value[], kind: string, file: string): Value[] {
  const seen = new Set<Value>()
  return values.filter((value) => {
    const isAgain = isMutableDict(value) && seen.has(value)
    if (isAgain) {
      const name = value.get('abbr')
      session.note('same-entry', `${typeof name === 'string' ? `"${name}"` : 'an entry'} stands in ${kind} twice, and counts once`, {
        file,
        line: 1,
        column: 1,
      })
    }
    seen.add(value)
    return !isAgain
  })
}

/** Results are filed by abbr; OpenCompass would overwrite the results of entries with the same abbr. */
function giveOwnNames(session: Session, entries: readonly ImportedEntry[], file: string): void {
  const seen = new Set<unknown>()
  for (const entry of entries) {
    const { abbr } = entry
    if (typeof abbr !== 'string') continue
    for (let number = 2; seen.has(entry.abbr); number++) entry.abbr = `${abbr}-${number}`
    seen.add(entry.abbr)
    if (entry.abbr !== abbr)
      session.note('same-name', `there is another "${abbr}"; this one is called "${String(entry.abbr)}"`, { file, line: 1, column: 1 })
  }
}

/** `key=None` is how Python omits an option. */
function withoutNulls(entry: ImportedEntry, kind: 'models' | 'datasets' | 'judge_models'): ImportedEntry {
  const drop = (value: unknown, keep: readonly string[] = []) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const record = value as Record<string, unknown>
    for (const [key, item] of Object.entries(record)) if (item === null && !keep.includes(key)) delete record[key]
  }
  drop(entry)
  if (kind !== 'datasets') drop(entry.generation_kwargs)
  else {
    const infer = entry.infer_cfg
    if (typeof infer === 'object' && infer !== null) {
      drop((infer as ImportedEntry).retriever)
      // Here None is a value: it is written into the prompt.
      drop((infer as ImportedEntry).inferencer, ['gen_field_replace_token'])
    }
  }
  return entry
}

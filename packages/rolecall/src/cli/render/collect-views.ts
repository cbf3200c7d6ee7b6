import type { Row } from '@rolecall/core/internal/conversation'
import { distinctNotes, type Note, PromptError } from '@rolecall/core/internal/errors'
import { quirksOf } from '@rolecall/core/internal/fidelity'
import { compileFormat } from '@rolecall/core/internal/format'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { inFormat } from '../../evaluation/config/in-format.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { asWritten } from '../../evaluation/run/ask/as-written.ts'
import { type PresetFlags, withCompat, withDatasetFlags } from '../../node/config/dataset-flags.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { type ConfigFlags, openConfig } from '../../node/config/open-config.ts'
import { type FormatFlags, formatFlagsIn } from '../../node/formats/format-flags.ts'
import { shownHubPath } from '../../node/hub/hub-name.ts'
import { tokenizerAt } from '../../node/models/load-tokenizer.ts'
import { anyModel } from '../../node/runs/any-model.ts'
import { dataNotes } from '../../node/runs/data-notes.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { parseRows } from '../flags.ts'
import { givenFormat } from '../given-format.ts'
import { warnConfig } from '../warn-config.ts'
import { rowsOf } from './dataset-rows.ts'
import { exampleConfig } from './example-config.ts'
import { sampleChats } from './sample-chat.ts'
import { type View, type ViewOptions, viewFormat, viewRows } from './view.ts'

/** The flags of `render` and `tokens` that select prompts. */
export type ViewSelection = ViewOptions &
  PresetFlags &
  FormatFlags & {
    models?: string
    datasets?: string
    baseUrl?: string
    judge?: string
    compat?: 'opencompass'
    rows: string
    /** The first rows instead of these: at most this many. */
    count?: number
  }

/** Loads the given or nearest config, else the built-in example, which has no file; prints warnings. */
export async function loadOrExample(
  config: string | undefined,
  flags: PresetFlags & ConfigFlags & FormatFlags & { compat?: 'opencompass' } = {},
): Promise<LoadedSelection> {
  const opened = await openConfig(config, flags)
  const whole = withGuardedTemplates(withCompat(await withDatasetFlags(opened?.loaded ?? shipped(flags), flags), flags.compat))
  warnConfig({ config: { ...whole.config, warnings: whole.config.warnings.map((note) => withFormatName(note, whole, flags)) } })
  const { models, datasets } = opened ?? flags
  return { ...whole, selection: { models, datasets }, isSample: isSample(whole, flags) }
}

/** A file of messages names no format: the note says which one is used. */
function withFormatName(note: Note, { recognised }: LoadedConfig, flags: FormatFlags): Note {
  if (note.code !== 'recognised' || recognised === 'mlc-chat-config' || recognised === 'format') return note
  const [given] = formatFlagsIn(flags)
  const format = given === undefined ? 'internlm2, which is its own; --format names another' : shownHubPath(given[1])
  return { ...note, text: `${note.text}, rendered in the format ${format}` }
}

/** A config, and the selected entries. */
export type LoadedSelection = LoadedConfig & {
  selection: { models?: string | undefined; datasets?: string | undefined }
  /** There are only formats to show: each gets a sample chat. */
  isSample: boolean
}

function isSample({ file, recognised }: LoadedConfig, flags: PresetFlags & ConfigFlags & FormatFlags): boolean {
  if (file !== '') return recognised === 'mlc-chat-config' || recognised === 'format'
  const named = [flags.preset, flags.tasks, flags.models, flags.datasets].some((given) => given !== undefined)
  return !named && formatFlagsIn(flags).length > 0
}

function shipped({ preset, tasks }: PresetFlags): LoadedConfig {
  return shippedExample(preset === undefined && tasks === undefined ? exampleConfig : { ...exampleConfig, models: [embedded] })
}

/** The model of `run` without a config. */
const embedded = { abbr: 'tiny', type: 'embedded', format: 'internlm2' }

function shippedExample(config: object): LoadedConfig {
  return { file: '', folder: process.cwd(), config: checkConfig(config, 'the shipped example › ') }
}

/** Used for configs without models: joins turns with newlines. */
const bare: ModelConfig = { abbr: 'plain', format: 'plain' }

/** Prompts, notes on their rows, and the models and datasets they belong to; without models, a server takes their place. */
export type Views = { views: View[]; notes: Note[]; models: readonly ModelConfig[]; datasets: readonly DatasetConfig[] }

/** Renders the prompts of all selected models, datasets and rows. */
export async function viewAll(loaded: LoadedConfig & Partial<LoadedSelection>, options: ViewSelection): Promise<Views> {
  const { config, folder, selection = options } = loaded
  if (loaded.isSample) return viewSamples(loaded, options)
  const chosen: ModelConfig[] = selectByName(config.models as ModelConfig[], selection.models, '--models')
  const format = givenFormat(options)
  const datasets: DatasetConfig[] = selectByName(config.datasets as DatasetConfig[], selection.datasets, '--datasets')
  const isBare = format === undefined && chosen.length === 0 && selection.models === undefined && datasets.length > 0
  const models = isBare ? [bare] : format === undefined ? chosen : inFormat(chosen, format)
  const given = format && chosen.length > 0 ? { format: format.name } : {}
  if (models.length === 0)
    throw new PromptError('missing', { where: 'models', problem: 'the config has no models', fix: 'add one, or use --format chatml' })
  if (datasets.length === 0)
    return {
      views: models.flatMap((model) => viewFormat(model, folder, options.mode)).map((view) => ({ ...view, ...given })),
      notes: [...(format?.notes ?? [])],
      models,
      datasets,
    }
  const { count } = options
  const numbers = count === undefined ? parseRows(options.rows) : Array.from({ length: count }, (_, index) => index)
  const views: View[] = []
  const notes: Note[] = isBare
    ? [
        {
          code: 'no-model',
          where: 'models',
          text: 'no model is named: its text is shown without any format. --format chatml shows it in one',
        },
      ]
    : [...(format?.notes ?? [])]
  for (const dataset of datasets) {
    const chosenRows = await rowsOf(dataset, numbers, folder, count !== undefined)
    notes.push(...chosenRows.notes, ...(await dataNotes(dataset, folder, chosen[0])))
    for (const model of models) views.push(...viewAsSent(model, dataset, chosenRows, { ...options, folder }, notes))
  }
  return {
    views: views.map((view) => ({ ...view, ...given })),
    notes: distinctNotes(notes),
    models: isBare ? [anyModel] : models,
    datasets,
  }
}

/** The prompts of a model; if its template leaves out the system turn, which a run refuses, what it does write, with a warning. */
function viewAsSent(
  model: ModelConfig,
  dataset: DatasetConfig,
  rows: Parameters<typeof viewRows>[2],
  options: ViewOptions & { folder: string },
  notes: Note[],
): View[] {
  const { value, notes: shown } = asWritten(model, (written) => viewRows(written, dataset, rows, options))
  notes.push(...shown)
  return value
}

/** A sample chat in the format of the flags, or in those of the config's models. */
function viewSamples({ file, config, folder }: LoadedConfig, options: ViewSelection): Views {
  const given = givenFormat(options)
  const models =
    given === undefined ? (config.models as ModelConfig[]) : inFormat(file === '' ? [] : (config.models as ModelConfig[]), given)
  const notes: Note[] = []
  const tokenizer = usableTokenizer(given?.read.tokenizer, notes)
  const shown = models.map((model) =>
    viewSample(model.tokenizer_path === undefined && tokenizer !== undefined ? { ...model, tokenizer_path: tokenizer } : model, {
      ...options,
      folder,
    }),
  )
  return {
    views: shown.flatMap(({ views }) => views),
    notes: [...(given?.notes ?? []), ...notes, ...shown.flatMap(({ notes }) => notes)],
    models,
    datasets: [],
  }
}

/** A template can be shown without its tokenizer; then tokens are not counted. */
function usableTokenizer(path: string | undefined, notes: Note[]): string | undefined {
  try {
    if (path !== undefined) tokenizerAt(path)
    return path
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    notes.push({ code: 'no-tokenizer', where: error.where, text: `tokens are not counted: ${error.problem}` })
    return undefined
  }
}

/** The fullest sample chat that the model's format can write. */
function viewSample(model: ModelConfig, options: ViewOptions & { folder: string }): Pick<Views, 'views' | 'notes'> {
  const notes: Note[] = []
  const samples = sampleChats(compileFormat(model, quirksOf(undefined)))
  for (const [index, { shows, dataset }] of samples.entries()) {
    const [row] = dataset.rows as [Row]
    try {
      const rows = { rows: new Map([[0, row]]), examplesOf: () => [], columns: new Set(Object.keys(row)) }
      return { views: viewRows(model, dataset, rows, options), notes }
    } catch (error) {
      if (!(error instanceof PromptError) || index === samples.length - 1) throw error
      notes.push({ code: 'sample-refused', where: error.where, text: `the template fails on ${shows}: ${error.problem}` })
    }
  }
  return { views: [], notes }
}

import { distinctNotes, type Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { inFormat } from '../../../evaluation/config/in-format.ts'
import { selectByName } from '../../../evaluation/config/select-by-name.ts'
import { type PresetFlags, withDatasetFlags } from '../../node/config/dataset-flags.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { type ConfigFlags, openConfig } from '../../node/config/open-config.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { parseRows } from '../flags.ts'
import { type FormatFlags, givenFormat } from '../given-format.ts'
import { warnConfig } from '../warn-config.ts'
import { rowsOf } from './dataset-rows.ts'
import { exampleConfig } from './example-config.ts'
import { type View, type ViewOptions, viewFormat, viewRows } from './view.ts'

/** The flags of `render` and `tokens` that select prompts. */
export type ViewSelection = ViewOptions &
  PresetFlags &
  FormatFlags & {
    models?: string
    datasets?: string
    baseUrl?: string
    rows: string
  }

/** Loads the given or nearest config, else the built-in example, which has no file; prints warnings. */
export async function loadOrExample(config: string | undefined, flags: PresetFlags & ConfigFlags = {}): Promise<LoadedSelection> {
  const opened = await openConfig(config, flags)
  const whole = withGuardedTemplates(await withDatasetFlags(opened?.loaded ?? shipped(flags), flags))
  warnConfig(whole)
  const { models, datasets } = opened ?? flags
  return { ...whole, selection: { models, datasets } }
}

/** A config, and the selected entries. */
export type LoadedSelection = LoadedConfig & { selection: { models?: string | undefined; datasets?: string | undefined } }

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

/** Prompts, and notes on their rows. */
export type Views = { views: View[]; notes: Note[] }

/** Renders the prompts of all selected models, datasets and rows. */
export async function viewAll(loaded: LoadedConfig & Partial<LoadedSelection>, options: ViewSelection): Promise<Views> {
  const { config, folder, selection = options } = loaded
  const chosen: ModelConfig[] = selectByName(config.models as ModelConfig[], selection.models, '--models')
  const format = givenFormat(options)
  const datasets: DatasetConfig[] = selectByName(config.datasets as DatasetConfig[], selection.datasets, '--datasets')
  const isBare = format === undefined && chosen.length === 0 && selection.models === undefined && datasets.length > 0
  const models = isBare ? [bare] : format === undefined ? chosen : inFormat(chosen, format)
  const given = format && chosen.length > 0 ? { format: format.name } : {}
  if (models.length === 0)
    throw new PromptError('missing', { where: 'models', problem: 'the config has no models', fix: 'add one, or use --format chatml' })
  if (datasets.length === 0)
    return { views: models.flatMap((model) => viewFormat(model, folder, options.mode)).map((view) => ({ ...view, ...given })), notes: [] }
  const numbers = parseRows(options.rows)
  const views: View[] = []
  const notes: Note[] = isBare
    ? [
        {
          code: 'no-model',
          where: 'models',
          text: 'no model is named: its text is shown without any format. --format chatml shows it in one',
        },
      ]
    : []
  for (const dataset of datasets) {
    const chosenRows = await rowsOf(dataset, numbers, folder)
    notes.push(...chosenRows.notes)
    for (const model of models) views.push(...viewRows(model, dataset, chosenRows, { ...options, folder }))
  }
  return { views: views.map((view) => ({ ...view, ...given })), notes: distinctNotes(notes) }
}

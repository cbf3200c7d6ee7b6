import { Command, Option } from 'commander'
import { checkConfig } from '../../config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { suggestName } from '../../config/nearest.ts'
import { presets } from '../../format/presets/index.ts'
import { findConfig, type LoadedConfig, loadConfig } from '../../node/load-config.ts'
import { bodyOf } from '../../program/flatten.ts'
import { PromptError } from '../../prompt-error.ts'
import { colors, terminalWidth } from '../terminal.ts'
import { rowsOf } from './dataset-rows.ts'
import { exampleConfig } from './example-config.ts'
import { parseRows, selectByName } from './select.ts'
import { legend, showView } from './show-view.ts'
import { type View, viewFormat, viewRows } from './view.ts'

type Options = {
  models?: string
  datasets?: string
  rows: string
  mode?: 'gen' | 'ppl'
  label?: string
  format?: string
  showWhitespace: boolean
  full: boolean
  json: boolean
  text: boolean
}

export const renderCommand = new Command('render')
  .description('print the exact prompt of chosen rows for chosen models')
  .argument('[config]', 'the config file; by default the nearest rolecall.config.ts, .js, .json or .yaml, else a shipped example')
  .option('--models <names>', 'only these models, separated by commas')
  .option('--datasets <names>', 'only these datasets, separated by commas')
  .option('--rows <numbers>', 'which rows, e.g. 0-4,7', '0')
  .addOption(
    new Option('--mode <mode>', "generation or perplexity; by default what the dataset's inferencer needs").choices(['gen', 'ppl']),
  )
  .option('--label <label>', 'for perplexity: only this label')
  .option('--format <name>', 'write all models in this shipped format')
  .option('--show-whitespace', 'make newlines, tabs, trailing and wide spaces visible', false)
  .option('--full', 'do not fold long prompts', false)
  .option('--json', 'print the conversation and the pieces with their sources as JSON', false)
  .option('--text', 'print only the bytes of one prompt, for piping', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall render                                the shipped example, or the config in this folder
  rolecall render --models qwen --rows 0-4       five rows for one model
  rolecall render --mode ppl --label A           what perplexity sees for the label A
  rolecall render --text --rows 3 | sha256sum    the bytes that are sent
  rolecall render --json | jq '.[0].prompt'      for programs`,
  )
  .action(async (config: string | undefined, options: Options) => {
    const loaded = await load(config)
    const views = await viewAll(loaded, options)
    if (options.json) process.stdout.write(`${JSON.stringify(views.map(asJson), withoutRows, 2)}\n`)
    else if (options.text) process.stdout.write(onlyBody(views))
    else print(views, loaded, options)
  })

async function load(config: string | undefined): Promise<LoadedConfig> {
  const file = config ?? findConfig(process.cwd())
  if (file !== undefined) return loadConfig(file)
  return { file: '', folder: process.cwd(), config: checkConfig(exampleConfig, 'the shipped example › ') }
}

async function viewAll({ config, folder }: LoadedConfig, options: Options): Promise<View[]> {
  const chosen: ModelConfig[] = selectByName(config.models as ModelConfig[], options.models, '--models')
  if (options.format !== undefined && !Object.hasOwn(presets, options.format)) {
    throw new PromptError('unknown-format', {
      where: '--format',
      problem: `there is no format "${options.format}"`,
      fix: suggestName(options.format, Object.keys(presets)),
    })
  }
  const models = options.format === undefined ? chosen : inFormat(chosen, options.format)
  if (models.length === 0)
    throw new PromptError('missing', { where: 'models', problem: 'the config has no models', fix: 'add one, or use --format chatml' })
  const datasets: DatasetConfig[] = selectByName(config.datasets as DatasetConfig[], options.datasets, '--datasets')
  if (datasets.length === 0) return models.flatMap(viewFormat)
  const numbers = parseRows(options.rows)
  const views: View[] = []
  for (const dataset of datasets) {
    const { rows, examples } = await rowsOf(dataset, numbers, folder)
    for (const model of models) views.push(...viewRows(model, dataset, rows, examples, options))
  }
  return views
}

function inFormat(models: readonly ModelConfig[], format: string): ModelConfig[] {
  const rewritten = models.map(({ meta_template: _, is_api: __, ...model }) => ({
    ...model,
    format,
    abbr: `${model.abbr ?? 'model'} as ${format}`,
  }))
  return rewritten.length > 0 ? rewritten : [{ abbr: format, format }]
}

function asJson({ rendered, ...view }: View) {
  return { ...view, conversation: rendered.conversation, prompt: rendered.prompt }
}

/** Rows are the user's own, hold the masked answer, and may have values that JSON does not. */
function withoutRows(key: string, value: unknown): unknown {
  return key === 'fields' ? undefined : value
}

function onlyBody(views: readonly View[]): string {
  const [only] = views
  if (only && views.length === 1) {
    const { prompt } = only.rendered
    if (prompt.kind === 'completion' && prompt.pieces.some((piece) => 'ids' in piece)) {
      throw new PromptError('ids-in-text', {
        where: '--text',
        problem: 'the prompt has token ids in it, which are no text',
        fix: 'use --json',
      })
    }
    return bodyOf(prompt)
  }
  throw new PromptError('many-prompts', {
    where: '--text',
    problem: `${views.length} prompts were chosen, and their bytes cannot be told apart`,
    fix: 'choose one with --models, --datasets, --rows, --mode and --label, or use --json',
  })
}

function print(views: readonly View[], { file, config }: LoadedConfig, options: Options): void {
  const shown = views.map((view) =>
    showView(view, { width: Math.min(terminalWidth(), 120), showWhitespace: options.showWhitespace, full: options.full }),
  )
  const lines = [...shown, legend(views)]
  for (const { text, where } of config.warnings) lines.push(`${colors.yellow('warning')} ${text}${where ? colors.dim(` (${where})`) : ''}`)
  if (config.unused.length > 0) lines.push(colors.dim(`not used: ${config.unused.join(', ')}`))
  if (file === '') lines.push(colors.dim('This is the shipped example. `rolecall init` writes a config of your own.'))
  process.stdout.write(`${lines.join('\n\n')}\n`)
}

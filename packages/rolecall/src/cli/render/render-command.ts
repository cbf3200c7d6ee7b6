import { relative } from 'node:path'
import type { Conversation } from '@rolecall/core/internal/conversation'
import { conversationLines } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { limits, PromptError } from '@rolecall/core/internal/errors'
import { bodyOf } from '@rolecall/core/internal/format'
import { Command } from 'commander'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import { quoteWord } from '../../node/platform.ts'
import { anyModel } from '../../node/runs/any-model.ts'
import { limitTemplateTime } from '../../node/templates/isolated-template.ts'
import { LineSource } from '../chat/run-chat.ts'
import { positiveInteger } from '../flag-values.ts'
import { withSelection } from '../flags.ts'
import { pairsText, readinessBlocks, type ShownReadiness, shownReadiness } from '../readiness-lines.ts'
import { describesFormats, lacksType } from '../runnable-model.ts'
import { countText } from '../screen/amounts.ts'
import type { NextStep, ScreenBlock } from '../screen/blocks.ts'
import { layOut } from '../screen/lay-out.ts'
import { noteBlocks } from '../screen/note-blocks.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { printable, printWarnings, screenWidth } from '../terminal.ts'
import { countByOrigin, tokenizerFor } from '../tokens/show-tokens.ts'
import { type ChoiceFlags, chooseEntries } from './choose-entries.ts'
import { type LoadedSelection, loadOrExample, type ViewSelection, viewAll } from './collect-views.ts'
import { formatFacts } from './sample-chat.ts'
import { legendBlock, notesOfViews, viewBlock } from './show-view.ts'
import type { View } from './view.ts'

type Options = ViewSelection &
  ChoiceFlags & {
    pattern?: string
    tokens: boolean
    tokenizer?: string
    showWhitespace: boolean
    full: boolean
    conversation: boolean
    json: boolean
    text: boolean
  }

export const renderCommand = withSelection(new Command('render'))
  .description('print the exact prompt of any rows for any models')
  .optionsGroup("As in OpenCompass's prompt viewer:")
  .option('-a, --all', 'all models and datasets (the default if the output is not a terminal)', false)
  .option('-n, --non-interactive', 'the first model and the first dataset, without asking', false)
  .option('-p, --pattern <pattern>', "only datasets that match, e.g. 'gsm*'; as --datasets")
  .option('-c, --count <number>', 'the first rows, at most this many, instead of --rows', positiveInteger)
  .optionsGroup('Output:')
  .option('--tokens', 'also print token counts by origin', false)
  .option(
    '--tokenizer <path>',
    "a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model (default: the model's tokenizer_path, else the built-in one)",
  )
  .option('--show-whitespace', 'show newlines, tabs, trailing and wide spaces', false)
  .option('--full', 'do not fold long prompts', false)
  .option('--conversation', "also print the conversation between the two templates, before the model's format renders it", false)
  .option('--json', 'print the conversation and the pieces with their sources as JSON', false)
  .option('--text', 'print only the bytes of one prompt, for pipes', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall render                                the config in this folder, or a built-in example
  rolecall render --chat-template ./my-model     a sample chat in this chat template, and what the template does
  rolecall render eval.py -n -p 'gsm*' -c 3      as with OpenCompass's prompt viewer
  rolecall render --models qwen --rows 0-4       five rows for one model
  rolecall render --mode ppl --label A           the perplexity prompt for the label A
  rolecall render --text --rows 3 | sha256sum    the exact bytes that are sent
  rolecall render --json | jq '.[0].prompt'      for programs`,
  )
  .action(async (config: string | undefined, options: Options) => {
    limitTemplateTime(limits.commandTemplateSeconds)
    const { datasets, pattern } = options
    if (datasets !== undefined && pattern !== undefined)
      throw new PromptError('two-selections', { where: '-p', problem: 'datasets are chosen twice', fix: 'use -p or --datasets' })
    const loaded = await loadOrExample(config, { ...options, datasets: datasets ?? pattern })
    const { views, notes, models, datasets: shown } = await viewAll(await choose(loaded, options), options)
    const readiness = options.text || isShipped(loaded, options) ? [] : await readinessOf(models, shown, loaded)
    if (options.json || options.text) printWarnings(notes)
    if (options.json)
      process.stdout.write(
        `${JSON.stringify(
          views.map((view) => asJson(view, readiness)),
          withoutRows,
          2,
        )}\n`,
      )
    else if (options.text) process.stdout.write(onlyBody(views))
    else print(views, notes, readiness, loaded, options)
  })

/**
 * Whether models could run on these datasets. A model without a type is only a format: it is tried as the embedded model, and a run of it is
 * not promised. Evaluators are loaded only here: formats alone are shown without them.
 */
async function readinessOf(
  models: readonly ModelConfig[],
  datasets: readonly DatasetConfig[],
  loaded: LoadedSelection,
): Promise<(PairName & ShownReadiness)[]> {
  if (datasets.length === 0) return []
  const { prepareLoaded } = await import('../../node/runs/prepare-config.ts')
  const typed = models.map((model) => (lacksType(model) ? { ...model, type: 'embedded' } : model))
  const formats = new Set(describesFormats(loaded) ? [] : models.filter(lacksType).map(({ abbr }) => abbr))
  const found = await prepareLoaded(typed, datasets, loaded.folder)
  const shown = found.filter(({ word, model }) => word !== 'ready' || !formats.has(model))
  return shown.map(({ model, dataset, ...readiness }) => ({ model, dataset, ...shownReadiness(readiness) }))
}

function isShipped({ file, isSample }: LoadedSelection, { preset, tasks }: Options): boolean {
  return file === '' && !isSample && preset === undefined && tasks === undefined
}

/** Asks only where a person is at the terminal, and only about the entries of a file. */
async function choose(loaded: LoadedSelection, options: Options): Promise<LoadedSelection> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !options.json && !options.text
  if (!isTerminal || loaded.file === '' || loaded.isSample) return chooseEntries(loaded, options)
  const lines = new LineSource(process.stdin, process.stdout, () => lines.close())
  try {
    return await chooseEntries(loaded, options, (question) => {
      const start = question.lastIndexOf('\n') + 1
      process.stdout.write(question.slice(0, start))
      return lines.next(question.slice(start))
    })
  } finally {
    lines.close()
  }
}

function asJson({ rendered, tokenizer: _, ...view }: View, readiness: readonly (PairName & ShownReadiness)[]) {
  const found = readiness.find(({ model, dataset }) => dataset === view.dataset && [view.model, anyModel.abbr].includes(model))
  return {
    ...view,
    conversation: rendered.conversation,
    prompt: rendered.prompt,
    ...(found ? { readiness: { word: found.word, cause: found.cause } } : {}),
  }
}

/** Rows contain the masked answer, and may have values that JSON lacks. */
function withoutRows(key: string, value: unknown): unknown {
  return key === 'fields' ? undefined : value
}

function onlyBody(views: readonly View[]): string {
  const [only] = views
  if (only && views.length === 1) {
    const { prompt } = only.rendered
    return prompt.kind === 'chat' ? sentText(prompt) : bodyOf(prompt)
  }
  throw new PromptError('many-prompts', {
    where: '--text',
    problem: `${views.length} prompts were chosen, and their bytes cannot be told apart`,
    fix: 'choose one with --models, --datasets, --rows, --mode and --label, or use --json',
  })
}

function print(
  views: readonly View[],
  warnings: readonly Note[],
  readiness: readonly (PairName & ShownReadiness)[],
  loaded: LoadedSelection,
  options: Options,
): void {
  const { isSample } = loaded
  const isExample = isShipped(loaded, options)
  const isScreen = fitsScreen(options)
  const blocksOf = (view: View): ScreenBlock[] => {
    const countsTokens = options.tokens || (isSample && (view.tokenizer ?? options.tokenizer) !== undefined)
    const tokens = countsTokens ? [countByOrigin(view, tokenizerFor(view, options.tokenizer))] : []
    const facts = isSample && view.writer ? formatFacts(view.writer, view.replySyntax).map(printable) : []
    const { showWhitespace, full } = options
    return [
      ...(options.conversation ? [conversationBlock(view.rendered.conversation)] : []),
      viewBlock(view, { showWhitespace, full, ...(isScreen && views.length > 1 ? { mostLines: mostPromptLines } : {}) }, [
        ...tokens,
        ...facts,
      ]),
    ]
  }
  const shown = isScreen ? firstOnScreen(views, blocksOf) : views
  // What the shipped example is noted for is not the reader's.
  const notes = isExample ? [] : noteBlocks([...notesOfViews(views), ...warnings], '--json has all')
  printScreen([
    ...shown.flatMap(blocksOf),
    ...moreViews(views.slice(shown.length)),
    legendBlock(shown),
    ...(notes.length > 0 ? [{ kind: 'group' as const, blocks: notes }] : []),
    ...readinessBlocks(readiness),
  ])
  printNext(nextAfterRender(loaded, isExample))
}

/** Lines for the prompts themselves: with what stands below them, a screen has 25. */
const linesForPrompts = 18
const mostPromptLines = 12

/** Whether what is printed is for a person who has not said what to see; a pipe gets everything. */
function fitsScreen({ all, full, conversation, models, datasets, pattern, rows, count, label }: Options): boolean {
  const isChosen = all || full || conversation || rows !== '0' || [models, datasets, pattern, count, label].some((one) => one !== undefined)
  // Standard error may be a terminal where the prompts go into a pipe.
  return !isChosen && (process.stdout.isTTY || Number(process.env.COLUMNS) >= 1)
}

/** The first prompts, as many as fit a screen; at least one. */
function firstOnScreen(views: readonly View[], blocksOf: (view: View) => ScreenBlock[]): readonly View[] {
  let lines = 0
  const end = views.findIndex((view, index) => {
    lines += layOut(blocksOf(view), screenWidth()).split('\n').length + 1
    return index > 0 && lines > linesForPrompts
  })
  return end < 0 ? views : views.slice(0, end)
}

/** `5 more prompts (mmlu for chatml, …): -a shows all`. */
function moreViews(views: readonly View[]): ScreenBlock[] {
  if (views.length === 0) return []
  const names = views.map(({ dataset, model, label }) => [dataset, model, label].filter((name) => name !== undefined).join(' · '))
  return [{ kind: 'prose', text: `${countText(views.length, 'more prompt')}: ${pairsText([...new Set(names)])}. -a shows all` }]
}

function nextAfterRender({ isSample, file }: LoadedSelection, isExample: boolean): NextStep[] {
  const command = ownCommand()
  if (isSample) return [{ command: `${command} render FILE`, shows: 'your own chat or config; above is a sample chat' }]
  if (isExample) return [{ command: `${command} init`, shows: 'a config of your own; above is the shipped example' }]
  const words = file === '' ? '' : ` ${quoteWord(relative(process.cwd(), file))}`
  return [{ command: `${command} run${words} --limit 20`, shows: 'a first look at the answers' }]
}

/** The conversation before the format renders it. */
function conversationBlock(conversation: Conversation): ScreenBlock {
  return {
    kind: 'group',
    blocks: [
      { kind: 'prose', text: 'the conversation, before the format writes it:', tone: 'quiet' },
      { kind: 'indented', by: 2, blocks: conversationLines(conversation).map((text) => ({ kind: 'prose', text })) },
    ],
  }
}

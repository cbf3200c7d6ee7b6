import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { isFormatName, presets, promptText, splitFormat } from '@rolecall/core/internal/format'
import { dictGet, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { Command, Option } from 'commander'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { postprocessorOf } from '../../evaluation/score/postprocess/postprocessors.ts'
import { modelFlagUsage } from '../../model/model-types/index.ts'
import { configNames } from '../../node/config/load-config.ts'
import { formatWords, readFormat } from '../../node/formats/read-format.ts'
import { scoringPeers } from '../../node/jieba-words.ts'
import { modelConfigOf } from '../../node/models/model-flags.ts'
import { packageFile } from '../../node/own-files.ts'
import { quoteWord } from '../../node/platform.ts'
import { loadOrExample, viewAll } from '../render/collect-views.ts'
import { rowsOf } from '../render/dataset-rows.ts'
import { legendBlock, notesOfViews, viewBlock } from '../render/show-view.ts'
import type { View } from '../render/view.ts'
import type { ScreenBlock } from '../screen/blocks.ts'
import { noteBlocks } from '../screen/note-blocks.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { printWarnings } from '../terminal.ts'
import { type FoundModel, findServers } from './find-servers.ts'
import { lookAtRows } from './look-at-rows.ts'
import { delimiterNames, type ReadFlags, readSample } from './read-sample.ts'
import type { RowsLook } from './rows-look.ts'
import { columnsBlock, showValue } from './show-columns.ts'
import { answerForms, flagName, type RowFlags, UnclearRows } from './unclear-rows.ts'
import { type Draft, writeConfig } from './write-config.ts'

type Options = RowFlags &
  ReadFlags & { yes: boolean; data?: string; out?: string; kind?: string; model?: string; format?: string; force: boolean; json: boolean }

export const initCommand = new Command('init')
  .description('write a commented config into this folder, for your data and a model you can run')
  .optionsGroup('Data:')
  .option('-y, --yes', 'ask no questions: use the embedded model; rows that are unclear are refused, naming the flag that decides')
  .option(
    '--data <file>',
    'the file with the rows (.jsonl, .json, .csv, .tsv or .parquet), or a dataset on a hub; their kind is recognised from the first ones',
  )
  .optionsGroup('Columns:')
  .option('--question <columns>', 'the column with the question; several with commas; a value inside an object as data.question')
  .option('--answer <column>', 'the column with the gold answer; none collects replies without scoring')
  .option('--choices <columns>', 'the column with the list of choices, or one column per choice (comma-separated); none for open questions')
  .addOption(
    new Option('--answer-is <form>', 'how the gold answer names its choice: letter, text, or number from 0 or 1').choices(answerForms),
  )
  .option('--labels <words>', 'the words for class numbers, in order (comma-separated), e.g. negative,positive')
  .option('--context <columns>', 'columns with a text that the question is about (comma-separated), or none')
  .option('--tools <column>', 'the column with the tools that the model may call, or none')
  .option('--prompt <template>', 'the prompt, with columns in braces: "Summarise: {document}"')
  .option('--unused <columns>', 'columns to leave out (comma-separated)')
  .option('--columns <names>', 'for a .csv or .tsv file without a header line: the names of its columns (comma-separated)')
  .option('--header', 'the first line of the .csv or .tsv file names the columns')
  .addOption(new Option('--delimiter <name>', 'the delimiter of a .csv or .tsv file').choices(Object.keys(delimiterNames)))
  .optionsGroup('Model:')
  .option('--model <model>', `${modelFlagUsage}, or none to build prompts only`)
  .option('--format <format>', `the model's format: ${formatWords}`)
  .optionsGroup('Output:')
  .option('-o, --out <file>', 'the config to write in this folder, whose ending is its kind (default: rolecall.config.ts, .yaml or .json)')
  .option('--kind <kind>', 'ts, yaml or json')
  .option('--force', 'overwrite an existing config')
  .option('--json', 'print columns, first prompt and first gold answer as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall init                                         asks a few questions
  rolecall init --yes                                   two sums and the embedded model, ready to run
  rolecall init --yes --data qa.jsonl                   for your own rows: questions, choices, instructions, chats
  rolecall init --yes --data qa.csv --question 题目 --answer 答案  names columns that are not recognised
  rolecall init --yes --data qa.jsonl --model openai:qwen3-8b@http://127.0.0.1:8000/v1`,
  )
  .action(async (given: Options) => {
    const options = withKind(given)
    const there = (options.out === undefined ? configNames : [options.out]).find((name) => existsSync(name))
    if (there !== undefined && !options.force) {
      throw new PromptError('already-there', {
        where: there,
        problem: options.out === undefined ? 'this folder already has a config' : 'the file is there already',
        fix: 'edit it, or overwrite it with --force',
      })
    }
    const draft = await ask(options)
    const file = options.out ?? `rolecall.config.${draft.kind}`
    const canRun = draft.models.some(({ type }) => type !== undefined)
    const next = `npx rolecall ${nextCommand(canRun, draft.look, options.out)}`
    writeFileSync(file, writeConfig(draft))
    const first = await firstOf(file)
    printWarnings(first.notes)
    if (options.json) {
      const { is, uses } = draft.look
      const prompt = first.view && promptText(first.view.rendered.prompt)
      process.stdout.write(`${JSON.stringify({ config: file, is, columns: uses, prompt, gold: first.gold, next }, null, 2)}\n`)
      return
    }
    const read = draft.path === undefined ? 'two sums' : `${draft.path} (${draft.look.is})`
    printScreen([
      { kind: 'prose', text: `wrote ${file}: ${read}` },
      ...(draft.path === undefined ? [] : [columnsBlock(draft.look.uses)]),
      ...firstBlocks(first),
    ])
    if (canRun && draft.look.gold === undefined)
      printWarnings([
        {
          code: 'no-gold',
          text: 'no column with gold answers found, so nothing is scored; set output_column, or read the answers',
        },
      ])
    printNext([{ command: next, shows: canRun ? 'evaluate' : 'look at the prompts' }], process.stdout)
  })

/** The kind by the ending of `--out`. Data are named from the folder of the config, so that it is written into this one. */
function withKind({ out, ...options }: Options): Options {
  if (out === undefined) return options
  const kind = { '.ts': 'ts', '.yaml': 'yaml', '.yml': 'yaml', '.json': 'json' }[extname(out)]
  const problem =
    dirname(resolve(out)) !== process.cwd()
      ? 'the config is written into this folder, from which it names the data'
      : kind === undefined
        ? 'its ending is no kind of config'
        : options.kind !== undefined && options.kind !== kind
          ? `--kind ${options.kind} is another kind`
          : undefined
  if (problem === undefined) return { ...options, out: basename(out), kind: kind! }
  throw new PromptError('usage', { where: `--out ${out}`, problem, fix: 'for example: --out eval.yaml' })
}

function nextCommand(canRun: boolean, { gold }: RowsLook, file: string | undefined): string {
  const command = !canRun ? 'render --show-whitespace' : gold === undefined ? 'run --no-score' : 'run'
  return file === undefined ? command : `${command} ${quoteWord(file)}`
}

type First = { view: View | undefined; notes: readonly Note[]; gold?: unknown }

/** The first prompt of the new config, and the gold answer that its reply is compared with. */
async function firstOf(file: string): Promise<First> {
  const loaded = await loadOrExample(file)
  const { views, notes } = await viewAll(loaded, { rows: '0' })
  const [dataset] = loaded.config.datasets as DatasetConfig[]
  const column = dataset?.reader_cfg?.output_column
  if (!dataset || !column) return { view: views[0], notes }
  const { rows } = await rowsOf(dataset, [0], loaded.folder)
  const clean = postprocessorOf(dataset.eval_cfg?.dataset_postprocessor, 'eval_cfg.dataset_postprocessor', scoringPeers())
  const gold = dictGet(rows.get(0)!, column) ?? null
  return { view: views[0], notes, gold: dataset.eval_cfg?.dataset_postprocessor === undefined ? gold : clean(pyStr(gold)) }
}

function firstBlocks({ view, gold }: First): ScreenBlock[] {
  if (!view) return []
  const notes = noteBlocks(notesOfViews([view]), 'rolecall render --json')
  return [
    viewBlock(view, { showWhitespace: false, full: false }),
    { kind: 'group', blocks: [legendBlock([view]), ...notes, ...goldBlocks(gold)] },
  ]
}

function goldBlocks(gold: unknown): ScreenBlock[] {
  if (gold === undefined) return []
  return [{ kind: 'label', label: 'first gold answer:', tone: 'good', texts: [showValue(gold as PyValue)], gap: 1 }]
}

type Question = (text: string, defaultAnswer: string) => Promise<string>

async function ask(options: Options): Promise<Draft> {
  const terminal = options.yes || !process.stdin.isTTY ? undefined : createInterface({ input: process.stdin, output: process.stdout })
  const question: Question = async (text, defaultAnswer) => {
    const given = terminal ? await terminal.question(`${text} [${defaultAnswer}] `) : ''
    return given.trim() === '' ? defaultAnswer : given.trim()
  }
  try {
    const kind = oneOf(
      options.kind ?? (await question('Which kind of config: ts, yaml or json?', 'yaml')),
      ['ts', 'yaml', 'json'],
      '--kind',
    ) as Draft['kind']
    const path =
      options.data ??
      (await question('The file with your rows (.jsonl, .json, .csv, .tsv, .parquet)? "none" writes two example sums', 'none'))
    const { look, ...csv } = path === 'none' ? { look: sumsLook } : await lookAtFile(path, options, terminal ? question : undefined)
    const models = await modelsOf(options, terminal ? question : undefined)
    return { kind, ...(path === 'none' ? {} : { path }), ...csv, look, models, schema: schemaPath() }
  } finally {
    terminal?.close()
  }
}

const sumsLook: RowsLook = {
  is: 'sums',
  inputs: ['question'],
  gold: 'answer',
  prompt: '{question}',
  isSaid: true,
  evaluation: { evaluator: { type: 'EMEvaluator' } },
  uses: [],
}

/** What a file holds. Where it is unclear, asks; without a terminal, refuses. */
async function lookAtFile(path: string, given: Options, question?: Question): Promise<Pick<Draft, 'look' | 'csv'>> {
  const { rows, csv } = await readSample(await localRows(path), given, question)
  const flags: RowFlags = { ...given }
  for (;;) {
    try {
      return { look: lookAtRows(rows, flags), ...(csv && { csv }) }
    } catch (error) {
      if (!(error instanceof UnclearRows)) throw error
      printScreen([columnsBlock(error.uses)], process.stderr)
      if (question === undefined) throw error
      const name = flagName(error.flag)
      const answer = await question(`${error.where}: ${error.problem}\n  → ${error.fix}\n${name}`, 'stop')
      if (answer === 'stop') throw error
      const words = answer.replace(`${name} `, '')
      const before = error.flag === 'unused' && flags.unused !== undefined ? `${flags.unused},` : ''
      Object.assign(flags, { [error.flag]: `${before}${words}` })
    }
  }
}

/** A dataset on a hub is downloaded; the config keeps its name. */
async function localRows(path: string): Promise<string> {
  const { localDatasetPaths } = await import('../../node/hub/local-paths.ts')
  const { hubReporter } = await import('../hub/report-hub.ts')
  const [first] = (await localDatasetPaths(path, {}, hubReporter())) ?? [path]
  return first!
}

async function modelsOf(options: Options, question?: Question): Promise<ModelConfig[]> {
  const found = options.model === undefined && question ? await findServers() : []
  const model = options.model ?? (question ? await askModel(question, found) : 'embedded')
  if (model === 'none') return [await bareModel(options, question), { abbr: 'base-model', format: 'plain' }]
  const server = found.find((one) => one.model === model)
  const { format } = options
  const config = modelConfigOf({ model: server ? `openai:${model}@${server.url}` : model, format })
  const { abbr, type, ...rest } = format === undefined ? config : { ...splitFormat(config).rest, ...writtenFormat(format, '--format') }
  return [{ abbr: abbr ?? 'my-model', type, ...rest, ...(type === 'embedded' ? { max_out_len: 64 } : {}) }]
}

async function askModel(question: Question, found: readonly FoundModel[]): Promise<string> {
  const offered = found.map(({ model, server, url }) => `  ${model} (${server}, ${url})`)
  const files = readdirSync('.').filter((name) => name.endsWith('.gguf'))
  offered.push(...files.map((name) => `  gguf:${name} (a file in this folder, through node-llama-cpp)`))
  const servers =
    offered.length === 0
      ? 'No local model server and no .gguf file in this folder was found.'
      : `Found on this machine:\n${offered.join('\n')}`
  return question(
    `${servers}\nWhich model: embedded, one of these, gguf:PATH, openai:NAME@URL, or none?`,
    found[0]?.model ?? (files[0] === undefined ? 'embedded' : `gguf:${files[0]}`),
  )
}

async function bareModel(options: Options, question?: Question): Promise<ModelConfig> {
  const usual = `The model's format? (${Object.keys(presets).join(', ')}, or one of MLC's, e.g. vicuna_v1.1)`
  const format = options.format ?? (question ? await question(usual, 'chatml') : 'chatml')
  return { abbr: 'my-model', ...writtenFormat(format, options.format === undefined ? 'format' : '--format') }
}

/** A format as a config names it: files stay files. */
function writtenFormat(given: string, where: string): ModelConfig {
  if (isFormatName(given)) return { format: given }
  const read = readFormat(given, { where })
  printWarnings(read.notes)
  if (read.kind === 'templates') return { chat_template: read.name }
  return read.settings.mlc_config === undefined ? read.settings : { mlc_config: given }
}

/** The schema of the installed package, or of this clone. */
function schemaPath(): string {
  const installed = './node_modules/rolecall/schema/rolecall.schema.json'
  if (existsSync(installed)) return installed
  return relative(process.cwd(), fileURLToPath(packageFile('schema/rolecall.schema.json')))
}

function oneOf(given: string, known: readonly string[], where: string): string {
  if (known.includes(given)) return given
  throw new PromptError('wrong-value', { where, problem: `unknown value "${given}"`, fix: suggestName(given, known) })
}

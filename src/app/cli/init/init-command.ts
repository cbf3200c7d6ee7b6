import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { suggestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { modelFlagUsage } from '../../../model/model-types/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { formatNamed } from '../../../prompt/format/named-format.ts'
import { presets } from '../../../prompt/format/presets/index.ts'
import { configNames } from '../../node/config/load-config.ts'
import { modelConfigOf } from '../../node/models/model-flags.ts'
import { packageFile } from '../../node/own-files.ts'
import { readRows } from '../../node/rows/read-rows.ts'
import { loadOrExample, viewAll } from '../render/collect-views.ts'
import { legend, showView } from '../render/show-view.ts'
import { printWarnings, terminalWidth } from '../terminal.ts'
import { type FoundModel, findServers } from './find-servers.ts'
import { fieldColumns, lookAtRows, type RowsLook } from './look-at-rows.ts'
import { type Draft, writeConfig } from './write-config.ts'

type Options = { yes: boolean; data?: string; kind?: string; model?: string; format?: string; force: boolean }

export const initCommand = new Command('init')
  .description('write a commented config into this folder, for your data and a model you can run')
  .option('-y, --yes', 'ask no questions: use the embedded model and guess from the rows')
  .option('--data <file>', 'the file with the rows (.jsonl, .json, .csv, .tsv or .parquet); their kind is recognised from the first ones')
  .option('--model <model>', `${modelFlagUsage}, or none to build prompts only`)
  .option('--kind <kind>', 'ts, yaml or json')
  .option('--format <name>', "the model's format; `rolecall formats` lists them")
  .option('--force', 'overwrite an existing config')
  .addHelpText(
    'after',
    `
Examples:
  rolecall init                                         asks a few questions
  rolecall init --yes                                   two sums and the embedded model, ready to run
  rolecall init --yes --data qa.jsonl                   for your own rows: questions, choices, instructions, chats
  rolecall init --yes --data qa.jsonl --model openai:qwen3-8b@http://127.0.0.1:8000/v1`,
  )
  .action(async (options: Options) => {
    const there = configNames.find((name) => existsSync(name))
    if (there !== undefined && !options.force) {
      throw new PromptError('already-there', {
        where: there,
        problem: 'this folder already has a config',
        fix: 'edit it, or overwrite it with --force',
      })
    }
    const draft = await ask(options)
    const file = `rolecall.config.${draft.kind}`
    writeFileSync(file, writeConfig(draft))
    const read = draft.path === undefined ? 'two sums' : `${draft.path} (${draft.look.is})`
    process.stdout.write(`wrote ${file}: ${read}\n\n`)
    await showFirst(file)
    const canRun = draft.models.some(({ type }) => type !== undefined)
    if (canRun && draft.look.gold === undefined)
      printWarnings([
        {
          code: 'no-gold',
          text: 'no column with gold answers found, so nothing is scored; set output_column, or read the answers',
        },
      ])
    process.stdout.write(`\nnext: npx rolecall ${nextCommand(canRun, draft.look)}\n`)
  })

function nextCommand(canRun: boolean, { gold }: RowsLook): string {
  if (!canRun) return 'render --show-whitespace'
  return gold === undefined ? 'run --no-score' : 'run'
}

/** Prints the first prompt of the new config. */
async function showFirst(file: string): Promise<void> {
  const loaded = await loadOrExample(file)
  const { views } = await viewAll(loaded, { rows: '0' })
  const shown = views.slice(0, 1)
  const lines = shown.map((view) => showView(view, { width: Math.min(terminalWidth(), 100), showWhitespace: false, full: false }))
  process.stdout.write(`${[...lines, legend(shown)].join('\n\n')}\n`)
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
    const look = path === 'none' ? sumsLook : await lookAtFile(path, terminal ? question : undefined)
    const models = await modelsOf(options, terminal ? question : undefined)
    return { kind, ...(path === 'none' ? {} : { path }), look, models, schema: schemaPath() }
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
}

/** Rows read to recognise the kind of a file. */
const sampleSize = 50

async function lookAtFile(path: string, question?: Question): Promise<RowsLook> {
  const rows = await firstRowsOf(path)
  const look = lookAtRows(rows)
  if (question === undefined || look.rowFormat !== undefined) return look
  const columns = fieldColumns(rows[0]!)
  const questionColumn = oneOf(
    await question(`Which column is the question? (${columns.join(', ')})`, look.inputs.at(-1)!),
    columns,
    'question column',
  )
  const others = columns.filter((column) => column !== questionColumn)
  const gold =
    others.length === 0 ? 'none' : await question(`Which column is the answer? (${others.join(', ')}, none)`, look.gold ?? 'none')
  const isSame = questionColumn === look.inputs.at(-1) && gold === (look.gold ?? 'none')
  return isSame ? look : lookAtRows(rows, { question: questionColumn, gold: oneOf(gold, [...others, 'none'], 'answer column') })
}

async function firstRowsOf(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readRows(path)) {
    rows.push(row)
    if (rows.length === sampleSize) break
  }
  if (rows.length === 0) throw new PromptError('no-row', { where: path, problem: 'the file is empty', fix: 'choose a file with rows' })
  if (fieldColumns(rows[0]!).length > 0) return rows
  throw new PromptError('no-column', {
    where: path,
    problem: 'the first row has no column that a template can use',
    fix: 'use column names without braces',
  })
}

async function modelsOf(options: Options, question?: Question): Promise<ModelConfig[]> {
  const found = options.model === undefined && question ? await findServers() : []
  const model = options.model ?? (question ? await askModel(question, found) : 'embedded')
  if (model === 'none') return [await bareModel(options, question), { abbr: 'base-model', format: 'plain' }]
  const server = found.find((one) => one.model === model)
  const config = modelConfigOf({
    model: server ? `openai:${model}@${server.url}` : model,
    ...(options.format && { format: options.format }),
  })
  const { abbr, type, ...rest } = config
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
  formatNamed(format, options.format === undefined ? 'format' : '--format')
  return { abbr: 'my-model', format }
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

import { existsSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { formatNamed } from '../../format/named-format.ts'
import { presets } from '../../format/presets/index.ts'
import { suggestName } from '../../nearest.ts'
import { configNames } from '../../node/config/load-config.ts'
import { packageFile } from '../../node/own-files.ts'
import { readRows } from '../../node/rows/read-rows.ts'
import { PromptError } from '../../prompt-error.ts'
import { dictKeys } from '../../python/index.ts'
import { type Answers, writeConfig } from './write-config.ts'

type Options = { yes: boolean; data?: string; kind?: string; format?: string; force: boolean }

export const initCommand = new Command('init')
  .description('write a commented config into this folder')
  .option('-y, --yes', 'ask nothing, take the defaults', false)
  .option('--data <file>', 'the file with the rows (.jsonl, .json, .csv or .tsv); its columns are read from it')
  .option('--kind <kind>', 'ts, yaml or json')
  .option('--format <name>', "the model's format; `rolecall formats` lists them")
  .option('--force', 'overwrite a config that is there', false)
  .addHelpText(
    'after',
    '\nExamples:\n  rolecall init                        asks a few questions\n  rolecall init --yes                  two sums, ready to render\n  rolecall init --yes --data qa.jsonl  for your own rows',
  )
  .action(async (options: Options) => {
    const there = configNames.find((name) => existsSync(name))
    if (there !== undefined && !options.force) {
      throw new PromptError('already-there', {
        where: there,
        problem: 'there is a config in this folder',
        fix: 'edit it, or overwrite it with --force',
      })
    }
    const answers = await ask(options)
    const file = `rolecall.config.${answers.kind}`
    writeFileSync(file, writeConfig(answers))
    process.stdout.write(`wrote ${file}\nnow try: npx rolecall render --show-whitespace\n`)
  })

async function ask(options: Options): Promise<Answers> {
  const terminal = options.yes || !process.stdin.isTTY ? undefined : createInterface({ input: process.stdin, output: process.stdout })
  const question = async (text: string, byDefault: string): Promise<string> => {
    const given = terminal ? await terminal.question(`${text} [${byDefault}] `) : ''
    return given.trim() === '' ? byDefault : given.trim()
  }
  try {
    const kind = oneOf(
      options.kind ?? (await question('Which kind of config: ts, yaml or json?', 'yaml')),
      ['ts', 'yaml', 'json'],
      '--kind',
    )
    const path = options.data ?? (await question('The file with your rows (.jsonl, .json, .csv or .tsv)? none writes two sums', 'none'))
    const columns = path === 'none' ? ['question', 'answer'] : await columnsOf(path)
    const asked = await question(
      `Which column is the question? (${columns.join(', ')})`,
      likely(columns, ['question', 'input', 'prompt', '问题', '题目']) ?? columns[0]!,
    )
    const others = columns.filter((column) => column !== asked)
    const gold =
      others.length === 0
        ? 'none'
        : await question(
            `Which column is the answer? (${others.join(', ')}, none)`,
            likely(others, ['answer', 'output', 'target', 'label', '答案']) ?? others.at(-1)!,
          )
    const format =
      options.format ??
      (await question(`The model's format? (${Object.keys(presets).join(', ')}, or one of MLC's, e.g. vicuna_v1.1)`, 'chatml'))
    formatNamed(format, options.format === undefined ? 'format' : '--format')
    return {
      kind: kind as Answers['kind'],
      ...(path === 'none' ? {} : { path }),
      question: oneOf(asked, columns, 'question column'),
      ...(gold === 'none' ? {} : { answer: oneOf(gold, others, 'answer column') }),
      format,
      schema: schemaPath(),
    }
  } finally {
    terminal?.close()
  }
}

/** The columns of the first row. One with a brace in its name cannot be a field. */
async function columnsOf(path: string): Promise<string[]> {
  for await (const row of readRows(path)) {
    const columns = dictKeys(row).filter((column) => !/[{}]/.test(column))
    if (columns.length > 0) return columns
    throw new PromptError('no-column', {
      where: path,
      problem: 'the first row has no column that a template could name',
      fix: 'give the columns names without braces',
    })
  }
  throw new PromptError('no-row', { where: path, problem: 'the file is empty', fix: 'name a file with rows' })
}

/** The schema of the installed package; in a clone, our own. */
function schemaPath(): string {
  const installed = './node_modules/rolecall/schema/rolecall.schema.json'
  if (existsSync(installed)) return installed
  return relative(process.cwd(), fileURLToPath(packageFile('schema/rolecall.schema.json')))
}

function likely(columns: readonly string[], names: readonly string[]): string | undefined {
  return columns.find((column) => names.includes(column.toLowerCase()))
}

function oneOf(given: string, known: readonly string[], where: string): string {
  if (known.includes(given)) return given
  throw new PromptError('wrong-value', { where, problem: `"${given}" is not one of them`, fix: suggestName(given, known) })
}

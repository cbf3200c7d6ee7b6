import { PromptError } from '@rolecall/core/internal/errors'
import { Argument, Command } from 'commander'
import { exitHelp } from './exit-codes.ts'
import { collects } from './flag-values.ts'
import { printJson } from './print-json.ts'
import { countText } from './screen/amounts.ts'
import type { NextStep, ScreenBlock, ScreenRow } from './screen/blocks.ts'
import { ownCommand } from './screen/own-command.ts'
import { printNext, printScreen } from './screen/print-screen.ts'

/** What `list` prints itself; formats and presets have commands of their own. */
const kinds = ['models', 'tasks', 'evaluators'] as const
type Kind = (typeof kinds)[number]
type Flags = { includePath?: string[]; json: boolean }

/** A list for the screen, and for programs. */
type Listed = { blocks: ScreenBlock[]; entries: object[]; next?: NextStep }

export const listCommand = new Command('list')
  .description('list models of the config, formats, presets (known benchmarks), tasks of lm-evaluation-harness, or evaluators')
  .addArgument(
    new Argument('<kind>', 'what to list: formats and presets have flags of their own').choices(['formats', 'presets', ...kinds]),
  )
  .argument('[name]', 'of models: the config; else only entries whose names contain this')
  .option(
    '--include-path <folder>',
    'of tasks: a folder with task files (can be repeated); then those of an installed lm_eval',
    collects((value: string, before: string[] = []) => [...before, value]),
  )
  .option('--json', 'print as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall list models               those of the nearest config
  rolecall list formats chatml       one format, with an example
  rolecall list presets              the known benchmarks
  rolecall list tasks arc --include-path tasks
  rolecall list evaluators Math
${exitHelp({ refused: 'when there is no config, or nothing of this name' })}`,
  )
  .action(async (kind: Kind, name: string | undefined, flags: Flags) => {
    const { blocks, entries, next } = await listers[kind](name, flags)
    if (flags.json) return printJson(entries)
    printScreen(blocks)
    printNext(next ? [next] : [])
  })

const listers: Readonly<Record<Kind, (name: string | undefined, flags: Flags) => Promise<Listed>>> = {
  models: listModels,
  tasks: listTasks,
  evaluators: listEvaluators,
}

async function listModels(name: string | undefined): Promise<Listed> {
  const { openConfig } = await import('../node/config/open-config.ts')
  const opened = await openConfig(name, {})
  if (!opened)
    throw new PromptError('no-config', {
      where: 'rolecall list models',
      problem: 'there is no config in this folder or above',
      fix: 'name one: rolecall list models CONFIG',
    })
  const models = opened.loaded.config.models.map((model, number) => {
    const { abbr = `model-${number}`, type, path, base_url: server } = model as Readonly<Record<string, unknown>>
    return { abbr, type, path, base_url: server }
  })
  const text = (value: unknown) => (value === undefined ? '' : String(value))
  const rows = models.map(
    ({ abbr, type, path, base_url: server }): ScreenRow => ({
      cells: [{ text: text(abbr), tone: 'strong' }, { text: text(type) }, { text: text(path) }, { text: text(server), tone: 'quiet' }],
    }),
  )
  return {
    entries: models,
    blocks: [
      { kind: 'prose', text: countText(models.length, 'model') },
      { kind: 'grid', columns: [{ mayShorten: true }, {}, { mayShorten: true }, { mayCut: true }], rows },
    ],
    next: { command: `${ownCommand()} run --models ${text(models[0]?.abbr) || 'NAME'} --limit 20`, shows: 'a first look' },
  }
}

/** Longer lists are cut on the screen; --json has all. */
const mostListed = 40

async function listTasks(name: string | undefined, { includePath = [] }: Flags): Promise<Listed> {
  const { TaskIndex } = await import('../node/tasks/task-index.ts')
  const { installedTasks } = await import('../node/tasks/installed-tasks.ts')
  const names = matching(new TaskIndex(includePath, installedTasks()).names(), name, '--include-path FOLDER names a folder with tasks')
  return {
    entries: names.map((task) => ({ name: task })),
    blocks: listed(names, 'task', (task) => ({ cells: [{ text: task }] })),
    next: { command: `${ownCommand()} render --tasks ${names[0]}`, shows: 'its prompts' },
  }
}

async function listEvaluators(name: string | undefined): Promise<Listed> {
  const { registerOpenCompass } = await import('../compat/opencompass/register-opencompass.ts')
  registerOpenCompass()
  const { evaluators } = await import('../evaluation/score/evaluate/evaluators.ts')
  const all = [...new Set(evaluators.values())].map(({ names: [first = '', ...others], does }) => ({ name: first, others, does }))
  const names = new Set(
    matching(
      all.map((entry) => entry.name),
      name,
      'all of them: rolecall list evaluators',
    ),
  )
  const entries = all.filter((entry) => names.has(entry.name))
  return {
    entries,
    blocks: listed(entries, 'evaluator', (entry) => ({ cells: [{ text: entry.name, tone: 'strong' }, { text: entry.does }] })),
  }
}

function listed<Entry>(entries: readonly Entry[], noun: string, rowOf: (entry: Entry) => ScreenRow): ScreenBlock[] {
  const more = entries.length - mostListed
  return [
    { kind: 'prose', text: countText(entries.length, noun) },
    {
      kind: 'group',
      blocks: [
        { kind: 'grid', columns: [{}, { mayCut: true }], rows: entries.slice(0, mostListed).map(rowOf) },
        ...(more > 0
          ? [{ kind: 'prose' as const, text: `${more} more: name a part of the name, or --json prints all`, tone: 'quiet' as const }]
          : []),
      ],
    },
  ]
}

function matching(names: readonly string[], part: string | undefined, fix: string): string[] {
  const found = names.filter((name) => part === undefined || name.toLowerCase().includes(part.toLowerCase()))
  if (found.length > 0) return found
  const problem = part === undefined ? 'there are none' : `no name contains "${part}"`
  throw new PromptError('nothing-listed', { where: 'rolecall list', problem, fix })
}

import { existsSync } from 'node:fs'
import type { Chat } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PartsSetting } from '@rolecall/core/internal/format'
import { dictGet, isDict, isList, JsonSyntaxError, type PyValue, parseJson } from '@rolecall/core/internal/python'
import { Command } from 'commander'
import { loadConfig } from '../../node/config/load-config.ts'
import { formatWords } from '../../node/formats/read-format.ts'
import { readWholeText } from '../../node/read-whole-file.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { diffPrompts } from '../../workbench/diff/diff-prompts.ts'
import type { ExampleChat } from '../../workbench/diff/example-chats.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { partsFlag, wholeNumber } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { printWarnings } from '../terminal.ts'
import { warnConfig } from '../warn-config.ts'
import { diffScreen, nextAfterDiff } from './diff-screen.ts'
import { pairPrompts } from './pair-prompts.ts'
import { type DiffSide, readSide } from './read-side.ts'

type Options = {
  parts?: readonly PartsSetting[]
  config?: string
  chats?: string
  limit: number
  tokenizer?: string
  examples: number
  json: boolean
  exitCode: boolean
}

export const diffCommand = new Command('diff')
  .description('show how the prompts of two templates, formats, models, configs or runs differ, by cause')
  .argument('<first>', `a format: ${formatWords}; a model of --config, a config, or a run's folder`)
  .argument('[second]', 'what to compare it with; optional with two stacks in --parts')
  .option(
    '--parts <stacks>',
    'prepare messages as these serving stacks do: vllm, sglang, llama.cpp, transformers, transformers-serve; two (comma-separated) are compared with each other; vllm:ARCHITECTURE gives the placeholders of a model',
    partsFlag,
  )
  .option('--config <file>', 'compare over the dataset rows of this config')
  .option('--chats <file>', 'compare over these chats, one JSON object per line: { "messages": […], "tools": […] }')
  .option('--limit <rows>', 'number of rows to compare per dataset', wholeNumber, 20)
  .option(
    '--tokenizer <path>',
    "also compare token ids: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model (default: each model's own)",
  )
  .option('--examples <number>', 'number of rows to show per cause', wholeNumber, 1)
  .option('--json', 'print the comparison as JSON', false)
  .option('--exit-code', `exit with code ${exitCodes['check-failed'].code} if anything differs`, false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall diff chatml internlm2
  rolecall diff old.jinja new.jinja --exit-code            over built-in conversations
  rolecall diff chatml ~/models/qwen3 --chats chats.jsonl --tokenizer ~/models/qwen3
  rolecall diff qwen llama --config rolecall.config.yaml   two models of a config, over its rows
  rolecall diff before.yaml after.yaml                     two configs
  rolecall diff ~/models/gemma-3 --parts vllm,llama.cpp    what two serving stacks send for messages with parts
  rolecall diff outputs/a/20261114_180000 outputs/a/20261115_090000

Prompts are compared turn by turn. Differences are grouped by cause, counts first, then examples.
${exitHelp({ refused: 'when something cannot be read', 'check-failed': 'with --exit-code if anything differs' })}`,
  )
  .action(async (first: string, given: string | undefined, options: Options) => {
    const second = given ?? (options.parts?.length === 2 ? first : undefined)
    if (second === undefined)
      throw new PromptError('one-side', {
        where: 'second',
        problem: 'there is nothing to compare it with',
        fix: 'name another template, format, model, config or run, or give two stacks: --parts vllm,llama.cpp',
      })
    if (options.config !== undefined && options.chats !== undefined)
      throw new PromptError('two-sources', {
        where: '--config, --chats',
        problem: 'rows and chats cannot be combined',
        fix: 'remove one of the flags',
      })
    const rows = options.config === undefined ? undefined : withGuardedTemplates(await loadConfig(options.config))
    if (rows) warnConfig(rows)
    const chats = options.chats === undefined ? undefined : readChats(options.chats)
    const [one, other = one] = options.parts ?? []
    const sides = [preparedBy(await readSide(first, rows), one), preparedBy(await readSide(second, rows), other)] as const
    const names = [sides[0].name, sides[1].name] as const
    const { limit, tokenizer } = options
    const { pairs, unit, notes } = await pairPrompts(...sides, { rows, chats, limit, tokenizer })
    const diff = diffPrompts(pairs, { mostExamples: options.examples })
    const differing = diff.pairs - diff.same - diff.neither
    const failure =
      options.exitCode && differing > 0
        ? { code: 'differs', problem: `${differing} of ${diff.pairs} prompts differ`, exit_code: exitCodes['check-failed'].code }
        : undefined
    if (options.json) printJson({ first: names[0], second: names[1], ...diff }, failure)
    else printScreen(diffScreen(diff, names, unit))
    printWarnings([...sides.flatMap((side) => side.notes), ...notes])
    if (!options.json) printNext(nextAfterDiff(diff, [first, ...(given === undefined ? [] : [given])], options))
    setExitCode(failure)
  })

/** A side whose messages a serving stack prepares. */
function preparedBy(side: DiffSide, parts: PartsSetting | undefined): DiffSide {
  if (parts === undefined) return side
  const engine = typeof parts === 'string' ? parts : parts.engine
  const name = `${side.name} (${engine})`
  if (side.kind === 'model' && side.model.chat_template !== undefined) return { ...side, name, model: { ...side.model, parts } }
  if (side.kind === 'config') {
    const models = side.loaded.config.models.map((model) => ({ ...model, parts }))
    return { ...side, name, loaded: { ...side.loaded, config: { ...side.loaded.config, models } } }
  }
  throw new PromptError('no-template', {
    where: side.name,
    problem: 'serving stacks prepare messages for chat templates, and this format is none',
    fix: 'give a chat template: a model folder, tokenizer_config.json, .jinja or .gguf file',
  })
}

/** Reads chats from a JSON Lines file, named by their line numbers. */
function readChats(path: string): ExampleChat[] {
  if (!existsSync(path)) throw badChats(path, 'file not found')
  const lines = readWholeText(path).split('\n')
  const chats = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ name: `line ${index + 1}`, chat: chatIn(line, `${path}, line ${index + 1}`) }],
  )
  if (chats.length === 0) throw badChats(path, 'no chats found')
  return chats
}

function chatIn(line: string, where: string): Chat {
  const given = jsonIn(line, where)
  if (!isDict(given) || !isList(dictGet(given, 'messages'))) throw badChats(where, 'no list of messages')
  // Messages are validated when the chat is rendered.
  return given as Chat
}

function jsonIn(line: string, where: string): PyValue {
  try {
    return parseJson(line)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badChats(where, `invalid JSON: ${error.message}`)
    throw error
  }
}

function badChats(where: string, problem: string): PromptError {
  return new PromptError('bad-chats', {
    where,
    problem,
    fix: 'write one chat per line: {"messages": [{"role": "user", "content": "Hi"}]}',
  })
}

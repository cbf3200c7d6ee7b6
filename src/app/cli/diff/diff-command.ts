import { Command } from 'commander'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { diffPrompts } from '../../../workbench/diff/diff-prompts.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { wholeNumber } from '../flag-values.ts'
import { printWarnings } from '../terminal.ts'
import { warnConfig } from '../warn-config.ts'
import { pairPrompts } from './pair-prompts.ts'
import { readChats } from './read-chats.ts'
import { readSide } from './read-side.ts'
import { showDiff } from './show-diff.ts'

type Options = { config?: string; chats?: string; limit: number; tokenizer?: string; examples: number; json: boolean; exitCode: boolean }

/** The same exit code as `lint --fail-on` and `compare --fail-on`. */
const differsExitCode = 3

export const diffCommand = new Command('diff')
  .description('show how the prompts of two templates, formats, models, configs or runs differ, by cause')
  .argument(
    '<first>',
    "a format's name, a chat template (.jinja, a model folder, tokenizer_config.json, .gguf), a model of --config, a config, or a run's folder",
  )
  .argument('<second>', 'what to compare it with')
  .option('--config <file>', 'compare over the dataset rows of this config')
  .option('--chats <file>', 'compare over these chats, one JSON object per line: { "messages": […], "tools": […] }')
  .option('--limit <rows>', 'number of rows to compare per dataset', wholeNumber, 20)
  .option('--tokenizer <path>', "also compare token ids: a model folder, tokenizer.json or tokenizer.model (default: each model's own)")
  .option('--examples <number>', 'number of rows to show per cause', wholeNumber, 1)
  .option('--json', 'print the comparison as JSON', false)
  .option('--exit-code', 'exit with code 3 if anything differs', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall diff chatml internlm2
  rolecall diff old.jinja new.jinja --exit-code            over built-in conversations
  rolecall diff chatml ~/models/qwen3 --chats chats.jsonl --tokenizer ~/models/qwen3
  rolecall diff qwen llama --config rolecall.config.yaml   two models of a config, over its rows
  rolecall diff before.yaml after.yaml                     two configs
  rolecall diff outputs/a/20261114_180000 outputs/a/20261115_090000

Prompts are compared turn by turn. Differences are grouped by cause, counts first, then examples.
Exit code: 0, 2 when something cannot be read, 3 with --exit-code if anything differs`,
  )
  .action(async (first: string, second: string, options: Options) => {
    if (options.config !== undefined && options.chats !== undefined)
      throw new PromptError('two-sources', {
        where: '--config, --chats',
        problem: 'rows and chats cannot be combined',
        fix: 'remove one of the flags',
      })
    const rows = options.config === undefined ? undefined : withGuardedTemplates(await loadConfig(options.config))
    if (rows) warnConfig(rows)
    const chats = options.chats === undefined ? undefined : readChats(options.chats)
    const sides = [await readSide(first, rows), await readSide(second, rows)] as const
    const { limit, tokenizer } = options
    const { pairs, unit, notes } = await pairPrompts(...sides, { rows, chats, limit, tokenizer })
    const diff = diffPrompts(pairs, { mostExamples: options.examples })
    const text = options.json ? JSON.stringify({ first, second, ...diff }, null, 2) : showDiff(diff, [first, second], unit).trimEnd()
    process.stdout.write(`${text}\n`)
    printWarnings([...sides.flatMap((side) => side.notes), ...notes])
    if (options.exitCode && diff.same + diff.neither < diff.pairs) process.exitCode = differsExitCode
  })

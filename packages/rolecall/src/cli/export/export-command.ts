import { existsSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TrainingPolicy } from '@rolecall/core/internal/masks'
import { RunMemo } from '@rolecall/core/internal/tokenizer'
import { Command, Option } from 'commander'
import { type ExportManifest, exportTraining, hashOf, manifestPath } from '../../node/exports/export-training.ts'
import type { RowFileKind } from '../../node/exports/row-files.ts'
import { ownVersion } from '../../node/own-files.ts'
import type { ExportCounts } from '../../workbench/training/export-counts.ts'
import { type TrainerName, trainers } from '../../workbench/training/trainer-rows.ts'
import { collectEarly } from '../collect-early.ts'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { positiveInteger } from '../flag-values.ts'
import { withModelFlags } from '../flags.ts'
import { printJson } from '../print-json.ts'
import { printReport } from '../screen/print-screen.ts'
import { colors, printable } from '../terminal.ts'
import { type SourceFlags, setUpExport } from './set-up-export.ts'

type Options = SourceFlags & {
  out: string
  as?: RowFileKind
  train: TrainingPolicy['train']
  turns: TrainingPolicy['turns']
  reasoning: boolean
  calls: boolean
  undecided: 'drop' | 'mask' | 'rows'
  for?: TrainerName | 'tree'
  maxLength?: number
  overlong: 'drop' | 'cut'
  pack?: number
  rowsPerFile?: number
  origins: boolean
  limit?: number
  resume: boolean
  json: boolean
}

export const exportCommand = withModelFlags(new Command('export'))
  .description("write conversations as training rows in a model's own format: text, token ids and loss mask")
  .argument(
    '<data...>',
    'files of conversations (.jsonl, .json, .csv, .parquet, also .gz): messages, ShareGPT, prompt and completion, Alpaca; a dataset on a hub (hf://datasets/ORG/NAME); or a config, for the prompts of a dataset with their answers',
  )
  .optionsGroup('Output:')
  .requiredOption('-o, --out <path>', 'a .jsonl or .parquet file, or with --rows-per-file a folder')
  .option('--models <name>', 'with a config: the model whose format to use, if it has several')
  .option('--datasets <name>', 'with a config: the dataset, if it has several')
  .addOption(new Option('--as <kind>', 'file type (default: by the extension of --out)').choices(['jsonl', 'parquet']))
  .addOption(
    new Option(
      '--for <trainer>',
      'write the columns of a trainer, or a tree in which the prompts of a chat share their beginnings',
    ).choices([...Object.keys(trainers), 'tree']),
  )
  .optionsGroup('What is trained:')
  .addOption(
    new Option('--train <what>', 'train on everything the model writes, including the end of its turn, or only on its words')
      .choices(['turn', 'content'])
      .default('turn'),
  )
  .addOption(new Option('--turns <which>', 'train on all turns of the model, or only on the last').choices(['all', 'last']).default('all'))
  .option('--no-reasoning', 'do not train on reasoning')
  .option('--no-calls', 'do not train on tool calls')
  .addOption(
    new Option(
      '--undecided <what>',
      'conversations in which the template rewrites a turn: skip them, do not train on that turn, or write a row for each prompt as the model would have seen it',
    )
      .choices(['drop', 'mask', 'rows'])
      .default('drop'),
  )
  .optionsGroup('Rows:')
  .option('--max-length <tokens>', 'maximum tokens per row', positiveInteger)
  .addOption(
    new Option('--overlong <what>', 'longer conversations: skip them, or cut them after a turn of the model')
      .choices(['drop', 'cut'])
      .default('drop'),
  )
  .option(
    '--pack <tokens>',
    'pack conversations into rows of at most this many tokens; the `documents` column says where each begins',
    positiveInteger,
  )
  .option('--rows-per-file <number>', 'write a folder of files with this many rows each, which can be resumed', positiveInteger)
  .option('--origins', 'also write the origin of each character', false)
  .option('--skip-bad-rows', 'skip and count rows without a conversation, or with one that the format cannot render', false)
  .option('--limit <rows>', 'read at most this many rows', positiveInteger)
  .option('-r, --resume', "continue after the folder's last complete file", false)
  .option('--json', 'print the manifest as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall export training chats.jsonl -o train.jsonl                                the built-in format and tokenizer
  rolecall export training chats.jsonl --chat-template ~/models/qwen3 -o train.parquet
  rolecall export training rollouts.jsonl --for verl --tokenizer ~/models/qwen3 -o rows.parquet   recorded ids, log-probabilities, rewards
  rolecall export training eval.yaml --datasets gsm8k -o train.jsonl                 a dataset's prompts with their answers
  rolecall export training 'data/*.jsonl' --chat-template ~/models/qwen3 --max-length 4096 --overlong cut --rows-per-file 50000 -o train/`,
  )
  .action(async (data: readonly string[], options: Options) => {
    collectEarly()
    refuseUnused(options)
    const memo = new RunMemo(maxMemoCharacters, 'repeated')
    const { config, format, tokenizer, tokenizerHash, rows, trainingRow, names } = await setUpExport(data, options, memo)
    const target = { path: options.out, kind: kindOf(options), rowsPerFile: options.rowsPerFile }
    refuseToOverwrite(target.path, manifestPath(target), options.resume)
    const policy = { train: options.train, turns: options.turns, reasoning: options.reasoning, calls: options.calls }
    const progress = progressLine()
    const stopping = new AbortController()
    // The first signal removes the partial file and exits; the second exits immediately.
    const stop = () => stopping.abort()
    for (const signal of stops) process.once(signal, stop)
    const manifest = await exportTraining({
      signal: stopping.signal,
      rows,
      ...(trainingRow && { trainingRow }),
      data: names,
      target,
      names: { format: format.name, formatHash: hashOf(JSON.stringify(config)), tokenizer: tokenizer.name, tokenizerHash },
      options: {
        format,
        tokenizer,
        policy,
        memo,
        undecided: options.undecided,
        maxLength: options.maxLength,
        overlong: options.overlong,
        pack: options.pack,
        origins: options.origins,
        trainer: options.for,
      },
      version: ownVersion(),
      isResumed: options.resume,
      onBadRow: options.skipBadRows ? 'skip' : 'error',
      limit: options.limit,
      onProgress: progress.show,
    }).finally(() => {
      progress.end()
      for (const signal of stops) process.removeListener(signal, stop)
    })
    const isEmpty = manifest.counts.written === 0
    const failure = isEmpty ? { code: 'no-rows', problem: 'no conversation was written', exit_code: exitCodes.failed.code } : undefined
    if (options.json) return printJson(manifest, failure)
    printReport(showExport(manifest, manifestPath(target)))
    setExitCode(failure)
  })

const stops = ['SIGINT', 'SIGTERM'] as const

/** Enough for what conversations share: system turns and few-shot examples. */
const maxMemoCharacters = 500_000

function kindOf({ out, as, rowsPerFile }: Options): RowFileKind {
  if (as !== undefined) return as
  if (out.endsWith('.parquet')) return 'parquet'
  if (out.endsWith('.jsonl') || rowsPerFile !== undefined) return 'jsonl'
  throw new PromptError('no-kind', {
    where: `--out ${out}`,
    problem: 'unknown file type',
    fix: 'use a name ending in .jsonl or .parquet, --as, or --rows-per-file for a folder',
  })
}

/** A trainer's columns have no place for these. */
function refuseUnused({ for: trainer, pack, origins }: Options): void {
  const flag = pack !== undefined ? '--pack' : origins ? '--origins' : undefined
  if (trainer === undefined || flag === undefined) return
  throw new PromptError('unused-option', {
    where: flag,
    problem: `rows for ${trainer} have no column for it`,
    fix: pack === undefined ? 'remove it, or --for' : 'remove it: the trainer packs rows itself',
  })
}

function refuseToOverwrite(path: string, manifest: string, isResumed: boolean): void {
  if (isResumed || !existsSync(manifest)) return
  throw new PromptError('export-there', {
    where: path,
    problem: `an export already exists (${manifest})`,
    fix: 'choose another path, delete it, or continue it with --resume',
  })
}

/** A progress line, if standard error is a terminal. */
function progressLine(): { show: (counts: ExportCounts) => void; end: () => void } {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => {}, end: () => {} }
  const started = Date.now()
  let last = started
  return {
    show({ conversations, written, tokens }) {
      const now = Date.now()
      if (now - last < 200) return
      last = now
      const rate = Math.round((conversations * 1000) / (now - started))
      const text = `${conversations.toLocaleString('en')} read  ${written.toLocaleString('en')} written  ${tokens.toLocaleString('en')} tokens  ${rate.toLocaleString('en')}/s`
      stderr.write(`\r\u001b[K${colors.dim(printable(text))}`)
    },
    end: () => void stderr.write('\r\u001b[K'),
  }
}

const barLength = 30

/** The summary of an export: counts, skipped conversations with reasons, and row lengths. */
function showExport({ counts, files, policy, format, tokenizer }: ExportManifest, manifest: string): string {
  const number = (value: number) => value.toLocaleString('en')
  const { leftOut, undecided, cut } = counts
  const read = counts.conversations + leftOut.unreadable
  // A chat that the template rewrites may give several rows.
  const isByPrompt = counts.written > read
  const share = counts.tokens === 0 ? 0 : (100 * counts.trainedTokens) / counts.tokens
  const reasons = [
    [leftOut.undecided, 'a turn is rewritten by the template'],
    [leftOut.tooLong, 'too long'],
    [leftOut.nothingTrained, 'nothing to train on'],
    [leftOut.unreadable, 'no conversation, or one that the format cannot render'],
  ] as const
  return [
    `${number(counts.written)} ${isByPrompt ? 'rows of' : 'of'} ${number(read)} conversations in ${format}, with ${printable(tokenizer)}`,
    `${number(counts.tokens)} tokens, ${number(counts.trainedTokens)} of them trained (${share.toFixed(1)} %): ${policy}`,
    ...reasons.filter(([count]) => count > 0).map(([count, why]) => colors.yellow(`${number(count)} skipped: ${why}`)),
    ...Object.entries(undecided.turns).map(([why, count]) => colors.yellow(`${number(count)} turns undecided: ${why}`)),
    ...(cut.conversations > 0 ? [colors.yellow(`${number(cut.conversations)} cut, by ${number(cut.messages)} messages`)] : []),
    ...Object.entries(counts.notes).map(([text, count]) => colors.yellow(`${number(count)} times: ${printable(text)}`)),
    ...histogram(counts.lengths),
    `${files.length === 1 ? printable(files[0]!) : `${files.length} files`}, ${printable(manifest)}`,
  ].join('\n')
}

function histogram(lengths: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(lengths)
    .map(([upTo, count]) => [Number(upTo), count] as const)
    .sort(([one], [other]) => one - other)
  const most = Math.max(1, ...entries.map(([, count]) => count))
  const width = String(entries.at(-1)?.[0] ?? '').length
  return entries.map(
    ([upTo, count]) =>
      `${colors.dim(`≤ ${String(upTo).padStart(width)} tokens`)} ${'█'.repeat(Math.max(1, Math.round((count / most) * barLength)))} ${count.toLocaleString('en')}`,
  )
}

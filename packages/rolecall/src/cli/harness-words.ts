import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Command } from 'commander'
import { readWholeText } from '../node/read-whole-file.ts'
import type { FlagWords, ForeignFlag } from './foreign-flag.ts'
import { openCompassFlags } from './open-compass-words.ts'

const unsent = {
  problem: 'results are not sent to other services',
  fix: 'leave it out: --output_path and --log_samples write the results to files, and --otel sends spans',
}

/** The flags of `lm_eval run`, version 0.4.13. */
export const harnessFlags: Readonly<Record<string, ForeignFlag>> = {
  config: { takes: 'one', short: '-C' },
  tasks: { takes: 'names', short: '-t' },
  model: { takes: 'one', short: '-M' },
  'model-args': { takes: 'pairs', short: '-a' },
  'apply-chat-template': { takes: 'optional' },
  limit: { takes: 'one', short: '-L' },
  'use-cache': { takes: 'one', short: '-c', ignored: 'answers are always cached between runs; --cache FOLDER says where' },
  'num-fewshot': { takes: 'one', short: '-f' },
  'batch-size': { takes: 'one', short: '-b' },
  'max-batch-size': { takes: 'one', ignored: 'each row is a separate request; --max-num-workers sets how many are sent at once' },
  device: { takes: 'one', ignored: 'the server decides where the model runs' },
  'gen-kwargs': { takes: 'pairs' },
  'output-path': { takes: 'one', short: '-o' },
  'log-samples': { takes: 'none', short: '-s' },
  samples: { takes: 'one', short: '-E' },
  'cache-requests': { takes: 'optional', ignored: 'prompts are built anew for each run' },
  'check-integrity': { takes: 'none', ignored: 'every task is checked before the first request; `rolecall import FOLDER` checks all' },
  'system-instruction': { takes: 'one' },
  'fewshot-as-multiturn': { takes: 'optional' },
  'include-path': { takes: 'one' },
  verbosity: { takes: 'one', short: '-v', ignored: 'there are no log levels' },
  'write-out': {
    takes: 'none',
    short: '-w',
    ignored: '`rolecall render` shows prompts with the same flags, and --prompts records all of them',
  },
  'show-config': { takes: 'none', ignored: 'the task configs are in the results file of --output_path' },
  'wandb-args': { takes: 'pairs', refused: unsent },
  'wandb-config-args': { takes: 'pairs', refused: unsent },
  'trackio-args': { takes: 'pairs', refused: unsent },
  'hf-hub-log-args': { takes: 'pairs', refused: unsent },
  'predict-only': {
    takes: 'none',
    short: '-x',
    refused: { problem: 'this is another flag here', fix: 'write --no-score; `rolecall score` computes the metrics later' },
  },
  seed: { takes: 'one' },
  'trust-remote-code': { takes: 'none', ignored: 'no code from a hub is executed' },
  'confirm-run-unsafe-code': { takes: 'none', ignored: 'code runs in a sandbox and needs no confirmation' },
  metadata: { takes: 'pairs' },
}

/** All flags of other harnesses. Where they share a name, that of lm_eval has the words of both. */
const foreignFlags: Readonly<Record<string, ForeignFlag>> = { ...openCompassFlags, ...harnessFlags }

const byShort = new Map(Object.entries(foreignFlags).flatMap(([name, { short }]) => (short === undefined ? [] : [[short, name] as const])))

/** The command line as this command reads it, and notes on flags that change nothing. */
type OwnWords = { words: string[]; notes: string[] }

/**
 * Translates a command line of lm_eval, OpenCompass or AISBench, which `run`, `render` and `view` accept: underscores in flags, their short
 * flags, several words after `--tasks`, `--datasets` and `--model_args`, config files of lm_eval.
 */
export async function withHarnessWords(args: readonly string[], command: Command): Promise<OwnWords> {
  const known = new Set(command.options.map(({ long }) => long))
  const takesTasks = known.has('--tasks')
  if (takesTasks) for (const name of Object.keys(foreignFlags)) known.add(`--${name}`)
  const given = args.map((word) => ownFlag(word, known))
  return takesTasks ? translated(given, command) : { words: given, notes: [] }
}

/** Flags may be written with underscores: `--num_fewshot`. */
function ownFlag(word: string, known: ReadonlySet<string | undefined>): string {
  const [, name, value = ''] = /^--(\w+)(=.*)?$/s.exec(word) ?? []
  const flag = `--${name?.replaceAll('_', '-').replace(/^-+/, '')}`
  return name?.includes('_') && known.has(flag) ? `${flag}${value}` : word
}

async function translated(args: readonly string[], command: Command): Promise<OwnWords> {
  const fromConfig: string[] = []
  const own = new Set(command.options.flatMap(({ long, short }) => [long, short]))
  const words: string[] = []
  const notes: string[] = []
  /** `--model_args a=1 --model_args b=2` are one setting. */
  const merged = new Map<string, string[]>()
  let rest = [...args]
  while (rest.length > 0) {
    const word = rest.shift()!
    if (word === '--') {
      words.push(word, ...rest)
      break
    }
    const found = harnessFlag(word, rest[0], own)
    if (found === undefined) {
      words.push(word)
      continue
    }
    const { name, flag, value } = found
    const values = value === undefined ? taken(flag.takes, rest, Object.hasOwn(harnessFlags, name) ? isOwnConfig : isConfigFile) : [value]
    const ownName = flag.is ?? name
    rest = value === undefined ? rest.slice(values.length) : rest
    if (name === 'config') {
      const set = await wordsOfConfig(values[0], command)
      fromConfig.push(...set.words)
      notes.push(...set.notes)
    } else if (flag.refused !== undefined) throw new PromptError('other-flag', { where: shown(name), ...flag.refused })
    else if (flag.ignored !== undefined) notes.push(`${shown(name)} changes nothing here: ${flag.ignored}`)
    else if (!own.has(`--${ownName}`)) notes.push(`${shown(name)} changes nothing here: \`rolecall ${command.name()}\` sends nothing`)
    else if (name === 'apply-chat-template') {
      refuseTemplateName(values)
      words.push(`--${name}`)
    } else if (values.length > 0 && (flag.takes === 'names' || flag.takes === 'pairs')) {
      if (!merged.has(name)) words.push(`--${name}`, '')
      merged.set(name, [...(merged.get(name) ?? []), ...values])
    } else if (flag.takes === 'words') words.push(...values.flatMap((text) => [`--${ownName}`, text]))
    else if (flag.takes === 'optional' && values.length === 0) words.push(`--${name}=true`)
    else words.push(`--${ownName}`, ...values)
  }
  for (const [name, values] of merged) words[words.indexOf(`--${name}`) + 1] = joined(values)
  // Flags replace what the config file sets.
  const place = words.indexOf(command.name()) + 1
  return { words: [...words.slice(0, place), ...fromConfig, ...words.slice(place)], notes }
}

/** The flag of another harness that a word is; ours take precedence. `-a` is OpenCompass's where an engine follows. */
function harnessFlag(
  word: string,
  next: string | undefined,
  own: ReadonlySet<string | undefined>,
): { name: string; flag: ForeignFlag; value: string | undefined } | undefined {
  const [, long, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
  // Our -w takes a folder.
  const isOwnShort = own.has(word) && !(word === '-w' && (next === undefined || isFlag(next)))
  const short = word === '-a' && /^(?:vllm|lmdeploy)$/.test(next ?? '') ? 'accelerator' : byShort.get(word)
  const name = long ?? (isOwnShort ? undefined : short)
  const flag = name !== undefined && Object.hasOwn(foreignFlags, name) ? foreignFlags[name] : undefined
  return flag && { name: name!, flag, value }
}

/** The words after a flag that belong to it. */
function taken(takes: FlagWords, rest: readonly string[], isConfig: (word: string) => boolean): string[] {
  if (takes === 'none') return []
  if (takes === 'one') return rest.slice(0, 1)
  const isEnd = (word: string) => isFlag(word) || isConfig(word) || (takes === 'pairs' && !/^[\w.-]+=|^\s*\{/.test(word))
  if (takes === 'optional') return rest.slice(0, 1).filter((word) => !isEnd(word))
  const end = rest.slice(1).findIndex(isEnd)
  return rest.slice(0, end === -1 ? undefined : end + 1)
}

function isFlag(word: string): boolean {
  return /^-[^\s\d]/.test(word)
}

/** Whether a word is the config that our commands take as an argument, which may follow a flag. */
function isOwnConfig(word: string): boolean {
  if (!existsSync(word)) return false
  const kind = extname(word)
  if (kind !== '.yaml' && kind !== '.yml') return kind !== '' || statSync(word).isDirectory()
  return !/^(?:task|group|include|dataset_path)\s*:/m.test(readWholeText(word))
}

/** Whether a word is a config file: folders and programs may also be what OpenCompass's flags name. */
function isConfigFile(word: string): boolean {
  return /\.(?:py|ya?ml|json|[cm]?[jt]s)$/.test(word) && existsSync(word)
}

/** Names and pairs are separated by commas. A setting given as JSON replaces nothing else. */
function joined(values: readonly string[]): string {
  const [only] = values
  return values.length === 1 ? only! : values.map((value) => value.replace(/^,+|,+$/g, '')).join(',')
}

function refuseTemplateName([name]: readonly string[]): void {
  if (name === undefined || /^true$/i.test(name)) return
  throw new PromptError('other-flag', {
    where: '--apply_chat_template',
    problem: `"${name}" would name one of several chat templates of a tokenizer`,
    fix: 'write --apply_chat_template alone, and choose the template with --chat-template PATH',
  })
}

/** The flags that a config file of lm_eval sets. */
async function wordsOfConfig(file: string | undefined, command: Command): Promise<OwnWords> {
  const { harnessConfigWords } = await import('../node/config/harness-config.ts')
  return withHarnessWords(harnessConfigWords(file), command)
}

/** A flag as its harness writes it. */
function shown(name: string): string {
  return `--${Object.hasOwn(harnessFlags, name) ? name.replaceAll('-', '_') : name}`
}

import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Command, Option } from 'commander'
import { isCollecting } from '../flag-values.ts'

/** Placeholders of flags whose value is a list, with commas between its parts. */
const listValues: ReadonlySet<string> = new Set(['names', 'numbers', 'settings', 'tokens'])

/** Other file names that are configs. */
const configEndings: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.ts', '.js', '.mjs', '.py'])

/**
 * Lists may be written `A,B`, as several words, or by repeating the flag; the config, which is the only argument of these commands, may follow:
 * `run --models a b eval.yaml` is read as `run --models a,b eval.yaml`.
 */
export function withListWords(args: readonly string[], command: Command): string[] {
  const [argument, ...others] = command.registeredArguments
  if (argument?.name() !== 'config' || others.length > 0) return [...args]
  const lists = new Set(command.options.filter(isList).flatMap(({ long, short }) => [long, short]))
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    words.push(word)
    if (word === '--') return [...words, ...args.slice(at + 1)]
    if (!lists.has(word)) continue
    const values: string[] = []
    while (at + 1 < args.length && (values.length === 0 || !endsList(args[at + 1] ?? ''))) values.push(args[++at] ?? '')
    words.push(values.join(','))
  }
  return words
}

function endsList(word: string): boolean {
  return /^-[^\s\d]/.test(word) || existsSync(word) || configEndings.has(extname(word))
}

function isList({ flags }: Pick<Option, 'flags'>): boolean {
  return listValues.has(/[<[]([\w-]+)[\]>]/.exec(flags)?.[1] ?? '')
}

/** How each flag reads its value, before it was guarded: commands are parsed several times in tests. */
const readers = new WeakMap<Option, Option['parseArg']>()

/** Flags that are given again: a list adds up, anything else that differs is a mistake. */
export function guardRepeats(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue
    if (!readers.has(option)) readers.set(option, option.parseArg)
    const read = readers.get(option)
    if (option.variadic || isCollecting(read)) continue
    let before: string | undefined
    const isAdded = isList(option)
    option.argParser<unknown>((text, previous) => {
      const value = before === undefined || before === text || !isAdded ? text : `${before},${text}`
      if (before !== undefined && !isAdded && before !== text) throw givenTwice(option, before, text)
      before = value
      return read ? read(value, previous) : value
    })
  }
  for (const part of command.commands) guardRepeats(part)
}

function givenTwice({ long, short }: Option, before: string, text: string): PromptError {
  const flag = long ?? short ?? ''
  return new PromptError('usage', {
    where: flag,
    problem: `it is given twice (${before} and ${text}), and holds one value`,
    fix: flag === '--seed' ? 'leave one out; for several answers to each row: --epochs 2' : 'leave one out',
  })
}

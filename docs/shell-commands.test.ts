import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commands } from '../packages/rolecall/src/cli/commands.ts'
import { ownCommandWords } from '../packages/rolecall/src/cli/words/command-words.ts'
import { blocksOf, readPages } from './page.ts'

// Commands in `sh` blocks and in the text are not run, because they need servers, models or a browser. Their names and flags are checked.

const homes = ['home.md', 'home.zh-CN.md'].map((name) => {
  const path = new URL(`../packages/site/${name}`, import.meta.url)
  return { name: `packages/site/${name}`, path, text: readFileSync(path, 'utf8') }
})

const loaded = new Map<string, Command>()
for (const { name, load } of commands) loaded.set(name, await load())

/** What is wrong with `rolecall WORDS`, if anything. */
function problemOf(words: string): string | undefined {
  const [name = '', ...rest] = ownWords(words.split(/\s+/))
  let command = loaded.get(name)
  if (command === undefined) return `there is no command "${name}"`
  const known = () => command!.options.flatMap(({ short, long }) => [short, long])
  const flags = ['-h', '--help', '--no-color', ...known()]
  for (const word of rest) {
    const inner: Command | undefined = command.commands.find((one) => one.name() === word)
    if (inner !== undefined) {
      command = inner
      flags.push(...known())
    }
    // Flags may be written with underscores.
    const flag = /^--?[a-z][\w-]*/.exec(word)?.[0]?.replaceAll('_', '-')
    if (flag !== undefined && !flags.includes(flag)) return `"rolecall ${name}" has no flag ${flag}`
  }
  return undefined
}

/** The words with which a command is loaded: `runs merge` is `merge`. A word that there is not is returned as it is. */
function ownWords(words: string[]): string[] {
  try {
    return ownCommandWords(words).args
  } catch {
    return words
  }
}

/** The commands of a page, without what stands before `rolecall` and behind a pipe. */
function commandsOf(text: string): string[] {
  const lines = blocksOf({ text })
    .filter(({ language }) => ['sh', 'bash'].includes(language))
    .flatMap(({ code }) => code.replace(/\\\n/g, ' ').split('\n'))
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  return [...lines, ...inline].flatMap((line) => {
    const words = /^(?:[A-Z_]+=(?:"[^"]*"|\S+) |srun |npx |node_modules\/\.bin\/|\.\/)*rolecall ([a-z][^|#&>;]*)/.exec(line)?.[1]?.trim()
    return words === undefined ? [] : [words]
  })
}

for (const { name, text } of [...readPages(), ...homes]) {
  test(`commands on ${name} exist, with these flags`, () => {
    expect(commandsOf(text).flatMap((words) => (problemOf(words) === undefined ? [] : [`rolecall ${words}: ${problemOf(words)}`]))).toEqual(
      [],
    )
  })
}

test('finds a command and a flag that do not exist', () => {
  const text =
    '```sh\nKEY="a b" npx rolecall serve --modle x\nls\n```\n\n`rolecall rnder`, `rolecall run -r`, `rolecall runs queue status --json`\n'
  expect(commandsOf(text).map(problemOf)).toEqual([
    '"rolecall serve" has no flag --modle',
    'there is no command "rnder"',
    undefined,
    undefined,
  ])
})

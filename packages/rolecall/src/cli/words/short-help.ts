import type { Command, Option } from 'commander'
import { joinWhole, padEnd, widthOf, wrap } from '../screen/fit-text.ts'
import { shownCommand } from './command-words.ts'

/** A page of help fits a terminal of this many lines, with the prompt below it. */
const mostLines = 24
const widestHelp = 100

/** The flags that most people need, by command: those not listed here show theirs in order. */
const mainFlags: Readonly<Record<string, readonly string[]>> = {
  run: [
    '--models',
    '--datasets',
    '--formats',
    '--base-url',
    '--preset',
    '--tasks',
    '--limit',
    '--max-out-len',
    '--max-cost',
    '--dry-run',
    '--work-dir',
    '--reuse',
    '--fail-under',
    '--json',
  ],
  render: ['--models', '--datasets', '--rows', '--chat-template', '--format', '--tasks', '--preset', '--text', '--tokens', '--json'],
  tokens: ['--models', '--datasets', '--rows', '--chat-template', '--format', '--tasks', '--preset', '--json'],
}

/**
 * The help of a command on one screen: what it does, the flags that most people need, two examples, and where the rest is.
 * `full`: its whole help, whose examples are shown; `parent`: the command that it is an action of.
 */
export function shortHelp(command: Command, full: string, columns: number, parent?: Command): string {
  const width = Math.min(columns, widestHelp)
  const name = parent ? `rolecall ${parent.name()} ${command.name()}` : `rolecall ${shownCommand(command.name())}`
  const usage = [name, ...command.registeredArguments.map((one) => argumentText(one.name(), one.required, one.variadic)), '[options]']
  const head = [...joinWhole(usage, ' ', width), ...wrap(`${capital(command.description())}.`, width)]
  const visible = command.options.filter(({ hidden }) => !hidden)
  const examples = examplesIn(full, width)
  const rest = joinWhole(
    [
      `all ${visible.length} flags${command.registeredArguments.length > 0 ? ', the arguments' : ''} and more examples:`,
      `${name} --help all`,
    ],
    ' ',
    width,
  )
  const tail = [...(examples.length > 0 ? ['', ...examples] : []), '', ...rest]
  const room = mostLines - head.length - 1 - tail.length
  const parts = command.commands.map((part) => [part.name(), part.description()] as const)
  const flags = chosenFlags(command.name(), visible, room - parts.length).map((option) => [flagText(option), option.description] as const)
  return [...head, '', ...described([...parts, ...flags].slice(0, room), width), ...tail].join('\n')
}

function argumentText(name: string, isRequired: boolean, isVariadic: boolean): string {
  const text = `${name.toUpperCase()}${isVariadic ? '…' : ''}`
  return isRequired ? text : `[${text}]`
}

function chosenFlags(name: string, visible: readonly Option[], room: number): Option[] {
  const wanted = mainFlags[name]
  const chosen = wanted ? wanted.flatMap((flag) => visible.find(({ long }) => long === flag) ?? []) : visible
  return chosen.slice(0, Math.max(0, room))
}

/** `-o, --out PATH`. */
function flagText({ flags }: Option): string {
  return flags
    .replace(/<([^>]+)>/, (_, value: string) => value.toUpperCase())
    .replace(/\[([^\]]+)\]/, (_, value: string) => `[${value.toUpperCase()}]`)
}

/** Names and what they do, a line for each: as much of the first sentence as fits. */
function described(lines: readonly (readonly [name: string, does: string])[], width: number): string[] {
  const indent = 2
  const widest = Math.min(30, Math.max(0, ...lines.map(([name]) => widthOf(name))))
  return lines.map(([name, does]) => {
    const shown = firstClause(does, width - indent - Math.max(widest, widthOf(name)) - 2)
    return `${' '.repeat(indent)}${padEnd(name, widest)}  ${shown}`.trimEnd()
  })
}

/** The text, or its first clauses, or its first words: never half a word. */
function firstClause(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const clauses = text.split(/(?<=[^,;:(])(?=[,;:] | \()/)
  let shown = ''
  for (const clause of clauses) {
    if (widthOf(shown + clause) > width) break
    shown += clause
  }
  return shown === '' ? `${wrap(text, Math.max(8, width - 1))[0]}…` : shown
}

const mostExamples = 2

/** `try  rolecall run --limit 20`: the first examples that fit, with what they show where there is room. */
function examplesIn(full: string, width: number): string[] {
  const [, block = ''] = /\nExamples:\n((?: {2}.*\n?)+)/.exec(full) ?? []
  const label = 'try  '
  const room = width - label.length
  const lines = block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (widthOf(line) <= room ? line : (/^(.*?\S) {2,}/.exec(line)?.[1] ?? line)))
    .filter((line) => widthOf(line) <= room)
    .slice(0, mostExamples)
  return lines.map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}`)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

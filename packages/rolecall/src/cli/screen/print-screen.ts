import { messageWidth, screenWidth } from '../terminal.ts'
import type { NextStep, ScreenBlock } from './blocks.ts'
import { wrapReport } from './fit-text.ts'
import { layOut, layOutNext } from './lay-out.ts'

/** Prints what a command was asked for. */
export function printScreen(blocks: readonly ScreenBlock[], output: NodeJS.WritableStream = process.stdout): void {
  const text = layOut(blocks, screenWidth())
  if (text !== '') output.write(`${text}\n`)
}

/** Prints the commands to continue with to standard error, so that they are not part of what is piped on. */
export function printNext(steps: readonly NextStep[], output: NodeJS.WritableStream = process.stderr): void {
  if (steps.length > 0) output.write(`\n${layOutNext(steps, screenWidth())}\n`)
}

/** Prints a report that is text already. In a pipe or a log its lines stay whole, as those of messages. */
export function printReport(text: string, output: NodeJS.WritableStream = process.stdout): void {
  if (text !== '') output.write(`${wrapReport(text.trimEnd(), messageWidth())}\n`)
}

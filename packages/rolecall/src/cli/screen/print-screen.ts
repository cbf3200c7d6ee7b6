import { screenWidth } from '../terminal.ts'
import type { NextStep, ScreenBlock } from './blocks.ts'
import { layOut, layOutNext } from './lay-out.ts'

/** Prints what a command was asked for. */
export function printScreen(blocks: readonly ScreenBlock[], output: NodeJS.WritableStream = process.stdout): void {
  const text = layOut(blocks, screenWidth())
  if (text !== '') output.write(`${text}\n`)
}

/** Prints the commands to continue with to standard error, so that they are not part of what is piped on. */
export function printNext(steps: readonly NextStep[]): void {
  if (steps.length > 0) process.stderr.write(`\n${layOutNext(steps, screenWidth())}\n`)
}

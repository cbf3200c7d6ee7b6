#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { PromptError } from '../prompt-error.ts'
import { chatCommand } from './chat/chat-command.ts'
import { compareCommand } from './compare/compare-command.ts'
import { formatsCommand } from './formats-command.ts'
import { importCommand } from './import/import-command.ts'
import { initCommand } from './init/init-command.ts'
import { mergeCommand } from './merge-command.ts'
import { renderCommand } from './render/render-command.ts'
import { runCommand } from './run/run-command.ts'
import { scoreCommand } from './score-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { colors, printable } from './terminal.ts'
import { tokensCommand } from './tokens/tokens-command.ts'
import { viewCommand } from './view/view-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

const program = new Command('rolecall')
  .description('The exact prompt, for every model.')
  .version(version)
  .option('--no-color', 'print without colours')
  // Wrong flags are a user's mistake like any other: exit code 2.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .showHelpAfterError('(--help shows what there is)')

for (const command of [
  runCommand,
  compareCommand,
  scoreCommand,
  mergeCommand,
  renderCommand,
  viewCommand,
  chatCommand,
  serveCommand,
  tokensCommand,
  initCommand,
  importCommand,
  formatsCommand,
])
  program.addCommand(command.copyInheritedSettings(program))

// `rolecall render | head` closes the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = error instanceof PromptError ? 2 : 1
}

/** A user's mistake: place, problem and fix. Anything else is ours or the machine's; `DEBUG=1` shows where it happened. */
function explain(error: unknown): string {
  if (error instanceof PromptError) {
    const [where, problem, fix] = [error.where, error.problem, error.fix].map(printable)
    return `${colors.red('error')} ${where}\n  ${problem}\n  ${colors.dim('→')} ${fix}`
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return `${colors.red('failed')} ${process.env.DEBUG ? stack : message}`
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isFormatName } from '@rolecall/core/internal/format'
import { z } from 'zod'
import { packageFile } from '../../node/own-files.ts'
import { type McpTool, mcpTool } from './agent-tool-of-cli.ts'
import { placeBelow } from './place-below.ts'

const seconds = 60
const mostBytes = 1_000_000

const template = z
  .string()
  .describe('The name of a built-in format, or a chat template, a model folder or a GGUF file below the working folder.')
const run = z.string().describe('The folder of a run below the working folder.')

/** The tools that are commands: each runs in a process of its own, which ends in time. */
export const commandTools: readonly McpTool[] = [
  mcpTool({
    name: 'lint',
    description: 'What a chat template drops, alters or gets wrong, with examples.',
    input: z.strictObject({ template }),
    call: ({ template: place }, { folder, signal }) => command(['lint', formatAt(place, folder)], folder, signal),
  }),
  mcpTool({
    name: 'diff',
    description: 'How the prompts of two formats or chat templates differ, by cause.',
    input: z.strictObject({ first: template, second: template }),
    call: ({ first, second }, { folder, signal }) => command(['diff', formatAt(first, folder), formatAt(second, folder)], folder, signal),
  }),
  mcpTool({
    name: 'why',
    description: 'Why the scores of two runs differ, cause by cause.',
    input: z.strictObject({ first: run, second: run }),
    call: ({ first, second }, { folder, signal }) =>
      command(['why', placeBelow(first, folder, 'first'), placeBelow(second, folder, 'second')], folder, signal),
  }),
]

function formatAt(place: string, folder: string): string {
  return isFormatName(place) ? place : placeBelow(place, folder, 'template')
}

/** Runs a command with `--json`: without this process's environment, and without a network. */
function command(words: readonly string[], folder: string, signal: AbortSignal): Promise<unknown> {
  const main = fileURLToPath(packageFile('dist/js/cli/main.js'))
  const { PATH, SystemRoot } = process.env
  const env = { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), NO_COLOR: '1', HF_HUB_OFFLINE: '1', ROLECALL_CACHE: 'off' }
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [main, ...words, '--json'],
      { cwd: folder, env, signal, timeout: seconds * 1000, maxBuffer: mostBytes },
      (error, stdout, stderr) => {
        // Findings and differences have exit codes of their own.
        if (stdout.trim() !== '' && !error?.killed) resolve(parsed(stdout))
        else
          reject(
            new Error(
              error?.killed
                ? `it took longer than ${seconds} s, or printed more than ${mostBytes / 1e6} MB`
                : stderr.trim() || 'it printed nothing',
            ),
          )
      },
    )
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

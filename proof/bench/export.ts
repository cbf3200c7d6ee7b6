import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vocabularyFile } from '../testing/on-demand.ts'
import { talk } from './sentences.ts'
import { sized } from './sizes.ts'

export type ExportMeasurement = { conversations: number; perSecond: number; peakMegabytes: number }

const command = fileURLToPath(new URL('../../../packages/rolecall/dist/js/cli/main.js', import.meta.url))

/** Prints the peak memory of a process when it exits. */
const tell = 'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))'

/**
 * Exports conversations of ten turns as training rows with Llama 3's tokenizer through the CLI, and measures memory. It does not
 * grow with their number; `ROLECALL_EXPORT_ROWS=100000` verifies that.
 */
export function measureExport(): ExportMeasurement {
  const tokenizer = vocabularyFile('llama3', 'tokenizer.json')!
  const conversations = Number(process.env.ROLECALL_EXPORT_ROWS ?? sized(3000, 2))
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-'))
  try {
    const file = openSync(join(folder, 'chats.jsonl'), 'w')
    for (let seed = 0; seed < conversations; seed++) writeSync(file, `${JSON.stringify({ messages: talk(seed, 10) })}\n`)
    const started = performance.now()
    const flags = ['export', 'chats.jsonl', '--chat-template', dirname(tokenizer), '-o', 'train.jsonl']
    const { stderr, status } = spawnSync(process.execPath, ['--import', tell, command, ...flags], { cwd: folder, encoding: 'utf8' })
    const peak = /peak (\d+)/.exec(stderr)?.[1]
    if (status !== 0 || peak === undefined) throw new Error(`the export failed: ${stderr}`)
    const seconds = (performance.now() - started) / 1000
    return { conversations, perSecond: Math.round(conversations / seconds), peakMegabytes: Math.round(Number(peak) / 1024) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

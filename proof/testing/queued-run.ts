import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderWith } from './folder-with.ts'
import { main } from './rolecall.ts'
import { type ScriptedServer, scriptedServer } from './scripted-server.ts'

/** A running command, and its output so far. */
export type Process = { child: ChildProcess; said: () => string; ended: Promise<number | null> }

/** Starts a command as a separate process. */
export function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}, program = main): Process {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return { child, said: () => said, ended }
}

export type AddingServer = ScriptedServer & {
  /** Sum → number of requests. */
  asked: Map<string, number>
  /** Leaves all requests after this many open until `release`: what must not be over before a test looks is not. */
  holdAfter(requests: number): void
  release(): void
}

/** A model server that adds numbers, with a delay, and counts requests per row. */
export async function addingServer(milliseconds: number, onAsked: (sum: string) => void = () => {}): Promise<AddingServer> {
  const asked = new Map<string, number>()
  const held: (() => void)[] = []
  let count = 0
  let most = Number.POSITIVE_INFINITY
  const server = await scriptedServer(({ body }) => (response) => {
    const [sum = '', first, second] = /(\d+)\+(\d+)/.exec(body) ?? []
    asked.set(sum, (asked.get(sum) ?? 0) + 1)
    onAsked(sum)
    const text = String(Number(first) + Number(second))
    const answer = () => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: 1 },
        }),
      )
    }
    if (++count > most) held.push(answer)
    else setTimeout(answer, milliseconds)
  })
  return {
    ...server,
    asked,
    holdAfter(requests) {
      most = requests
    },
    release() {
      most = Number.POSITIVE_INFINITY
      for (const answer of held.splice(0)) answer()
    },
  }
}

/** A folder with a config of `count` sums. */
export function sumsFolder(url: string, rows: number, model: object = {}): string {
  const config = {
    models: [{ abbr: 'adder', type: 'openai', path: 'adder', base_url: url, format: 'messages', concurrency: 4, ...model }],
    datasets: [
      {
        abbr: 'sums',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      },
    ],
  }
  const lines = Array.from({ length: rows }, (_, id) => JSON.stringify({ question: `${id}+1=?`, answer: `${id + 1}` }))
  return folderWith({ 'eval.json': JSON.stringify(config), 'rows.jsonl': `${lines.join('\n')}\n` })
}

/** The records of the only run below a folder, without times. */
export function recordsOf(folder: string): string {
  const [run = ''] = readdirSync(folder)
  const text = readFileSync(join(folder, run, 'predictions/adder/sums.jsonl'), 'utf8')
  return text.replace(/"milliseconds":\d+/g, '"milliseconds":0')
}

/** Waits for a condition. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, seconds = 300): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await isSo()); await sleep(20)) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PromptError } from '@rolecall/core/internal/errors'
import { type EngineName, engineCommand, engineNames, enginePort } from '../../compat/opencompass/import/local-model-server.ts'
import { engineGuard } from './engine-guard.ts'

/** An engine that serves a model: its address, and what the run records about it. */
export type LaunchedEngine = { url: string; command: string[]; version: string | undefined; stop: () => Promise<void> }

/** A model as its config has it. */
type Model = Readonly<Record<string, unknown>>

export type LaunchOptions = {
  /** vllm, sglang, lmdeploy, llama-server, or a command with {path} and {port}. */
  engine: string
  /** Seconds until it must answer. */
  seconds: number
  /** Called with every line that it prints before it answers. */
  line?: (text: string) => void
  signal?: AbortSignal | undefined
}

/** Lines of an engine that an error shows. */
const lastLines = 20

/** Starts the engine of a model and waits until it answers. It is stopped with everything it started, also when this process is killed. */
export async function launchEngine(model: Model, { engine, seconds, line, signal }: LaunchOptions): Promise<LaunchedEngine> {
  const name = engineNames.find((known) => known === engine)
  const port = await freePort(name === undefined ? 0 : enginePort(name))
  const command = name === undefined ? ownCommand(engine, String(model.path), port) : engineCommand(name, model, port)
  const child = spawn(process.execPath, ['-e', engineGuard, JSON.stringify(command)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      for (const part of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
        printed.push(part.replace(/\p{Cc}/gu, ' ').slice(0, 500))
        if (printed.length > lastLines) printed.shift()
        line?.(printed.at(-1) ?? '')
      }
    })
  child.stdin.on('error', () => undefined)
  child.on('error', () => undefined)
  const url = `http://127.0.0.1:${port}/v1`
  const shown = command.join(' ')
  const stop = () => ended(child)
  const fail = async (problem: string, fix: string) => {
    await stop()
    const last = printed.length === 0 ? 'it printed nothing' : `it printed: ${printed.slice(-3).join(' / ')}`
    return new PromptError('engine', {
      where: `--launch ${engine} › ${String(model.abbr ?? model.path)}`,
      problem: `${problem} (${shown}); ${last}`,
      fix,
    })
  }
  const deadline = Date.now() + seconds * 1000
  while (!(await answers(url))) {
    if (signal?.aborted) throw await fail('the run was stopped while the engine started', 'start it again')
    if (child.exitCode !== null || child.signalCode !== null)
      throw await fail(
        `the engine ended with exit code ${child.exitCode}`,
        'try the command in a terminal; --launch "COMMAND {path} {port}" starts another',
      )
    if (Date.now() > deadline)
      throw await fail(`the engine did not answer at ${url}/models within ${seconds} s`, 'allow more with --launch-time')
    await sleep(300)
  }
  return { url, command, version: await versionOf(name, url), stop }
}

/** A command in the user's words, without a shell: quotes keep spaces. */
function ownCommand(text: string, path: string, port: number): string[] {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')
  if (words.length > 1 && words.some((word) => word.includes('{port}')))
    return words.map((word) => word.replaceAll('{path}', path).replaceAll('{port}', String(port)))
  throw new PromptError('engine', {
    where: '--launch',
    problem: `"${text}" is neither an engine (${engineNames.join(', ')}) nor a command with {port}`,
    fix: 'for example --launch "my-server --model {path} --port {port}"',
  })
}

/** The wanted port if nothing listens there, else any: another engine may be running. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  server.listen(wanted, '127.0.0.1')
  const [error] = (await Promise.race([once(server, 'listening'), once(server, 'error')])) as [Error?]
  if (error !== undefined) return freePort(0)
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : wanted
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(`${url}/models`, { signal: AbortSignal.timeout(5000) })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}

/** What the engine says its version is: at its address, else its program. */
async function versionOf(name: EngineName | undefined, url: string): Promise<string | undefined> {
  try {
    const { ok, text } = await fetch(url.replace(/v1$/, 'version'), { signal: AbortSignal.timeout(3000) }).then(async (reply) => ({
      ok: reply.ok,
      text: (await reply.text()).slice(0, 200),
    }))
    const version = ok ? (JSON.parse(text) as { version?: unknown }).version : undefined
    if (typeof version === 'string') return version
  } catch {
    // It has no such address.
  }
  if (name === undefined || name === 'sglang') return undefined
  try {
    const { stdout, stderr } = await promisify(execFile)(name, ['--version'], { timeout: 60_000 })
    return `${stdout}${stderr}`.trim().split('\n')[0]?.slice(0, 100)
  } catch {
    return undefined
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdin?.end()
  if (child.exitCode !== null || child.signalCode !== null) return
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await once(child, 'exit')
  clearTimeout(late)
}

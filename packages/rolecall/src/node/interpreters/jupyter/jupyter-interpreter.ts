import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from '../../../model/agent/interpreter.ts'
import { type JupyterKernel, type JupyterMessage, loadJupyterServices } from './jupyter-services.ts'
import { readOutput, type SaveOutput } from './read-output.ts'

/** The address of a Jupyter server, and how its kernels are used. */
export type JupyterOptions = {
  /** The server: `http://127.0.0.1:8888`, with `?token=…` or without. */
  url: string
  token?: string
  /** The kernel; `python3` by default. */
  kernel?: string
  /** The folder for images and pages; `outputs/chat` by default. */
  folder?: string
  /** Milliseconds after which code is interrupted; its state is kept. 60,000 by default. */
  softLimit?: number
  /** Milliseconds after the interrupt until the kernel is restarted; 5,000 by default. */
  grace?: number
  /** Characters that one piece of code may print; 50,000 by default. */
  maxOutput?: number
}

const defaults = { kernel: 'python3', folder: join('outputs', 'chat'), softLimit: 60_000, grace: 5_000, maxOutput: 50_000 }

/**
 * Python in a Jupyter server, for code that needs pandas and plots. **It is not a sandbox**: code can do whatever that server can.
 * Needs the optional package `@jupyterlab/services`.
 */
export function jupyterInterpreter(options: JupyterOptions): Interpreter {
  const settings = { ...defaults, ...options }
  const { baseUrl, token } = readUrl(options)
  const save = saver(settings.folder)
  let kernel: Promise<{ kernel: JupyterKernel; close(): Promise<void> }> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function connect() {
    const { KernelManager, ServerConnection } = await loadJupyterServices()
    await checkServer(baseUrl, token)
    const serverSettings = ServerConnection.makeSettings({ baseUrl, wsUrl: baseUrl.replace(/^http/, 'ws'), token, appendToken: true })
    const manager = new KernelManager({ serverSettings })
    const started = await manager.startNew({ name: settings.kernel })
    await started.info
    return {
      kernel: started,
      async close() {
        await started.shutdown().catch(() => undefined)
        started.dispose()
        manager.dispose()
      },
    }
  }

  function connected() {
    kernel ??= connect()
    kernel.catch(() => {
      kernel = undefined
    })
    return kernel
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }

  /** Runs code that is not part of the chat and returns its output. */
  async function behindTheScenes(code: string): Promise<string> {
    const { kernel: running } = await connected()
    let printed = ''
    let failed: string | undefined
    const future = running.requestExecute({ code, store_history: false, allow_stdin: false })
    future.onIOPub = ({ header, content }) => {
      if (header.msg_type === 'stream' && content.name === 'stdout') printed += String(content.text)
      if (header.msg_type === 'error') failed = `${String(content.ename)}: ${String(content.evalue)}`
    }
    await future.done
    if (failed !== undefined) throw new Error(failed)
    return printed
  }

  async function run(code: string, { signal, onOutput }: CodeOptions = {}): Promise<CodeResult> {
    const { kernel: running } = await connected()
    const outputs: CodeOutput[] = []
    const plots: string[] = []
    let left = settings.maxOutput
    let cut = 0
    const add = (output: CodeOutput) => {
      outputs.push(output)
      onOutput?.(output)
    }
    const take = (message: JupyterMessage) => {
      const output = readOutput(message, save)
      if (output?.kind === 'plotly') plots.push(output.json)
      else if (output?.kind === 'text' || output?.kind === 'value') {
        const text = output.text.slice(0, Math.max(0, left))
        cut += output.text.length - text.length
        left -= text.length
        if (text !== '') add({ ...output, text })
      } else if (output) add(output)
    }
    let why: string | undefined
    let isRestarted = false
    const timers: ReturnType<typeof setTimeout>[] = []
    const stop = (reason: string) => {
      why ??= reason
      running.interrupt().catch(() => undefined)
      timers.push(
        setTimeout(() => {
          isRestarted = true
          running.restart().catch(() => undefined)
        }, settings.grace),
      )
    }
    timers.push(setTimeout(() => stop(`interrupted after ${settings.softLimit / 1000} s`), settings.softLimit))
    const abort = () => stop('stopped by the user')
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    try {
      const future = running.requestExecute({ code, allow_stdin: false })
      future.onIOPub = take
      // A restarted kernel drops pending requests.
      await future.done.catch(() => undefined)
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    if (isRestarted) await running.info
    for (const json of plots) add(await plotlyPage(json))
    if (cut > 0) add({ kind: 'note', text: `the output was too long: ${cut} characters were left out` })
    if (why !== undefined)
      add({ kind: 'note', text: `${why}; variables are ${isRestarted ? 'gone: the kernel was started anew' : 'kept'}` })
    const ok = why === undefined && !outputs.some(({ kind }) => kind === 'error')
    return { ok, outputs, ...(isRestarted ? { restarted: true as const } : {}) }
  }

  /** The bytes of a Python expression, in parts: servers drop output beyond a megabyte per second. */
  async function fetchBytes(expression: string): Promise<Uint8Array> {
    const size = Number(await behindTheScenes(`_rolecall = ${expression}\nprint(len(_rolecall))`))
    const parts: Buffer[] = []
    for (let at = 0; at < size; at += fetchChunk) {
      if (at > 0) await new Promise((resolve) => setTimeout(resolve, fetchPause))
      const part = await behindTheScenes(`print(__import__("base64").b64encode(_rolecall[${at}:${at + fetchChunk}]).decode())`)
      parts.push(Buffer.from(part.trim(), 'base64'))
    }
    await behindTheScenes('del _rolecall')
    return new Uint8Array(Buffer.concat(parts))
  }

  /** Saves a plot as a page, rendered by the kernel's plotly; plotly.js is saved beside the pages, so that they need no network. */
  async function plotlyPage(json: string): Promise<CodeOutput> {
    const figure = `__import__("plotly.io").io.from_json(__import__("base64").b64decode("${Buffer.from(json).toString('base64')}").decode(), skip_invalid=True)`
    try {
      const program = join(settings.folder, 'plotly.min.js')
      if (!existsSync(program)) {
        const bytes = await fetchBytes('__import__("plotly.offline").offline.get_plotlyjs().encode()')
        mkdirSync(settings.folder, { recursive: true })
        writeFileSync(program, bytes)
      }
      const page = await fetchBytes(`__import__("plotly.io").io.to_html(${figure}, include_plotlyjs="directory").encode()`)
      return { kind: 'html', html: new TextDecoder().decode(page), path: save(page, 'html') }
    } catch (error) {
      return { kind: 'note', text: `the plot could not be saved: ${error instanceof Error ? error.message : String(error)}` }
    }
  }

  return {
    name: `Jupyter at ${new URL(baseUrl).host}`,
    isSandbox: false,
    start: () => inTurn(async () => void (await connected())),
    run: (code, given) => inTurn(() => run(code, given)),
    addFile: (path, data) =>
      inTurn(async () => {
        for (let at = 0; at === 0 || at < data.length; at += chunk) {
          const part = Buffer.from(data.subarray(at, at + chunk)).toString('base64')
          await behindTheScenes(`with open(${pythonText(path)}, "${at === 0 ? 'wb' : 'ab'}") as _file:
    _file.write(__import__("base64").b64decode("${part}"))
del _file`)
        }
      }),
    listFiles: () =>
      inTurn(async () => {
        const listed = await behindTheScenes(
          'print(__import__("json").dumps([{"path": e.name, "size": e.stat().st_size} for e in __import__("os").scandir() if e.is_file()]))',
        )
        return JSON.parse(listed) as CodeFile[]
      }),
    readFile: (path) => inTurn(() => fetchBytes(`open(${pythonText(path)}, "rb").read()`)),
    restart: () =>
      inTurn(async () => {
        const { kernel: running } = await connected()
        await running.restart()
        await running.info
      }),
    async close() {
      await (await kernel?.catch(() => undefined))?.close()
      kernel = undefined
    },
  }
}

/** Checks that the server responds and accepts the token, because the package would retry for a long time. */
async function checkServer(baseUrl: string, token: string): Promise<void> {
  const failed = (problem: string) =>
    new PromptError('no-jupyter', {
      where: baseUrl,
      problem,
      fix: 'check the URL and the token; start one with `python3 -m jupyter_server`',
    })
  const headers = { authorization: `token ${token}` }
  const response = await fetch(new URL('api/kernelspecs', baseUrl), { headers, signal: AbortSignal.timeout(10_000) }).catch(
    (error: unknown) => {
      throw failed(`no Jupyter server answers (${error instanceof Error ? error.message : String(error)})`)
    },
  )
  await response.body?.cancel()
  if (!response.ok) throw failed(`the Jupyter server refuses (${response.status} ${response.statusText})`)
}

/** Bytes of a file per request. */
const chunk = 1024 * 1024
const fetchChunk = 384 * 1024
const fetchPause = 600

function readUrl({ url, token }: JupyterOptions): { baseUrl: string; token: string } {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new PromptError('bad-url', {
      where: '--jupyter',
      problem: `"${url}" is not an address`,
      fix: 'write http://127.0.0.1:8888/?token=…',
    })
  const { origin, pathname, searchParams } = new URL(url)
  return { baseUrl: `${origin}${pathname.replace(/\/(lab|tree)?\/?$/, '/')}`, token: token ?? searchParams.get('token') ?? '' }
}

/** A Python string literal: every JSON string is one. */
function pythonText(text: string): string {
  return JSON.stringify(text)
}

/** Numbers the files of a folder and never overwrites one. */
function saver(folder: string): SaveOutput {
  let number = 1
  return (data, ending) => {
    mkdirSync(folder, { recursive: true })
    while (true) {
      const path = join(folder, `${ending === 'html' ? 'page' : 'image'}-${number++}.${ending}`)
      try {
        writeFileSync(path, data, { flag: 'wx' })
        const near = relative(process.cwd(), path)
        return near.startsWith('..') ? path : near
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  }
}

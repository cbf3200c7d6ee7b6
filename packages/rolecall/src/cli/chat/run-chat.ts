import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { PromptError } from '@rolecall/core/internal/errors'
import type { AgentTool } from '../../model/agent/agent-tool.ts'
import { Watchdog } from '../../node/watchdog/watchdog.ts'
import { exitNow } from '../exit-codes.ts'
import { colors, printable } from '../terminal.ts'
import { ChatSession } from './chat-session.ts'
import { EventWriter, eventJson } from './show-event.ts'
import { runSlash } from './slash-commands.ts'

export type RunChatOptions = {
  showPrompt: boolean
  /** Print token counts after each answer. */
  stats?: boolean
  json: boolean
  /** The seed if replies are sampled. */
  usedSeed?: number | 'chosen by the server' | undefined
}

/** Runs the chat: reads messages from a terminal or a pipe until the end of input, and prints events. */
export async function runChat(given: ChatSession, message: string | undefined, options: RunChatOptions): Promise<void> {
  const { stdin, stdout } = process
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true && !options.json
  const write = (text: string) => void stdout.write(text)
  let answering: AbortController | undefined
  let interrupts = 0
  let source: LineSource | undefined
  const interrupt = () => {
    interrupts++
    if (answering && !answering.signal.aborted) answering.abort()
    else if (!isTerminal) exitNow('stopped')
    else if (interrupts > 1 && !answering) source?.close()
    else if (!answering) write(colors.dim('\n(press Ctrl-C again or Ctrl-D to exit)\n'))
  }
  const watchdog = new Watchdog()
  watchdog.hear(interrupt, ['SIGINT'])
  const lines = () => {
    source ??= new LineSource(stdin, isTerminal ? stdout : undefined, interrupt)
    return source
  }
  const session = withTypedResults(given, { json: options.json, write, lines, isTerminal })

  const say = async (text: string): Promise<void> => {
    answering = new AbortController()
    const writer = new EventWriter(write, { ...options, tokenizer: session.options.opened.model.tokenizer })
    try {
      for await (const event of session.ask(text, answering.signal)) {
        if (options.json) {
          const line = eventJson(event, options)
          if (line !== undefined) write(`${line}\n`)
        } else writer.show(event)
        if (event.type === 'done' && options.stats) process.stderr.write(`${colors.dim(tokenStats(event.result.tokens))}\n`)
      }
    } finally {
      answering = undefined
      interrupts = 0
      watchdog.forget()
    }
  }
  const take = async (line: string): Promise<void> => {
    const text = options.json ? readJsonLine(line) : line
    if (text.startsWith('/') && !options.json) {
      const shown = await runSlash(text, session)
      if (shown !== '') write(`${shown}\n`)
    } else if (text.trim() !== '') await say(text)
  }

  try {
    if (!options.json && isTerminal) write(`${welcome(session)}\n`)
    if (options.usedSeed !== undefined) printSeed(options.usedSeed, options.json)
    if (message !== undefined) {
      if (isTerminal) write(`${colors.bold('›')} ${printable(message)}\n`)
      await say(message)
      if (!isTerminal) return
    }
    for (let line = await lines().next(`${colors.bold('›')} `); line !== undefined; line = await lines().next(`${colors.bold('›')} `)) {
      if (line.trim() === '/exit') break
      interrupts = 0
      try {
        await take(line)
      } catch (error) {
        // In a terminal the chat continues after an error; otherwise the command fails.
        if (!isTerminal) throw error
        write(`${explain(error)}\n`)
      }
    }
    if (isTerminal) write('\n')
  } finally {
    source?.close()
    await watchdog.stop()
  }
}

/** To standard error; with --json, as an event. */
function printSeed(seed: number | 'chosen by the server', json: boolean): void {
  const isUnknown = seed === 'chosen by the server'
  if (json) process.stdout.write(`${JSON.stringify({ type: 'seed', seed: isUnknown ? null : seed })}\n`)
  else if (isUnknown) process.stderr.write(`${colors.dim('seed: chosen by the server (use --seed NUMBER to set it)')}\n`)
  else process.stderr.write(`${colors.dim(`seed ${seed} (--seed ${seed} repeats this chat)`)}\n`)
}

/** Token counts. A low cache rate means that the format rewrites earlier turns. */
function tokenStats({ prompt, reused, reply }: { prompt: number; reused: number; reply: number }): string {
  const rate = prompt === 0 ? 0 : Math.floor((reused / prompt) * 100)
  const count = (tokens: number) => `${tokens.toLocaleString('en-US')} token${tokens === 1 ? '' : 's'}`
  return `prompts: ${count(prompt)}, ${reused.toLocaleString('en-US')} from the cache (${rate} %); replies: ${count(reply)}`
}

type ResultInput = { json: boolean; isTerminal: boolean; write: (text: string) => void; lines: () => LineSource }

/** Results of tools without a function are typed by the user, or sent by the program at the other end of the pipe. */
function withTypedResults(session: ChatSession, input: ResultInput): ChatSession {
  let last: Promise<unknown> = Promise.resolve()
  const typed = (tool: AgentTool): AgentTool => ({
    ...tool,
    timeLimit: 2 ** 31 - 1,
    run(given: never, { callId }) {
      const result = last.then(() => readResult(tool.name, given, callId, input))
      last = result.catch(() => undefined)
      return result
    },
  })
  const tools = session.options.tools.map((tool) => (tool.run ? tool : typed(tool)))
  const copy = new ChatSession({ ...session.options, tools })
  copy.messages = session.messages
  return copy
}

async function readResult(name: string, given: unknown, id: string, { json, isTerminal, write, lines }: ResultInput): Promise<string> {
  if (json) write(`${JSON.stringify({ type: 'waiting', id, name, arguments: given })}\n`)
  const line = await lines().next(isTerminal ? `  ${colors.dim(`result of ${printable(name)}:`)} ` : '')
  if (line === undefined) throw new Error('no result was given')
  if (!json) return line
  try {
    const { content } = JSON.parse(line) as { content?: unknown }
    if (content !== undefined) return typeof content === 'string' ? content : JSON.stringify(content)
  } catch {
    // Not JSON: the line is the result.
  }
  return line
}

/** A line of input: plain text, or `{"content": "…"}` for text with several lines. */
function readJsonLine(line: string): string {
  try {
    const { content } = JSON.parse(line) as { content?: unknown }
    if (typeof content === 'string') return content
  } catch {
    // Plain text.
  }
  return line
}

function welcome({ options: { opened, tools, interpreter } }: ChatSession): string {
  const what = [
    printable(opened.model.name),
    printable(opened.maker.format.name),
    ...(tools.length > 0 ? [`tools: ${printable(tools.map(({ name }) => name).join(', '))}`] : []),
    ...(interpreter ? [printable(interpreter.name)] : []),
  ]
  const warning =
    interpreter && !interpreter.isSandbox
      ? `\n${colors.yellow('warning')} ${printable(interpreter.name)} is not a sandbox: the model's code can do what that server can`
      : ''
  return `${colors.bold('rolecall chat')} ${colors.dim(`· ${what.join(' · ')} · /help`)}${warning}`
}

function explain(error: unknown): string {
  if (!(error instanceof PromptError)) return `${colors.red('failed')} ${printable(error instanceof Error ? error.message : String(error))}`
  return `${colors.red('error')} ${printable(error.where)}: ${printable(error.problem)}\n  ${colors.dim('→')} ${printable(error.fix)}`
}

/** Longer than the context of any model. */
const longestLine = 1 << 26

function lineTooLong(longest: number): PromptError {
  return new PromptError('bad-input', {
    where: 'the input',
    problem: `a line is longer than ${longest.toLocaleString('en-US')} bytes`,
    fix: 'write one message per line',
  })
}

/** Lines of a terminal or a pipe, one at a time; concurrent readers are served in order. */
export class LineSource {
  readonly #lines: string[] = []
  readonly #waiting: ((line: string | undefined) => void)[] = []
  readonly #readline: Interface
  #isOver = false
  #failure: PromptError | undefined

  constructor(input: Readable, output: Writable | undefined, onInterrupt: () => void, longest = longestLine) {
    this.#readline = createInterface({ input, ...(output ? { output, terminal: true } : { terminal: false }) })
    if (!output) this.#limit(input, longest)
    this.#readline.on('line', (line) => {
      const next = this.#waiting.shift()
      if (next) next(line)
      else this.#lines.push(line)
    })
    this.#readline.on('close', () => {
      this.#isOver = true
      for (const next of this.#waiting.splice(0)) next(undefined)
    })
    this.#readline.on('SIGINT', onInterrupt)
  }

  /** The next line, or undefined at the end. */
  next(prompt = ''): Promise<string | undefined> {
    if (this.#lines.length > 0) return Promise.resolve(this.#lines.shift())
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.resolve(undefined)
    this.#readline.setPrompt(prompt)
    this.#readline.prompt()
    return new Promise((resolve, reject) => this.#waiting.push((line) => (this.#failure ? reject(this.#failure) : resolve(line))))
  }

  close(): void {
    this.#readline.close()
  }

  /** Node's reader joins a line without a limit, and crashes at half a gigabyte. */
  #limit(input: Readable, longest: number): void {
    let length = 0
    input.on('data', (chunk: Buffer | string) => {
      const end = chunk.lastIndexOf('\n')
      length = end < 0 ? length + chunk.length : chunk.length - end - 1
      if (length <= longest || this.#failure) return
      this.#failure = lineTooLong(longest)
      this.close()
    })
  }
}

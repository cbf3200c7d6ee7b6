import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { AgentTool } from '../../../model/agent/agent-tool.ts'
import { Watchdog } from '../../node/watchdog/watchdog.ts'
import { colors, printable } from '../terminal.ts'
import { ChatSession } from './chat-session.ts'
import { LineSource } from './line-source.ts'
import { EventWriter, eventJson } from './show-event.ts'
import { showUse } from './show-use.ts'
import { runSlash } from './slash-commands.ts'

export type RunChatOptions = {
  showPrompt: boolean
  /** Tell the tokens of each answer on the standard error. */
  stats?: boolean
  json: boolean
  /** The seed of words that are drawn at random; undefined where the likeliest are taken. */
  drawn?: number | 'of the server' | undefined
}

/** Reads what the user says, from a terminal or a pipe, and shows what the model does, until there is nothing more to read. */
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
    else if (!isTerminal) process.exit(130)
    else if (interrupts > 1 && !answering) source?.close()
    else if (!answering) write(colors.dim('\n(Ctrl-C again or Ctrl-D ends it)\n'))
  }
  const watchdog = new Watchdog()
  watchdog.hear(interrupt, ['SIGINT'])
  const lines = () => {
    source ??= new LineSource(stdin, isTerminal ? stdout : undefined, interrupt)
    return source
  }
  const session = withAnswers(given, { json: options.json, write, lines, isTerminal })

  const say = async (text: string): Promise<void> => {
    answering = new AbortController()
    const writer = new EventWriter(write, { ...options, tokenizer: session.options.opened.model.tokenizer })
    try {
      for await (const event of session.ask(text, answering.signal)) {
        if (options.json) {
          const line = eventJson(event, options)
          if (line !== undefined) write(`${line}\n`)
        } else writer.show(event)
        if (event.type === 'done' && options.stats) process.stderr.write(`${colors.dim(showUse(event.result.tokens))}\n`)
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
    if (options.drawn !== undefined) tellSeed(options.drawn, options.json)
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
        // In a terminal one goes on after a mistake; a program is told by the exit code.
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

/** The words alone go to the standard output; programs read the seed as an event. */
function tellSeed(seed: number | 'of the server', json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify({ type: 'seed', seed: seed === 'of the server' ? null : seed })}\n`)
  else if (seed === 'of the server')
    process.stderr.write(`${colors.dim('seed: the server draws by one of its own (--seed NUMBER sends one)')}\n`)
  else process.stderr.write(`${colors.dim(`seed ${seed} (--seed ${seed} repeats this chat)`)}\n`)
}

type Answering = { json: boolean; isTerminal: boolean; write: (text: string) => void; lines: () => LineSource }

/** Tools that are only schemas are answered by whoever reads: the user at the prompt, or the program at the other end of the pipe. */
function withAnswers(session: ChatSession, answering: Answering): ChatSession {
  let last: Promise<unknown> = Promise.resolve()
  const answered = (tool: AgentTool): AgentTool => ({
    ...tool,
    timeLimit: 2 ** 31 - 1,
    run(given: never, { callId }) {
      const mine = last.then(() => askUser(tool.name, given, callId, answering))
      last = mine.catch(() => undefined)
      return mine
    },
  })
  const tools = session.options.tools.map((tool) => (tool.run ? tool : answered(tool)))
  const copy = new ChatSession({ ...session.options, tools })
  copy.messages = session.messages
  return copy
}

async function askUser(name: string, given: unknown, id: string, { json, isTerminal, write, lines }: Answering): Promise<string> {
  if (json) write(`${JSON.stringify({ type: 'waiting', id, name, arguments: given })}\n`)
  const line = await lines().next(isTerminal ? `  ${colors.dim(`${printable(name)} gives`)} ` : '')
  if (line === undefined) throw new Error('nobody answered')
  if (!json) return line
  try {
    const { content } = JSON.parse(line) as { content?: unknown }
    if (content !== undefined) return typeof content === 'string' ? content : JSON.stringify(content)
  } catch {
    // Not JSON: the line itself is the answer.
  }
  return line
}

/** A line of a program: plain text, or `{"content": "…"}` where the text has several lines. */
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

import { saysLeftOut } from '../../../base/errors/note.ts'
import type { AgentEvent, AgentResult } from '../../../model/agent/agent-event.ts'
import type { AgentOptions } from '../../../model/agent/agent-options.ts'
import type { AgentTool } from '../../../model/agent/agent-tool.ts'
import { fileMessage } from '../../../model/agent/attached-file.ts'
import type { HistoryOptions } from '../../../model/agent/fit-history.ts'
import type { CodeFile, Interpreter } from '../../../model/agent/interpreter.ts'
import { runAgent } from '../../../model/agent/run-agent.ts'
import type { Transcript, TranscriptStep } from '../../../model/agent/transcript.ts'
import type { ChatMessage } from '../../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../../prompt/format/format.ts'
import type { OpenModel } from '../../node/models/model-flags.ts'

export type SessionOptions = {
  opened: OpenModel
  tools: readonly AgentTool[]
  interpreter?: Interpreter
  generation: NonNullable<AgentOptions['generation']>
  history: HistoryOptions
  maxTurns: number
}

/** A chat that goes on: what has been said, what is attached, what was sent last. */
export class ChatSession {
  readonly options: SessionOptions
  messages: ChatMessage[] = []
  attached: CodeFile[] = []
  lastPrompt: Prompt | undefined
  #dropped = 0
  #steps: TranscriptStep[] = []
  #told = new Set<string>()
  /** What the model said in this process: the ids of a chat that was loaded are a file's word. */
  #heard = new WeakSet<ChatMessage>()

  constructor(options: SessionOptions) {
    this.options = options
  }

  /** Says something to the model. What happens is told; what was said is remembered, also when it is stopped. */
  async *ask(text: string, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentResult, undefined> {
    const { opened, tools, interpreter, generation, history, maxTurns } = this.options
    const files = this.attached.length === 0 ? [] : [fileMessage(this.attached)]
    const asked = [...this.messages, { role: 'user', content: text }, ...files]
    const events = runAgent({
      model: opened.model,
      format: opened.maker.format,
      messages: asked,
      tools,
      interpreter,
      maxTurns,
      signal,
      generation,
      trustsIds: (message) => this.#heard.has(message),
      history: { ...history, dropped: this.#dropped },
      syntax: opened.config.reply_syntax,
    })
    // From here on the question and what follows it are part of the chat, even if the model fails.
    this.messages = asked
    this.attached = []
    while (true) {
      const { value, done } = await events.next()
      if (done) {
        this.messages = [...value.messages]
        this.#dropped = value.dropped
        return value
      }
      // What is left out at every turn is told once.
      if (value.type === 'note' && this.#told.has(value.note.text)) continue
      if (value.type === 'note' && saysLeftOut(value.note)) this.#told.add(value.note.text)
      if (value.type === 'prompt') this.lastPrompt = value.prompt
      if (value.type === 'message') {
        this.messages = [...this.messages, value.message]
        this.#heard.add(value.message)
      }
      if (value.type === 'done') this.#steps.push(...value.result.transcript.steps)
      yield value
    }
  }

  /** Sets what the system says; the chat goes on. */
  set system(text: string | undefined) {
    const rest = this.messages.filter(({ role, name }) => role !== 'system' || name !== undefined)
    this.messages = text === undefined ? rest : [{ role: 'system', content: text }, ...rest]
  }

  get system(): string | undefined {
    const found = this.messages.find(({ role, name }) => role === 'system' && name === undefined)
    return typeof found?.content === 'string' ? found.content : undefined
  }

  /** Forgets what was said; what the system says stays. */
  reset(): void {
    this.messages = this.messages.filter(({ role }) => role === 'system')
    this.#forget()
  }

  transcript(): Transcript {
    const { opened, tools, interpreter } = this.options
    return {
      version: 1,
      model: opened.model.name,
      format: opened.maker.format.name,
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      interpreter: interpreter !== undefined,
      messages: this.messages,
      steps: this.#steps,
    }
  }

  load(messages: readonly ChatMessage[], steps: readonly TranscriptStep[]): void {
    this.messages = [...messages]
    this.#forget()
    this.#steps = [...steps]
  }

  #forget(): void {
    this.#dropped = 0
    this.#steps = []
    this.lastPrompt = undefined
    this.attached = []
  }
}

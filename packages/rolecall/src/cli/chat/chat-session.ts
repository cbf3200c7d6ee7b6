import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import type { AgentEvent, AgentResult } from '../../model/agent/agent-event.ts'
import type { AgentOptions } from '../../model/agent/agent-options.ts'
import type { AgentTool } from '../../model/agent/agent-tool.ts'
import { fileMessage } from '../../model/agent/attached-file.ts'
import type { HistoryOptions } from '../../model/agent/fit-history.ts'
import type { CodeFile, Interpreter } from '../../model/agent/interpreter.ts'
import { runAgent } from '../../model/agent/run-agent.ts'
import type { Transcript, TranscriptStep } from '../../model/agent/transcript.ts'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import type { OpenModel } from '../../node/models/model-flags.ts'

export type ChatSessionOptions = {
  opened: OpenModel
  tools: readonly AgentTool[]
  interpreter?: Interpreter
  generation: NonNullable<AgentOptions['generation']>
  history: HistoryOptions
  maxTurns: number
}

/** A chat in progress: its messages, attached files and last prompt. */
export class ChatSession {
  readonly options: ChatSessionOptions
  messages: ChatMessage[] = []
  attached: CodeFile[] = []
  lastPrompt: Prompt | undefined
  #dropped = 0
  #steps: TranscriptStep[] = []
  #reportedNotes = new Set<string>()
  /** Messages generated in this process: token ids of a loaded chat are not trusted. */
  #generated = new WeakSet<ChatMessage>()

  constructor(options: ChatSessionOptions) {
    this.options = options
  }

  /** Sends a message. Yields events; messages are kept even if the reply is aborted. */
  async *ask(text: string, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentResult, undefined> {
    const { opened, tools, interpreter, generation, history, maxTurns } = this.options
    const files = this.attached.length === 0 ? [] : [fileMessage(this.attached)]
    const messages = [...this.messages, { role: 'user', content: text }, ...files]
    const events = runAgent({
      model: opened.model,
      format: opened.maker.format,
      messages,
      tools,
      interpreter,
      maxTurns,
      signal,
      generation,
      trustsIds: (message) => this.#generated.has(message),
      history: { ...history, dropped: this.#dropped },
      syntax: replySyntaxOf(opened.config),
    })
    // Kept even if the model fails.
    this.messages = messages
    this.attached = []
    while (true) {
      const { value, done } = await events.next()
      if (done) {
        this.messages = [...value.messages]
        this.#dropped = value.dropped
        return value
      }
      // Notes about the format or the config repeat every turn, and are shown once.
      if (value.type === 'note' && this.#reportedNotes.has(value.note.text)) continue
      if (value.type === 'note' && value.note.where !== undefined) this.#reportedNotes.add(value.note.text)
      if (value.type === 'prompt') this.lastPrompt = value.prompt
      if (value.type === 'message') {
        this.messages = [...this.messages, value.message]
        this.#generated.add(value.message)
      }
      if (value.type === 'done') this.#steps.push(...value.result.transcript.steps)
      yield value
    }
  }

  /** Sets the system message; keeps the chat. */
  set system(text: string | undefined) {
    const rest = this.messages.filter(({ role, name }) => role !== 'system' || name !== undefined)
    this.messages = text === undefined ? rest : [{ role: 'system', content: text }, ...rest]
  }

  get system(): string | undefined {
    const found = this.messages.find(({ role, name }) => role === 'system' && name === undefined)
    return typeof found?.content === 'string' ? found.content : undefined
  }

  /** Clears the chat; keeps the system message. */
  reset(): void {
    this.messages = this.messages.filter(({ role }) => role === 'system')
    this.#clear()
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
    this.#clear()
    this.#steps = [...steps]
  }

  #clear(): void {
    this.#dropped = 0
    this.#steps = []
    this.lastPrompt = undefined
    this.attached = []
  }
}

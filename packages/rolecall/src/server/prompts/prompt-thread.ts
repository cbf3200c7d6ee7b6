import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { dictEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { KillableThread, type ThreadTask } from '../../node/killable-thread.ts'
import { toMessage } from '../../node/templates/thread-messages.ts'
import { ApiError } from '../api-error.ts'
import type { ExactChat, OpenedPrompt, RenderSettings } from '../chat/chat-prompt.ts'
import type { ServedModel } from '../served-model.ts'
import { packPrompt } from './packed-prompt.ts'
import type { EncodedPrompt, PromptAnswer, PromptModelSource, PromptThreadQuestion } from './prompt-messages.ts'

type CompletionPrompt = Prompt & { kind: 'completion' }

export type PromptTask = Omit<ThreadTask, 'seconds'>

/** Smaller chats, prompts and bodies are handled here, in a few milliseconds: other threads take memory for their tokenizers. */
const mostValues = 1000
const mostPieces = 1000
const mostCharacters = 20_000

/** Reading a large vocabulary takes seconds. */
const openSeconds = 120

/** For the templates, and for the tokenizers of all models. */
const megabytes = 4096

/**
 * A thread that renders and encodes what would block the event loop: large chats and prompts, and everything that a chat template writes,
 * which is not trusted to be quick.
 */
export class PromptThread {
  readonly #sources: ReadonlyMap<string, PromptModelSource>
  readonly #thread: KillableThread<Set<string>, PromptThreadQuestion, PromptAnswer>

  #isStopped = false

  constructor(models: readonly PromptModelSource[]) {
    this.#sources = new Map(models.map((source) => [source.name, source]))
    this.#thread = new KillableThread({
      script: 'server/prompts/prompt-worker',
      workerData: { models },
      megabytes,
      begin: () => new Set(),
    })
  }

  /** Renders a chat; undefined if that is quick here. */
  async render({ name }: ServedModel, settings: RenderSettings, chat: ExactChat, task: PromptTask): Promise<OpenedPrompt | undefined> {
    const source = this.#sources.get(name)
    if (!source || (source.config.chat_template === undefined && !isLargeChat(chat))) return undefined
    const { messages, tools, chat_template_kwargs, thinking } = chat
    const sent = toMessage({ messages, tools, chat_template_kwargs, thinking } as PyValue)
    const answer = await this.#ask({ kind: 'render', model: name, settings, chat: sent }, name, task)
    return answer.kind === 'rendered' ? answer.rendered : unexpected(answer)
  }

  /** Encodes a long prompt; undefined if it is short, or its tokenizer is not known. `from`: the piece whose first token is wanted. */
  async encode({ name, model }: ServedModel, prompt: Prompt, task: PromptTask, from = 0): Promise<EncodedPrompt | undefined> {
    if (prompt.kind === 'chat' || !model.tokenizer || !this.#sources.has(name) || !isLong(prompt)) return undefined
    const packed = packPrompt(prompt)
    if (!packed) return undefined
    const answer = await this.#ask({ kind: 'encode', model: name, prompt: packed, from }, name, task)
    return answer.kind === 'encoded' ? answer.encoded : unexpected(answer)
  }

  /** The response of a route that only builds prompts; undefined if it is quick here. */
  async route(path: string, body: string, task: PromptTask): Promise<Response | undefined> {
    const sources = [...this.#sources.values()]
    if (body.length <= mostCharacters && sources.every(({ config }) => config.chat_template === undefined)) return undefined
    const answer = await this.#ask({ kind: 'route', path, body }, undefined, task)
    if (answer.kind !== 'response') return unexpected(answer)
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }

  /** The lines of a model's chat template that rewrite earlier text; undefined if it has none. */
  rewritingLines({ name }: ServedModel, task: PromptTask): Promise<readonly string[]> | undefined {
    if (this.#sources.get(name)?.config.chat_template === undefined) return undefined
    return this.#ask({ kind: 'rewriting-lines', model: name }, name, task).then((answer) =>
      answer.kind === 'rewriting-lines' ? answer.lines : unexpected(answer),
    )
  }

  /** Compiles and probes the chat templates before their first request. */
  async prepare(): Promise<void> {
    const templates = [...this.#sources.values()].filter(({ config }) => config.chat_template !== undefined)
    for (const { name } of templates) {
      // A question after the end would start another thread.
      if (!this.#isStopped) await this.#open(name, { client: '' })
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.#thread.stop()
  }

  async #open(name: string, task: PromptTask): Promise<void> {
    if (this.#thread.held?.has(name)) return
    await this.#thread.ask(
      (held) => {
        held.add(name)
        return { kind: 'open', model: name }
      },
      { ...task, seconds: openSeconds },
    )
  }

  /** Opens the model, or all, before the time of the question runs. */
  async #ask(question: PromptThreadQuestion, model: string | undefined, task: PromptTask): Promise<PromptAnswer> {
    for (const name of model === undefined ? this.#sources.keys() : [model]) await this.#open(name, task)
    const answer = await this.#thread.ask(() => question, { ...task, seconds: limits.templateSeconds })
    task.signal?.throwIfAborted()
    switch (answer.kind) {
      case 'stopped':
        throw tooMuch(answer.reason === 'time' ? `${limits.templateSeconds} s` : `${megabytes} MB of memory`)
      case 'api-error':
        throw new ApiError(answer.status, answer)
      case 'prompt-error':
        throw new PromptError(answer.code, answer)
      case 'failed':
        throw new Error(answer.message)
      default:
        return answer
    }
  }
}

function unexpected(answer: PromptAnswer): never {
  throw new Error(`the thread of prompts answered ${answer.kind}`)
}

function tooMuch(what: string): ApiError {
  return new ApiError(413, { message: `building the prompt takes more than ${what}; send less at once`, code: 'request_too_complex' })
}

function isLong({ pieces }: CompletionPrompt): boolean {
  if (pieces.length > mostPieces) return true
  let size = 0
  for (const piece of pieces) size += 'text' in piece ? piece.text.length : 'ids' in piece ? piece.ids.length : 0
  return size > mostCharacters
}

function isLargeChat({ messages, tools = [] }: ExactChat): boolean {
  let left = mostValues
  const visit = (one: PyValue): boolean => {
    if (--left < 0) return true
    if (isList(one)) return one.some(visit)
    return isDict(one) && dictEntries(one).some(([, entry]) => visit(entry))
  }
  return visit(messages as PyValue) || visit(tools as PyValue)
}

import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelReply } from '../language-model/language-model.ts'
import { StopFilter } from '../language-model/stop-filter.ts'
import { BadReply } from './http/http-client.ts'
import { SecretFilter } from './secret-filter.ts'
import { joinCalls, type PartialCall, type ServerReplyPart } from './server-reply-part.ts'

const none: readonly number[] = []
const noTokens: readonly unknown[] = []

/** Assembles a reply from its parts. Some servers cut stops, others keep them; here everything from a stop on is dropped. */
export class ReplyCollector {
  readonly #filter: StopFilter
  readonly #secrets: SecretFilter
  readonly #calls: PartialCall[] = []
  readonly #ids: number[] = []
  readonly #logProbabilities: number[] = []
  readonly #described: unknown[] = []
  readonly #notes: Note[] = []
  #text = ''
  #reasoning = ''
  #finish: string | undefined
  #stoppedBy: string | undefined
  #usage: ServerReplyPart['usage']

  constructor(stops: readonly string[], secrets: readonly string[] = []) {
    this.#filter = new StopFilter(stops)
    this.#secrets = new SecretFilter(secrets)
  }

  /** Whether a stop was found, so that the rest is not needed. */
  get isStopped(): boolean {
    return this.#filter.stoppedBy !== undefined
  }

  get text(): string {
    return this.#text
  }

  /** Adds a part and returns the text that is now certain. */
  add({
    text,
    reasoning,
    calls,
    ids = none,
    logProbabilities = none,
    describedTokens = noTokens,
    finish,
    stoppedBy,
    refusal,
    notes,
    usage,
  }: ServerReplyPart): string {
    this.#reasoning += reasoning
    if (calls.length > 0) this.#calls.push(...calls)
    for (const id of ids) this.#ids.push(id)
    for (const one of logProbabilities) this.#logProbabilities.push(one)
    for (const one of describedTokens) this.#described.push(one)
    if (usage) this.#usage = usage
    if (finish === 'abort' || finish === 'error') throw new BadReply(`it gave up on the reply (finish_reason "${finish}")`)
    if (finish !== undefined) this.#finish = finish
    if (stoppedBy !== undefined) this.#stoppedBy = stoppedBy
    if (notes) this.#notes.push(...notes)
    if (refusal !== undefined) this.#notes.push({ code: 'refusal', text: 'the model refused to answer, in a separate field' })
    return this.#release(this.#secrets.push(this.#filter.push(text + (refusal ?? ''))))
  }

  /** The reply is complete; returns the text that was held back. */
  end(): string {
    return this.#release(this.#secrets.push(this.#filter.end()) + this.#secrets.end())
  }

  #release(text: string): string {
    this.#text += text
    return text
  }

  /** `promptTokens`: the number of tokens sent, if the server does not count them. Notes about the request come first. */
  reply(promptTokens: number, stopIds: ReadonlySet<number>, notes: readonly Note[]): ModelReply {
    const finish = this.isStopped ? 'stop' : finishOf(this.#finish)
    if (this.#finish === 'content_filter') this.#notes.push({ code: 'content-filter', text: "the server's content filter cut the reply" })
    const ids = this.#ids.length > 0 && stopIds.has(this.#ids.at(-1)!) ? this.#ids.slice(0, -1) : this.#ids
    const calls = this.#calls.length === 0 ? [] : joinCalls(this.#calls, (text) => this.#secrets.clean(text))
    const reasoning = this.#secrets.clean(this.#reasoning)
    const { hasFound: hadSecret } = this.#secrets
    const stoppedBy = this.#filter.stoppedBy ?? this.#stoppedBy
    if (hadSecret) this.#notes.push({ code: 'key-in-reply', text: 'the reply had a key of the config in it, which was replaced by ***' })
    return {
      text: this.#text,
      reasoning: reasoning === '' ? undefined : reasoning,
      calls: calls.length === 0 ? undefined : calls,
      // Its ids would spell the key.
      ids: ids.length === 0 || hadSecret ? undefined : ids,
      logProbabilities:
        this.#logProbabilities.length === 0 || hadSecret ? undefined : this.#logProbabilities.slice(0, ids.length || undefined),
      describedTokens: this.#described.length === 0 || hadSecret ? undefined : this.#described,
      finish,
      stoppedBy,
      tokens: this.#usage ?? { prompt: promptTokens, reused: 0, reply: ids.length, ...(ids.length === 0 ? { unreported: 1 } : {}) },
      notes: this.#notes.length === 0 ? notes : [...notes, ...this.#notes],
    }
  }
}

/** Servers have many words for a regular end. */
function finishOf(reason: string | undefined): ModelReply['finish'] {
  return reason === 'length' || reason === 'max_tokens' ? 'length' : 'stop'
}

/**
 * Passes text on as it is streamed. When a stream breaks and the request is retried, text already passed on must come again, and is not
 * passed on twice.
 */
export class Release {
  readonly #onText: ((text: string) => void) | undefined
  readonly #where: string
  #given = ''
  #at = 0

  constructor(onText: ((text: string) => void) | undefined, where: string) {
    this.#onText = onText
    this.#where = where
  }

  get given(): string {
    return this.#given
  }

  startAgain(): void {
    this.#at = 0
  }

  push(text: string): void {
    if (!this.#onText || text === '') return
    const known = text.slice(0, Math.max(0, this.#given.length - this.#at))
    if (!this.#given.startsWith(known, this.#at)) {
      throw new PromptError('reply-differs', {
        where: this.#where,
        problem: 'the stream was cut off, and on retry the model wrote something different from what was already shown',
        fix: 'try again; with temperature: 0 the model repeats itself',
      })
    }
    this.#at += text.length
    const fresh = text.slice(known.length)
    if (fresh === '') return
    this.#given += fresh
    this.#onText(fresh)
  }
}

import type { Stop } from '../../prompt/format/format.ts'
import { decodeTokens } from '../../prompt/tokenizer/token-decoder.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import { type ParseOptions, parseReply, ReplyParser } from './parse/reply-parser.ts'
import { eventsOfCall, type Reply, type ReplyCall, type ReplyEvent } from './reply.ts'
import type { ReplySyntax } from './syntax.ts'
import { ToolChecker } from './tool-checker.ts'

/** A reply as a model hands it over: its text, its tokens where they are known, and what its server has read by itself. */
export type WrittenReply = {
  text: string
  ids?: readonly number[] | undefined
  /** Calls and reasoning that a server has taken out of `text`. */
  calls?: readonly ReplyCall[] | undefined
  reasoning?: string | undefined
}

/** What a reply reader knows before the first character. */
export type ReaderOptions = {
  syntax: ReplySyntax
  /** What the prompt already wrote of the reply: it may have opened a thought or a call that the reply goes on with. */
  opening?: string | undefined
  /** The tools that the model was told of: names and arguments are checked against them. */
  tools?: readonly unknown[] | undefined
  tokenizer?: Tokenizer | undefined
  /** What ends the reply. */
  stop?: readonly Stop[] | undefined
  stopTexts?: readonly string[] | undefined
}

/**
 * Reads a model's reply into text, reasoning, calls and code, while it is written or when it is whole; agents, the server and
 * runs all read with it. It goes by ids where the model tells them: only they tell a mark from the same characters as text.
 */
export class ReplyReader {
  readonly #options: ReaderOptions
  readonly #tools: readonly unknown[]
  /** A text that ends a reply is seen only in text, so that ids cannot be read as they come. */
  readonly #hearsIds: boolean
  #parser: ReplyParser | undefined
  #isByIds = false
  #told = 0
  #whole: Reply | undefined
  /** The reply's text as far as it was read. */
  written = ''

  constructor(options: ReaderOptions) {
    const { tokenizer, tools = [], stop = [], stopTexts = [] } = options
    this.#options = options
    this.#tools = tools
    const isText = (one: Stop) => 'text' in one || ('token' in one && tokenizer?.idOf(one.token) === undefined)
    this.#hearsIds = tokenizer !== undefined && stopTexts.length === 0 && !stop.some(isText)
  }

  /** The next token; a model that tells tokens tells each before its text. */
  token(id: number): ReplyEvent[] {
    if (!this.#hearsIds) return []
    const parser = this.#open(true)
    if (!this.#isByIds) return []
    this.#told++
    return parser.push([id])
  }

  text(text: string): ReplyEvent[] {
    const parser = this.#open(false)
    this.written += text
    if (this.#isByIds) return []
    this.#told += text.length
    return parser.push(text)
  }

  /** The reply is whole: reads what was not told while it was written, and decides what is still open. */
  end(reply: WrittenReply): ReplyEvent[] {
    const { tokenizer, syntax } = this.#options
    const ids = tokenizer && exactIds(reply, tokenizer)
    this.written = reply.text
    const parser = this.#open(ids !== undefined)
    const rest = this.#isByIds ? (reply.ids ?? []).slice(this.#told) : reply.text.slice(this.#told)
    const events = [...parser.push(rest), ...parser.end()]
    if (reply.calls ?? reply.reasoning) return [...events, ...this.#takeRead(reply, parser.reply)]
    // Words were told by their text, since the ids came only now: the reply itself goes by ids all the same.
    this.#whole = ids && !this.#isByIds ? parseReply(ids, syntax, this.#parseOptions(tokenizer)) : parser.reply
    return events
  }

  /** What has been read so far. */
  get reply(): Reply {
    return this.#whole ?? this.#open(false).reply
  }

  /** A server that reads calls itself leaves only words in the text; its calls are checked as ours are. */
  #takeRead({ text, calls = [], reasoning = '' }: WrittenReply, read: Reply): ReplyEvent[] {
    const checker = new ToolChecker(this.#tools)
    const checked = calls.map((call) => checker.checked(call))
    this.#whole = {
      ...read,
      text,
      reasoning,
      calls: checked,
      parts: [
        ...(reasoning === '' ? [] : [{ kind: 'reasoning' as const, text: reasoning, at: [0, 0] as const }]),
        ...(text === '' ? [] : [{ kind: 'text' as const, text, at: [0, text.length] as const }]),
        ...checked,
      ],
    }
    return [...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]), ...checked.flatMap(eventsOfCall)]
  }

  #open(isByIds: boolean): ReplyParser {
    if (this.#parser) return this.#parser
    const { syntax, tokenizer } = this.#options
    this.#isByIds = isByIds && tokenizer !== undefined
    this.#parser = new ReplyParser(syntax, this.#parseOptions(this.#isByIds ? tokenizer : undefined))
    return this.#parser
  }

  #parseOptions(tokenizer: Tokenizer | undefined): ParseOptions {
    const { opening = '' } = this.#options
    return {
      ...(opening === '' ? {} : { prompt: opening }),
      tools: this.#tools,
      ...(tokenizer ? { tokens: { idOf: (token) => tokenizer.idOf(token), decode: (ids) => decodeTokens(ids, tokenizer) } } : {}),
    }
  }
}

/**
 * Reads a reply that is whole: what it says, what it thinks, which calls and code it has.
 *
 * @example
 * const { text, reasoning } = readReply({ text: '<think>12 + 34…</think>\n\n46' }, { syntax: replySyntaxes.think })
 * text // => '46'
 * reasoning // => '12 + 34…'
 */
export function readReply(reply: WrittenReply, options: ReaderOptions): Reply {
  const reader = new ReplyReader(options)
  reader.end(reply)
  return reader.reply
}

/** The ids of a reply; undefined where they say more than its text does, as where a stop text was cut off. */
export function exactIds({ text, ids }: WrittenReply, tokenizer: Tokenizer | undefined): readonly number[] | undefined {
  return ids && tokenizer && decodeTokens(ids, tokenizer) !== text ? undefined : ids
}

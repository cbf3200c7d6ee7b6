import type { Stop } from '../prompt/format/format.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { type ParseOptions, parseExactReply, ReplyParser } from './parse/reply-parser.ts'
import { callProblem, eventsOfCall, type Reply, type ReplyCall, type ReplyEvent } from './reply.ts'
import type { ReplySyntax } from './syntax.ts'
import { ToolChecker } from './tool-checker.ts'

/** A reply as a model returns it: its text, its tokens if they are known, and what its server has already parsed. */
export type WrittenReply = {
  text: string
  ids?: readonly number[] | undefined
  /** Calls and reasoning that a server has removed from `text`. */
  calls?: readonly ReplyCall[] | undefined
  reasoning?: string | undefined
}

/** What is known about a reply before its first character. */
export type ReaderOptions = {
  syntax: ReplySyntax
  /** What the prompt already wrote of the reply: it may have opened a thought or a call that the reply continues. */
  opening?: string | undefined
  /** The tools the model was offered: names and arguments are checked against them. */
  tools?: readonly unknown[] | undefined
  tokenizer?: Tokenizer | undefined
  /** What ends the reply. */
  stop?: readonly Stop[] | undefined
  stopTexts?: readonly string[] | undefined
}

/**
 * Reads a model's reply into text, reasoning, calls and code, streamed or whole; used by agents, the server and runs. It prefers ids if
 * the model returns them: only ids distinguish a mark from the same characters as text.
 */
export class ReplyReader {
  readonly #options: ReaderOptions
  readonly #tools: readonly unknown[]
  /** Stop texts are found only in text, so that ids cannot be read while they are streamed. */
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

  /** Reads the next token; a model that streams tokens sends each before its text. */
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

  /** Ends the reply: reads what was not streamed, and decides what is still open. */
  end(reply: WrittenReply): ReplyEvent[] {
    const { tokenizer, syntax } = this.#options
    const ids = tokenizer && exactIds(reply, tokenizer)
    this.written = reply.text
    const parser = this.#open(ids !== undefined)
    const rest = this.#isByIds ? (reply.ids ?? []).slice(this.#told) : reply.text.slice(this.#told)
    const events = [...parser.push(rest), ...parser.end()]
    if (reply.calls ?? reply.reasoning) return [...events, ...this.#takeRead(reply, parser.reply)]
    // The events were read from text, since the ids came only now; the reply itself is read from the ids.
    this.#whole = ids && !this.#isByIds ? parseExactReply(ids, syntax, this.#parseOptions(tokenizer)) : parser.reply
    return events
  }

  /** What has been read so far. */
  get reply(): Reply {
    return this.#whole ?? this.#open(false).reply
  }

  /** A server that parses calls leaves only words in the text; its calls are checked like ours. */
  #takeRead({ text, calls = [], reasoning = '' }: WrittenReply, read: Reply): ReplyEvent[] {
    const checker = new ToolChecker(this.#tools)
    const checked = calls.map((call) => checker.checked(call))
    this.#whole = {
      ...read,
      text,
      reasoning,
      calls: checked,
      problems: [
        ...read.problems,
        ...checked.flatMap((call) => (call.kind === 'malformed' ? [{ problem: callProblem(call), at: call.at }] : [])),
      ],
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
 * Reads a whole reply: its text, reasoning, calls and code.
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

/** The ids of a reply; undefined if they contain more than its text, e.g. a stop text that was cut off. */
export function exactIds({ text, ids }: WrittenReply, tokenizer: Tokenizer | undefined): readonly number[] | undefined {
  return ids && tokenizer && decodeTokens(ids, tokenizer) !== text ? undefined : ids
}

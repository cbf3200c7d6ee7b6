import type { Prompt } from '../../format/format.ts'
import type { Reply as ModelReply } from '../../model/language-model.ts'
import { type ReplyEvent, ReplyParser } from '../../parse/index.ts'
import { decodeTokens } from '../../tokenize/token-decoder.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import type { ChatPrompt } from './chat-prompt.ts'

/**
 * Reads a reply while it is written, by its ids where the model tells them: only then a mark can be told from the same
 * characters as text. A text that ends a reply is seen only in text, so that then ids are not used.
 */
export class ReplyReader {
  readonly #asked: ChatPrompt
  readonly #tokenizer: Tokenizer | undefined
  #parser: ReplyParser | undefined
  #byIds = false
  #told = 0
  /** The reply's text as far as it was read. */
  written = ''

  constructor(asked: ChatPrompt, tokenizer: Tokenizer | undefined, stopTexts: readonly string[]) {
    this.#asked = asked
    this.#tokenizer = stopTexts.length > 0 || hasTextStop(asked.prompt) ? undefined : tokenizer
  }

  token(id: number): ReplyEvent[] {
    if (!this.#tokenizer) return []
    const parser = this.#open(true)
    if (!this.#byIds) return []
    this.#told++
    return parser.push([id])
  }

  text(text: string): ReplyEvent[] {
    const parser = this.#open(false)
    this.written += text
    if (this.#byIds) return []
    this.#told += text.length
    return parser.push(text)
  }

  /** The reply is whole: reads what was not told while it was written, and decides what is still open. */
  end(reply: ModelReply): ReplyEvent[] {
    this.written = reply.text
    if (reply.calls ?? reply.reasoning) return [...this.#rest(reply), ...readByServer(reply)]
    return this.#rest(reply)
  }

  #rest(reply: ModelReply): ReplyEvent[] {
    const { ids } = reply
    const parser = this.#open(ids !== undefined && this.#tokenizer !== undefined && decodeTokens(ids, this.#tokenizer) === reply.text)
    const rest = this.#byIds ? (ids ?? []).slice(this.#told) : reply.text.slice(this.#told)
    return [...parser.push(rest), ...parser.end()]
  }

  #open(byIds: boolean): ReplyParser {
    if (this.#parser) return this.#parser
    const tokenizer = byIds ? this.#tokenizer : undefined
    this.#byIds = tokenizer !== undefined
    this.#parser = new ReplyParser(this.#asked.syntax, {
      ...(this.#asked.opening === '' ? {} : { prompt: this.#asked.opening }),
      tools: this.#asked.tools,
      ...(tokenizer ? { tokens: { idOf: (token) => tokenizer.idOf(token), decode: (ids) => decodeTokens(ids, tokenizer) } } : {}),
    })
    return this.#parser
  }
}

function hasTextStop({ stop }: Prompt): boolean {
  return stop.some((one) => 'text' in one)
}

/** What a chat server has read out of the reply by itself. */
function readByServer({ calls = [], reasoning = '' }: ModelReply): ReplyEvent[] {
  const thought: ReplyEvent[] = reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning }]
  return [
    ...thought,
    ...calls.flatMap((call, index): ReplyEvent[] => {
      if (call.kind !== 'call') return [{ type: 'call-end', index, call }]
      return [
        { type: 'call-name', index, name: call.name, ...(call.id === undefined ? {} : { id: call.id }) },
        { type: 'arguments', index, text: call.argumentsText },
        { type: 'call-end', index, call },
      ]
    }),
  ]
}

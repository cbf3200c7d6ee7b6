import { PromptError } from '../../../base/errors/prompt-error.ts'
import { replySyntax, type SyntaxName } from '../families/reply-syntaxes.ts'
import { eventsOfCall, type Reply, type ReplyEvent } from '../reply.ts'
import type { ReplySyntax } from '../syntax.ts'
import { ToolChecker } from '../tool-checker.ts'
import { compileSyntax } from './compile-syntax.ts'
import { IdReader, type ReplyTokens } from './id-reader.ts'
import { openedInPrompt } from './opened-in-prompt.ts'
import { UnmarkedCalls } from './parse-bare-calls.ts'
import { Reading } from './reading.ts'
import { endByToken, endReply } from './steps/end-reply.ts'
import { readInside } from './steps/read-inside.ts'
import { readStep } from './steps/read-step.ts'

/** What is known about a reply before it is read: its prompt, its tools, its syntax. */
export type ParseOptions = {
  /**
   * The prompt as text. What it already opened for the model (`<think>`, a call) is where the reply goes on; words that it
   * put into the model's mouth are not part of the reply.
   */
  prompt?: string
  /** The tools the model was given, bare or in OpenAI's shape: names and arguments are checked against them. */
  tools?: readonly unknown[]
  /** For replies given as token ids: only real tokens count as marks, the same characters as text do not. */
  tokens?: ReplyTokens
}

/**
 * Reads a reply piece by piece, as it is generated. However it is cut, the result is the same; every character is looked at
 * once, and a model's mistakes are data, never errors.
 *
 * @example
 * const parser = new ReplyParser('hermes')
 * parser.push('Hi <tool_c').map((event) => event.type) // => ['text']
 * parser.push('all>{"name": "now"').map((event) => event.type) // => ['call-name']
 * parser.push('}</tool_call>').map((event) => event.type) // => ['arguments', 'call-end']
 * parser.end() // => []
 * parser.reply.text // => 'Hi '
 */
export class ReplyParser {
  readonly #reading: Reading
  readonly #ids: IdReader | undefined
  readonly #unmarked: UnmarkedCalls | undefined
  #isHeldToken = false
  #isEnded = false

  constructor(syntax: SyntaxName | ReplySyntax, { prompt, tools, tokens }: ParseOptions = {}) {
    const found = typeof syntax === 'string' ? replySyntax(syntax) : syntax
    this.#ids = tokens && new IdReader(found, tokens)
    const compiled = compileSyntax(found, tokens && ((mark) => tokens.idOf(mark) !== undefined))
    const checker = tools && new ToolChecker(tools)
    this.#reading = new Reading(compiled, checker)
    if (found.callsWithoutMarks && checker) this.#unmarked = new UnmarkedCalls(checker)
    if (prompt === undefined || this.#unmarked) return
    const opened = openedInPrompt(prompt, found)
    this.#reading.offset = -opened.length
    this.#feed(opened, true)
    this.#reading.pendingSpace = ''
    // The name of the role is no start of an answer.
    if (this.#reading.state === 'text' && /^[^\n]{0,40}\n?\s*$/.test(opened)) this.#reading.isAtStart = true
  }

  /** The next piece of the reply: text, or token ids. Hands back what is now certain. */
  push(piece: string | readonly number[]): ReplyEvent[] {
    if (this.#isEnded) {
      throw new PromptError('reply-ended', { where: 'push', problem: 'the reply has ended', fix: 'make a new parser for the next reply' })
    }
    if (typeof piece !== 'string') this.#feedIds(piece)
    else {
      const told = this.#unmarked ? undefined : readInside(this.#reading, piece)
      if (told !== undefined) return told
      this.#feed(piece, false)
    }
    return this.#reading.events.take()
  }

  /** There is no more: decides what was still open. */
  end(): ReplyEvent[] {
    if (this.#isEnded) return []
    const rest = this.#ids?.rest() ?? ''
    if (rest !== '') this.#feed(rest, false)
    this.#endUnmarked()
    this.#isEnded = true
    this.#reading.isFinal = true
    this.#read('', this.#isHeldToken)
    while (!endReply(this.#reading)) this.#read('', false)
    return this.#reading.events.take()
  }

  /** What has been read so far. */
  get reply(): Reply {
    return this.#reading.collector.reply()
  }

  #feedIds(ids: readonly number[]): void {
    if (this.#ids === undefined) {
      throw new PromptError('no-tokenizer', {
        where: 'push',
        problem: 'token ids cannot be read without a tokenizer',
        fix: 'give { tokens: { idOf, decode } }, or push text',
      })
    }
    for (const id of ids) {
      const { text, token } = this.#ids.read(id)
      if (text !== '') this.#feed(text, false)
      if (token !== undefined) this.#feed(token, true)
    }
  }

  #feed(piece: string, isToken: boolean): void {
    const reading = this.#reading
    if (this.#unmarked) {
      this.#read(this.#unmarked.push(piece), false)
      return
    }
    // With ids, a mark is one token or a row of tokens: text can neither begin nor go on with one.
    if (reading.held !== '' && this.#ids !== undefined && isToken !== this.#isHeldToken && !reading.isFinal) {
      reading.isFinal = true
      this.#read('', this.#isHeldToken)
      reading.isFinal = false
    }
    this.#read(piece, isToken)
  }

  /** The whole reply is there: it is calls, or words that were kept back. */
  #endUnmarked(): void {
    if (!this.#unmarked) return
    const { calls, words } = this.#unmarked.end()
    if (words !== '') this.#read(words, false)
    const { events, collector, tools } = this.#reading
    for (const [index, found] of calls.entries()) {
      const call = tools!.checked(found)
      collector.call(call)
      for (const event of eventsOfCall(call, index)) events.tell(event)
    }
  }

  #read(piece: string, isToken: boolean): void {
    const reading = this.#reading
    const text = reading.held === '' ? piece : reading.held + piece
    const places = isToken ? reading.syntax.asTokens : reading.syntax.inText
    if (places !== reading.places) {
      reading.places = places
      if (reading.block !== undefined) reading.blockMarkers = places.blocks.get(reading.block)!
    }
    if (isToken && this.#ids !== undefined) endByToken(reading, text)
    reading.isHolding = false
    let at = 0
    while (at < text.length && !reading.isHolding) at = readStep(reading, text, at)
    reading.offset += at
    reading.held = at === text.length ? '' : text.slice(at)
    this.#isHeldToken = isToken
  }
}

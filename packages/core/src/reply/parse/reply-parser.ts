import { PromptError } from '../../base/errors/prompt-error.ts'
import { replySyntax, type SyntaxName } from '../families/reply-syntaxes.ts'
import { eventsOfCall, type Reply, type ReplyEvent } from '../reply.ts'
import type { ReplyMachine, ReplySyntax } from '../syntax.ts'
import { ToolChecker } from '../tool-checker.ts'
import { compileSyntax } from './compile-syntax.ts'
import { IdReader, type ReplyTokens } from './id-reader.ts'
import { readAfterCall, readBareList, readBetweenCalls, readBody, readHeader, readList, readObject, skipRefused } from './read-block.ts'
import { readCode } from './read-code.ts'
import { readHead, readMessageCall } from './read-head.ts'
import { readPython } from './read-python.ts'
import { readQuoted } from './read-quoted.ts'
import { readTagged } from './read-tagged.ts'
import { readReasoning, readRest, readText } from './read-words.ts'
import { Reading, type ReadingState, type Steps } from './reading.ts'
import { UnmarkedCalls } from './unmarked-calls.ts'

/** What is known about a reply before it is read: its prompt, its tools, its tokens. */
export type ParseOptions = {
  /**
   * The prompt as text. The reply continues what the prompt already opened for the model (`<think>`, a call); words that the prompt
   * put into the model's mouth are not part of the reply.
   */
  prompt?: string
  /** The tools the model was given, bare or in OpenAI's shape: names and arguments are checked against them. */
  tools?: readonly unknown[]
  /** For replies given as token ids: only real tokens count as marks, the same characters as text do not. */
  tokens?: ReplyTokens
}

const readers: Readonly<Record<Exclude<ReadingState, 'over'>, (r: Reading) => Steps>> = {
  text: readText,
  reasoning: readReasoning,
  head: readHead,
  message: readMessageCall,
  body: readBody,
  'bare-list': readBareList,
  list: readList,
  'list-end': readList,
  header: readHeader,
  object: readObject,
  tagged: readTagged,
  python: readPython,
  quoted: readQuoted,
  code: readCode,
  after: readAfterCall,
  between: readBetweenCalls,
  skip: skipRefused,
  done: readRest,
}

/**
 * Reads a reply chunk by chunk, as it is generated. However it is cut, the result is the same, and a model's mistakes are data, never
 * errors.
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
  /** The reader of the current state. */
  #steps: Steps
  readonly #ids: IdReader | undefined
  readonly #unmarked: UnmarkedCalls | undefined
  /** Reads instead: a model's own response template. */
  readonly #machine: ReplyMachine | undefined
  #isToken = false

  constructor(syntax: SyntaxName | ReplySyntax, { prompt, tools, tokens }: ParseOptions = {}) {
    const found = typeof syntax === 'string' ? replySyntax(syntax) : syntax
    this.#ids = tokens && new IdReader(found, tokens)
    const checker = tools && new ToolChecker(tools)
    const reading = new Reading(compileSyntax(found, tokens && ((mark) => tokens.idOf(mark) !== undefined)), checker)
    this.#reading = reading
    this.#steps = readText(reading)
    this.#machine = found.reader?.({ ...(prompt !== undefined && { prompt }), ...(tools && { tools }) })
    if (this.#machine) return
    if (found.callsWithoutMarks && checker) this.#unmarked = new UnmarkedCalls(checker)
    if (prompt === undefined || this.#unmarked) return
    const opened = openedInPrompt(prompt, found)
    reading.offset = -opened.length
    this.#feed(opened, true)
    reading.pendingSpace = ''
    // The name of the role does not start an answer.
    if (reading.state === 'text' && /^[^\n]{0,40}\n?\s*$/.test(opened)) reading.isAtStart = true
  }

  /** Reads the next chunk of the reply, text or token ids, and returns what is now certain. */
  push(piece: string | readonly number[]): ReplyEvent[] {
    if (this.#reading.isEnded) {
      throw new PromptError('reply-ended', { where: 'push', problem: 'the reply has ended', fix: 'make a new parser for the next reply' })
    }
    if (this.#machine) return this.#machine.push(typeof piece === 'string' ? piece : this.#textOf(piece))
    if (typeof piece === 'string') this.#feed(piece, false)
    else this.#feedIds(piece)
    return this.#reading.takeEvents()
  }

  /** Ends the reply: decides what was still open. */
  end(): ReplyEvent[] {
    const reading = this.#reading
    if (reading.isEnded) return []
    const rest = this.#ids?.rest() ?? ''
    if (this.#machine) {
      reading.isEnded = true
      return [...this.#machine.push(rest), ...this.#machine.end()]
    }
    if (rest !== '') this.#feed(rest, false)
    const unmarked = this.#unmarked?.end()
    if (unmarked) this.#read(unmarked.words, false)
    for (const [index, found] of (unmarked?.calls ?? []).entries()) {
      const call = reading.tools!.checked(found)
      for (const event of eventsOfCall(call, index).slice(0, -1)) reading.tell(event)
      reading.addCall(call)
    }
    reading.isEnded = true
    this.#flush()
    return reading.takeEvents()
  }

  /** What has been read so far. */
  get reply(): Reply {
    return this.#machine?.reply ?? this.#reading.reply
  }

  #idReader(): IdReader {
    if (this.#ids !== undefined) return this.#ids
    throw new PromptError('no-tokenizer', {
      where: 'push',
      problem: 'token ids cannot be read without a tokenizer',
      fix: 'give { tokens: { idOf, decode } }, or push text',
    })
  }

  /** Response templates read text: their marks are not told from the same characters. */
  #textOf(ids: readonly number[]): string {
    const reader = this.#idReader()
    return ids
      .map((id) => reader.read(id))
      .map(({ text, token = '' }) => text + token)
      .join('')
  }

  #feedIds(ids: readonly number[]): void {
    const reader = this.#idReader()
    for (const id of ids) {
      const { text, token } = reader.read(id)
      if (text !== '') this.#feed(text, false)
      if (token !== undefined) this.#feed(token, true)
    }
  }

  #feed(piece: string, isToken: boolean): void {
    // With ids, a mark is one token or several in a row: text can neither begin nor continue one.
    if (!this.#reading.isEmpty && this.#ids !== undefined && isToken !== this.#isToken) {
      this.#flush()
      this.#reading.isFinal = false
    }
    if (this.#unmarked) this.#read(this.#unmarked.push(piece), false)
    else this.#read(piece, isToken)
  }

  /** Reads what was held back because it could have become a mark. */
  #flush(): void {
    this.#reading.isFinal = true
    this.#read('', this.#isToken)
  }

  #read(piece: string, isToken: boolean): void {
    const reading = this.#reading
    this.#isToken = isToken
    reading.offset += reading.at
    reading.text = reading.isEmpty ? piece : reading.text.slice(reading.at) + piece
    reading.at = 0
    reading.isToken = isToken && this.#ids !== undefined
    reading.places = isToken ? reading.syntax.asTokens : reading.syntax.inText
    while (this.#steps.next().done && reading.state !== 'over') this.#steps = readers[reading.state](reading)
  }
}

/**
 * What the prompt has already written of the reply: everything after the last mark of a turn. Templates open `<think>` there, and a
 * started answer continues there.
 * @example openedInPrompt('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n', replySyntaxes.hermes) // => 'assistant\n<think>\n'
 */
export function openedInPrompt(prompt: string, { turns, ends }: ReplySyntax): string {
  const starts = [...turns, ...ends].map((mark) => {
    const at = prompt.lastIndexOf(mark)
    return at < 0 ? 0 : at + mark.length
  })
  return prompt.slice(Math.max(0, ...starts))
}

/**
 * Reads a whole reply, given as text or as token ids, with exact arguments (`1.0` is a float); programs get plain JSON from `parseReply`.
 *
 * @example
 * const { text, calls } = parseExactReply('Sure.<tool_call>{"name": "now", "arguments": {}}</tool_call>', 'hermes')
 * text // => 'Sure.'
 * calls.map((call) => call.kind === 'call' && call.name) // => ['now']
 */
export function parseExactReply(reply: string | readonly number[], syntax: SyntaxName | ReplySyntax, options: ParseOptions = {}): Reply {
  const parser = new ReplyParser(syntax, options)
  parser.push(reply)
  parser.end()
  return parser.reply
}

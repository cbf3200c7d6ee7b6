import { PromptError } from '../../base/errors/prompt-error.ts'
import { type CompileOptions, renderChatPieces, type Template, type TemplateCompiler, TemplateError } from '../../base/jinja/index.ts'
import type { Statement } from '../../base/jinja/syntax/ast.ts'
import { parseTemplate } from '../../base/jinja/syntax/parser.ts'
import { isList, type PyValue } from '../../base/python/index.ts'
import type { TextPiece } from '../../base/text/index.ts'
import { type EndOfTurn, endOfTurnOf } from '../training/end-of-turn.ts'
import type { WriteChat } from '../training/written.ts'
import { call, calling, type ProbeChat, type ProbeMessage, tool, user } from './chats.ts'
import type { Span } from './rule.ts'

/** What is known of the tokenizer that goes with a template. */
export type TokenizerFacts = {
  /** `bos_token`, `eos_token`, …; undefined where nobody says. */
  tokens?: Readonly<Record<string, string>>
  /** Whether it puts BOS before every text. */
  addsBos?: boolean
  /** Tokens that end generation beside `eos_token`, as the model's files say. */
  stops?: readonly string[]
  /** Texts that it reads as one token each: markers must be among them. */
  specials?: readonly string[]
  /** The model has another template for chats with tools. */
  hasToolTemplate?: boolean
}

/** A conversation as the template writes it, with the code behind every character. */
export type WrittenChat = { text: string; pieces: readonly TextPiece[]; steps: number }

const clock = new Date(2024, 6, 26, 12)

/** Enough for a hundred messages in any template that people use; one that needs more is not examined further. */
const limits = { steps: 300_000 }

/** A chat template that is examined: what it writes for conversations, each written once. */
export class TemplateSubject {
  /** As it is read: `\n` ends lines. */
  readonly source: string
  readonly body: readonly Statement[]
  /** The tokens that it is rendered with; where nobody says, stand-ins for those that it asks for. */
  readonly tokens: Readonly<Record<string, string>>
  readonly facts: TokenizerFacts
  /** What reads and renders templates. */
  readonly compile: TemplateCompiler
  readonly #template: Template
  readonly #written = new Map<string, WrittenChat | PromptError>()
  #exhausted: PromptError | undefined
  #takesParts: boolean | undefined
  #takesTexts: boolean | undefined
  #end: EndOfTurn | undefined

  constructor(source: string, facts: TokenizerFacts, compile: TemplateCompiler, options: CompileOptions = {}) {
    this.facts = facts
    this.compile = compile
    this.#template = compile(source, { ...options, isTraced: true })
    this.tokens = facts.tokens ?? standIns(this.#template.names)
    const parsed = parseTemplate(source, options.name ?? 'chat_template')
    this.source = parsed.source
    this.body = parsed.body
  }

  /** The limit that it ran into; after that nothing more is written. */
  get exhausted(): PromptError | undefined {
    return this.#exhausted
  }

  /** The names it takes from outside. */
  get names(): readonly string[] {
    return this.#template.names
  }

  /** What it writes; undefined where it refuses the conversation. */
  write(chat: ProbeChat): WrittenChat | undefined {
    const written = this.#attempt(chat)
    return written instanceof PromptError ? undefined : written
  }

  /** Why it refuses a conversation. */
  refusal(chat: ProbeChat): PromptError | undefined {
    const written = this.#attempt(chat)
    return written instanceof PromptError ? written : undefined
  }

  /** Whether something is part of what it writes for a conversation; undefined where it refuses it. */
  shows(chat: ProbeChat, word: string): boolean | undefined {
    return this.write(chat)?.text.includes(word)
  }

  /** Some templates take nothing but lists of parts. */
  get takesOnlyParts(): boolean {
    if (this.#takesParts === undefined) {
      this.#takesParts = false
      const isShown = (content: PyValue) => this.shows({ messages: [{ role: 'user', content }] }, 'qzUser') === true
      const parts = [{ type: 'text', text: 'qzUser' }]
      this.#takesParts = !isShown('qzUser') && isShown(parts)
      // What was written before was not written so.
      if (this.#takesParts) this.#written.clear()
    }
    return this.#takesParts
  }

  /** Some templates take the arguments of calls only as JSON text. */
  get takesOnlyTextArguments(): boolean {
    if (this.#takesTexts === undefined) {
      this.#takesTexts = false
      const isShown = (given: PyValue) => this.shows({ messages: [user(), calling([call(0, given)])], tools: [tool] }, 'qzValue') === true
      this.#takesTexts = !isShown({ qzKey: 'qzValue' }) && isShown('{"qzKey": "qzValue"}')
      if (this.#takesTexts) this.#written.clear()
    }
    return this.#takesTexts
  }

  /** Writes messages, for what examines any format. */
  writer(more: Omit<ProbeChat, 'messages' | 'isAsked'> = {}): WriteChat<ProbeMessage> {
    return (messages, isAsked) => {
      const written = this.#attempt({ ...more, messages, isAsked })
      if (written instanceof PromptError) throw written
      return written
    }
  }

  /** What ends the model's turn. Some templates cannot be written without tools. */
  get end(): EndOfTurn {
    if (this.#end === undefined) {
      const markers = Object.values(this.tokens)
      const without = endOfTurnOf(this.writer(), markers)
      this.#end = without.marker === undefined ? endOfTurnOf(this.writer({ tools: [tool] }), markers) : without
    }
    return this.#end
  }

  /** Whether it can write the simplest conversations at all. */
  get isUsable(): boolean {
    return this.write({ messages: [user()], isAsked: true }) !== undefined
  }

  /** Where an error happened. */
  spanOf(error: PromptError): Span | undefined {
    if (!(error instanceof TemplateError)) return undefined
    const before = this.source.split('\n').slice(0, error.line - 1)
    const line = [...(this.source.split('\n')[error.line - 1] ?? '')]
    const start = before.reduce((sum, one) => sum + one.length + 1, 0) + line.slice(0, error.column - 1).join('').length
    return { start, end: start + Math.max(1, error.expression.length) }
  }

  #attempt(chat: ProbeChat): WrittenChat | PromptError {
    const key = JSON.stringify([chat, this.#takesParts])
    const known = this.#written.get(key)
    if (known !== undefined) return known
    const written = this.#exhausted ?? this.#render(chat)
    this.#written.set(key, written)
    // Nobody waits for a hundred renders of a template that never ends.
    if (written instanceof TemplateError && written.type === 'LimitError') this.#exhausted = written
    return written
  }

  /** The message as this template takes it. */
  #shape(message: ProbeMessage): ProbeMessage {
    const { content, tool_calls: calls } = message
    const shaped = { ...message }
    if (this.takesOnlyParts && typeof content === 'string') shaped.content = [{ type: 'text', text: content }]
    if (isList(calls) && this.takesOnlyTextArguments) shaped.tool_calls = calls.map(withTextArguments)
    return shaped
  }

  #render({ messages, tools, isAsked = false, kwargs, clock: time = clock }: ProbeChat): WrittenChat | PromptError {
    const shaped = messages.map((message) => this.#shape(message))
    try {
      return renderChatPieces(
        this.#template,
        { messages: shaped, tools: tools ?? null, addGenerationPrompt: isAsked, tokens: this.tokens, kwargs },
        { clock: time, limits },
      )
    } catch (error) {
      if (error instanceof PromptError) return error
      throw error
    }
  }
}

/** `<eos_token>` for `eos_token`: what a template writes by a token's name shows as such. */
function standIns(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (/^(?:bos|eos|pad|unk)_token$/.test(name) ? [[name, `<${name}>`]] : [])))
}

function withTextArguments(given: PyValue): PyValue {
  const { function: called, ...rest } = given as { function: { name: string; arguments: PyValue } }
  if (typeof called.arguments === 'string') return given
  return { ...rest, function: { name: called.name, arguments: JSON.stringify(called.arguments) } } as PyValue
}

/** The code that wrote a character, or what stands nearest before it. */
export function codeAt({ pieces }: WrittenChat, offset: number): Span | undefined {
  let at = 0
  let last: Span | undefined
  for (const { text, source } of pieces) {
    if (at > offset) break
    if (source.by === 'format' && source.span) last = { start: source.span[0], end: source.span[1] }
    at += text.length
  }
  return last
}

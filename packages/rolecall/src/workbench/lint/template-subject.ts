import { PromptError } from '@rolecall/core/internal/errors'
import type { JinjaStatement, Span } from '@rolecall/core/internal/jinja'
import {
  type CompileOptions,
  type JinjaTemplate,
  parseTemplate,
  type RenderedChatPieces,
  renderChatPieces,
  type TemplateCompiler,
  TemplateError,
} from '@rolecall/core/internal/jinja'
import type { WriteChat } from '@rolecall/core/internal/masks'
import { type EndOfTurn, endOfTurnOf } from '@rolecall/core/internal/masks'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import { call, calling, type ProbeChat, type ProbeMessage, tool, user } from './probe-chats.ts'

/** Facts about the tokenizer that belongs to a template. */
export type TokenizerFacts = {
  /** `bos_token`, `eos_token`, …; undefined if unknown. */
  tokens?: Readonly<Record<string, string>>
  /** Whether it prepends BOS to every text. */
  addsBos?: boolean
  /** Tokens that stop generation in addition to `eos_token`, from the model's files. */
  stops?: readonly string[]
  /** Texts that are single tokens; markers must be among them. */
  specials?: readonly string[]
  /** The model has a separate template for chats with tools. */
  hasToolTemplate?: boolean
}

/** A rendered conversation, with the code that wrote each character. */
export type WrittenChat = RenderedChatPieces

const clock = new Date(2024, 6, 26, 12)

/** Enough for a hundred messages in any real template; templates that need more are not checked further. */
const limits = { steps: 300_000 }

/** A chat template to lint; renders each conversation once. */
export class TemplateSubject {
  /** With normalized line breaks. */
  readonly source: string
  readonly body: readonly JinjaStatement[]
  /** The tokens to render with; placeholders if unknown. */
  readonly tokens: Readonly<Record<string, string>>
  readonly facts: TokenizerFacts
  /** Compiles and renders templates. */
  readonly compile: TemplateCompiler
  readonly #template: JinjaTemplate
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

  /** The limit it exceeded; nothing more is rendered after that. */
  get exhausted(): PromptError | undefined {
    return this.#exhausted
  }

  /** The variables it uses. */
  get names(): readonly string[] {
    return this.#template.names
  }

  /** Renders a conversation; undefined if the template raises an error. */
  write(chat: ProbeChat): WrittenChat | undefined {
    const written = this.#attempt(chat)
    return written instanceof PromptError ? undefined : written
  }

  /** The error it raises for a conversation, if any. */
  refusal(chat: ProbeChat): PromptError | undefined {
    const written = this.#attempt(chat)
    return written instanceof PromptError ? written : undefined
  }

  /** Whether a word is in the prompt of a conversation; undefined if the template raises an error. */
  shows(chat: ProbeChat, word: string): boolean | undefined {
    return this.write(chat)?.text.includes(word)
  }

  /** Some templates accept only lists of parts as content. */
  get takesOnlyParts(): boolean {
    if (this.#takesParts === undefined) {
      this.#takesParts = false
      const isShown = (content: PyValue) => this.shows({ messages: [{ role: 'user', content }] }, 'qzUser') === true
      const parts = [{ type: 'text', text: 'qzUser' }]
      this.#takesParts = !isShown('qzUser') && isShown(parts)
      // Earlier renders used plain strings.
      if (this.#takesParts) this.#written.clear()
    }
    return this.#takesParts
  }

  /** Some templates accept call arguments only as a JSON string. */
  get takesOnlyTextArguments(): boolean {
    if (this.#takesTexts === undefined) {
      this.#takesTexts = false
      const isShown = (given: PyValue) => this.shows({ messages: [user(), calling([call(0, given)])], tools: [tool] }, 'qzValue') === true
      this.#takesTexts = !isShown({ qzKey: 'qzValue' }) && isShown('{"qzKey": "qzValue"}')
      if (this.#takesTexts) this.#written.clear()
    }
    return this.#takesTexts
  }

  /** A writer of messages, for code that works with any format. */
  writer(more: Omit<ProbeChat, 'messages' | 'addGenerationPrompt'> = {}): WriteChat<ProbeMessage> {
    return (messages, addGenerationPrompt) => {
      const written = this.#attempt({ ...more, messages, addGenerationPrompt })
      if (written instanceof PromptError) throw written
      return written
    }
  }

  /** How the model's turn ends. Some templates only render with tools. */
  get end(): EndOfTurn {
    if (this.#end === undefined) {
      const markers = Object.values(this.tokens)
      const without = endOfTurnOf(this.writer(), markers)
      this.#end = without.marker === undefined ? endOfTurnOf(this.writer({ tools: [tool] }), markers) : without
    }
    return this.#end
  }

  /** Whether it can render the simplest conversation. */
  get isUsable(): boolean {
    return this.write({ messages: [user()], addGenerationPrompt: true }) !== undefined
  }

  /** The code range of an error. */
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
    // Do not render a runaway template a hundred times.
    if (written instanceof TemplateError && written.type === 'LimitError') this.#exhausted = written
    return written
  }

  /** Converts a message to the shape this template accepts. */
  #shape(message: ProbeMessage): ProbeMessage {
    const { content, tool_calls: calls } = message
    const shaped = { ...message }
    if (this.takesOnlyParts && typeof content === 'string') shaped.content = [{ type: 'text', text: content }]
    if (isList(calls) && this.takesOnlyTextArguments) shaped.tool_calls = calls.map(withTextArguments)
    return shaped
  }

  #render({ messages, tools, addGenerationPrompt = false, kwargs, clock: time = clock }: ProbeChat): WrittenChat | PromptError {
    const shaped = messages.map((message) => this.#shape(message))
    try {
      return renderChatPieces(
        this.#template,
        { messages: shaped, tools: tools ?? null, addGenerationPrompt: addGenerationPrompt, tokens: this.tokens, kwargs },
        { clock: time, limits },
      )
    } catch (error) {
      if (error instanceof PromptError) return error
      throw error
    }
  }
}

/** Placeholders such as `<eos_token>` for `eos_token`. */
function standIns(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (/^(?:bos|eos|pad|unk)_token$/.test(name) ? [[name, `<${name}>`]] : [])))
}

function withTextArguments(given: PyValue): PyValue {
  const { function: called, ...rest } = given as { function: { name: string; arguments: PyValue } }
  if (typeof called.arguments === 'string') return given
  return { ...rest, function: { name: called.name, arguments: JSON.stringify(called.arguments) } } as PyValue
}

/** The code that wrote a character, or the nearest code before it. */
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

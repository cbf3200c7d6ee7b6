import type { Reply, ReplyCall, ReplyEvent, ReplyPart, ReplyProblem, TextRange } from '../reply.ts'
import type { Block, MarkPair } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import { CallInProgress, type CallRefusal, type CompleteCall } from './call-in-progress.ts'
import type { CompiledSyntax, Markers, Places } from './compile-syntax.ts'
import { GrowingText } from './growing-text.ts'
import type { MarkerSet } from './marker-set.ts'
import { endOfSpace } from './scanners.ts'

export type ReadingState =
  | 'text'
  | 'reasoning'
  /** The head of a message. */
  | 'head'
  /** A message to a tool: its arguments follow. */
  | 'message'
  /** A block has opened; its first character decides what it holds. */
  | 'body'
  /** A list without a mark has opened; what follows decides what it holds. */
  | 'bare-list'
  | 'list'
  | 'list-end'
  /** Before the arguments of a named call. */
  | 'header'
  | 'object'
  | 'tagged'
  | 'python'
  | 'quoted'
  | 'code'
  /** A call is complete; its closing mark should follow. */
  | 'after'
  /** Between calls without marks. */
  | 'between'
  /** The rest of a block that cannot be read. */
  | 'skip'
  /** The turn has ended. */
  | 'done'
  /** The reply has ended. */
  | 'over'

/** A reader of one state: reads until the state changes, and yields when it needs more text. */
export type Steps = Generator<undefined, void, undefined>

/** A reply as far as it has been read: the text at hand, the open block, and what was found. The readers of all states share it. */
export class Reading {
  state: ReadingState = 'text'
  readonly syntax: CompiledSyntax
  readonly tools: ToolChecker | undefined

  /** The text at hand; everything before `at` has been read. */
  text = ''
  at = 0
  /** Where `text` starts in the reply; negative in what the prompt wrote. */
  offset = 0
  /** Nothing follows the text at hand, so that its end cannot become a mark. */
  isFinal = false
  isEnded = false
  /** The text at hand is known to be a token of the model's vocabulary. */
  isToken = false
  /** The marks that count in the text at hand. */
  places: Places

  /** A string or fence that never closed has swallowed marks: from here on they count everywhere. */
  isStrict = false
  isAtStart = true
  skipsSpace = false
  isInSection = false
  /** The open block only wraps other blocks. */
  isInWrapper = false
  /** A message to a reader, in which calls do not count. */
  isSaid = false
  /** The head of a message as far as it was read. Unless certain, it may still turn out to be text. */
  head = ''
  isHeadCertain = false
  /** Text up to the next mark is a heading. */
  isInHeading = false
  hasProblemAfterEnd = false

  /** The open reasoning, and white space that belongs to it only if more follows. */
  span: MarkPair | undefined
  pendingSpace = ''

  block!: Block
  /** Where the block, or the call in it, starts in the reply. */
  blockFrom = 0
  readonly call = new CallInProgress((event) => this.tell(event))
  readonly #raw = new GrowingText()
  /** Where the arguments start in `raw`. */
  argumentsFrom = 0
  /** What the complete call says, and how much of `raw` belongs to it. */
  found: CompleteCall | CallRefusal | undefined
  foundLength = 0
  refusal: CallRefusal | undefined
  /** Where in `raw` the offending character is. */
  wrongFrom: number | undefined
  isInList = false
  /** The block has had a usable call, so that it is a block of calls. */
  hasCalls = false
  /** How many calls the block has had, malformed ones included. */
  callsInBlock = 0
  /** Text between calls without marks, or before what may be a call. */
  lead = ''
  leadFrom = 0
  hasSeparator = false
  /** Ticks of a closing fence that may still come. */
  ticksLeft = 0

  /** How many calls of the reply are complete. */
  calls = 0
  /** Whether anything but white space was said. */
  #hasWords = false
  #events: ReplyEvent[] | undefined
  readonly #parts: ReplyPart[] = []
  readonly #problems: ReplyProblem[] = []
  /** The text or reasoning that is still growing. */
  #current: { kind: 'text' | 'reasoning'; start: number; end: number } | undefined
  readonly #currentText = new GrowingText()
  #rest = ''

  constructor(syntax: CompiledSyntax, tools: ToolChecker | undefined) {
    this.syntax = syntax
    this.tools = tools
    this.places = syntax.inText
  }

  get position(): number {
    return this.offset + this.at
  }

  get isEmpty(): boolean {
    return this.at === this.text.length
  }

  /** The marks that count in the open block. */
  get marks(): Markers {
    return this.places.blocks.get(this.block)!
  }

  /** The text of the call, from its first character that is not white space. */
  get raw(): string {
    return this.#raw.value
  }

  set raw(text: string) {
    this.#raw.value = text
  }

  get rawLength(): number {
    return this.#raw.length
  }

  /** What is being read becomes text if it turns out not to be a call. */
  get isTentative(): boolean {
    return this.block.tentative === true || this.block.open.length === 0
  }

  /** The reply has neither words nor calls so far. */
  get isSilent(): boolean {
    return !this.#hasWords && this.calls === 0
  }

  /** The text at hand is a token that is one of these marks. */
  isTokenOf(marks: Markers): boolean {
    if (!this.isToken) return false
    const marker = marks.match(this.text, 0, true)
    return typeof marker === 'object' && marker.text.length === this.text.length
  }

  passSpace(): void {
    this.at = endOfSpace(this.text, this.at)
  }

  takePendingSpace(): string {
    const space = this.pendingSpace
    this.pendingSpace = ''
    return space
  }

  /** Reads up to `to` as part of the call. */
  takeRaw(to: number): void {
    if (to > this.at) this.#raw.add(this.text.slice(this.at, to))
    this.at = to
  }

  /**
   * The reply has ended in a string or fence that never closed. If it swallowed a mark, the block ended there: reads on from that mark, and
   * from then on marks count everywhere. Does so once in a reply.
   */
  rewind(from: number, marks: MarkerSet<unknown>): boolean {
    if (this.isStrict) return false
    const { at, marker } = marks.find(this.raw, from, true)
    if (marker === undefined) return false
    this.isStrict = true
    this.offset = this.position - (this.raw.length - at)
    this.text = this.raw.slice(at)
    this.at = 0
    this.raw = this.raw.slice(0, at)
    return true
  }

  say(kind: 'text' | 'reasoning', to: number, before = ''): void {
    // What the prompt wrote was not said by the model.
    const start = Math.max(this.at, -this.offset)
    if (start < to && !this.isInHeading) {
      this.#say(kind, before + this.text.slice(start, to), this.offset + start - before.length, this.offset + to)
    }
    this.at = to
  }

  /** Says text that was held back, which starts at the reply's position `start`. */
  sayHeld(held: string, start: number): void {
    const said = start < 0 ? held.slice(-start) : held
    if (said !== '') this.#say('text', said, Math.max(0, start), start + held.length)
  }

  #say(kind: 'text' | 'reasoning', text: string, start: number, end: number): void {
    if (this.#current?.kind !== kind) {
      this.closePart()
      this.#current = { kind, start, end }
    }
    this.#currentText.add(text)
    this.#current.end = end
    this.#hasWords ||= /\S/.test(text)
    this.tell({ type: kind, text })
  }

  /** What follows is a separate part, even if it is of the same kind. */
  closePart(isUnterminated = false): void {
    const part = this.#currentPart()
    if (part === undefined) return
    this.#parts.push(isUnterminated && part.kind === 'reasoning' ? { ...part, unterminated: true } : part)
    this.#current = undefined
    this.#currentText.value = ''
  }

  #currentPart(): Extract<ReplyPart, { text: string }> | undefined {
    return this.#current && { kind: this.#current.kind, text: this.#currentText.value, at: [this.#current.start, this.#current.end] }
  }

  addCall(call: ReplyCall): void {
    this.closePart()
    this.#parts.push(call)
    this.tell({ type: 'call-end', index: this.calls++, call })
  }

  report(problem: string, start: number, end = start): void {
    const at: TextRange = [Math.max(0, start), Math.max(0, end)]
    this.#problems.push({ problem, at })
    this.tell({ type: 'problem', problem, at })
  }

  /** Keeps what was generated after the end of the turn. */
  addRest(text: string): void {
    this.#rest += text
  }

  tell(event: ReplyEvent): void {
    // Most chunks have one event, and a literal array costs a fraction of one that grows.
    if (this.#events === undefined) this.#events = [event]
    else this.#events.push(event)
  }

  takeEvents(): ReplyEvent[] {
    const events = this.#events ?? []
    this.#events = undefined
    return events
  }

  get reply(): Reply {
    const current = this.#currentPart()
    const parts = current === undefined ? [...this.#parts] : [...this.#parts, current]
    const textOf = (kind: 'text' | 'reasoning') => parts.map((part) => (part.kind === kind ? part.text : '')).join('')
    const calls = parts.filter((part): part is ReplyCall => part.kind !== 'text' && part.kind !== 'reasoning')
    return { text: textOf('text'), reasoning: textOf('reasoning'), calls, parts, problems: [...this.#problems], rest: this.#rest }
  }
}

import type { Block, Span } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import { CallInProgress } from './call-in-progress.ts'
import type { CodeScanner } from './code-scanner.ts'
import type { CompiledSyntax, Markers, Places } from './compile-syntax.ts'
import { EventList } from './event-list.ts'
import { sliceOf } from './json-text.ts'
import type { MarkerSet } from './marker-set.ts'
import type { ObjectScanner } from './object-scanner.ts'
import type { PythonScanner } from './python-scanner.ts'
import type { QuotedScanner } from './quoted-scanner.ts'
import type { ReadCall, Refusal } from './read-call.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { TaggedCall } from './tagged-call.ts'
import { TextBuffer } from './text-buffer.ts'

export type ReadingState =
  | 'text'
  | 'reasoning'
  /** A block has opened; its first character decides what it is. */
  | 'body'
  | 'object'
  /** A call is complete; its closing mark should follow. */
  | 'after'
  /** Between calls without marks. */
  | 'between'
  | 'list'
  | 'list-end'
  /** Before the arguments of a named call. */
  | 'header'
  /** A call with tagged arguments. */
  | 'tagged'
  /** Python's calls. */
  | 'python'
  /** A call whose texts stand between marks of their own. */
  | 'quoted'
  /** A list without a mark has opened; what follows decides what it holds. */
  | 'bare-list'
  /** The head of a message. */
  | 'head'
  /** A message to a tool: its arguments follow. */
  | 'message'
  /** The rest of a block that cannot be read. */
  | 'skip'
  | 'code'
  /** The turn has ended. */
  | 'done'

/** How far a reply has been read: what the steps (in `steps/`) share. Each reads some of the current text and hands back where it stopped. */
export class Reading {
  state: ReadingState = 'text'
  readonly syntax: CompiledSyntax
  readonly tools: ToolChecker | undefined
  readonly collector = new ReplyCollector()
  readonly events = new EventList()
  /** The marks that count in the current text. */
  places: Places
  /** Where the current text starts in the reply; negative in what the prompt wrote. */
  offset = 0
  /** What has been handed in but not read: it may be the start of a mark. */
  held = ''
  /** The marks that what is held may become the start of, if that is all that it waits for. */
  awaited: MarkerSet<unknown> | undefined
  /** No more text follows the current one, so that what might become a mark is none. */
  isFinal = false
  /** The rest of the current text is held. */
  isHolding = false
  /** A string or fence that never closed has swallowed markers: from there on they count wherever they stand. */
  isStrict = false
  isAtStart = true
  skipsSpace = false
  isInSection = false
  /** What is open is a block that only wraps others. */
  isInWrapper = false
  /** A message to a reader, in which no call counts. */
  isSaid = false
  /** The head of a message as far as it was read, and whether it may still be the reply's text. */
  readonly head = new TextBuffer()
  isHeadCertain = false
  hasProblemAfterEnd = false
  /** Up to the next mark the text is a heading. */
  isInHeading = false

  /** The reasoning that is open, and white space that belongs to it if more follows. */
  span: Span | undefined
  thoughtMarkers: Markers | undefined
  pendingSpace = ''

  /** The block that is open, and where it or the call in it starts. */
  block!: Block
  blockMarkers!: Markers
  blockFrom = 0
  /** The call that is being written: it begins anew with each, since making one costs more. */
  readonly call = new CallInProgress(this.events)
  object!: ObjectScanner
  /** Nothing of the object has been read. */
  isObjectNew = false
  code!: CodeScanner
  tagged!: TaggedCall
  python!: PythonScanner
  quoted!: QuotedScanner
  /** How many calls are complete. */
  calls = 0
  /** What the call consists of, from its first character that is not white space. */
  readonly raw = new TextBuffer()
  rawFrom = 0
  /** How much of `raw` stands before the object. */
  objectFrom = 0
  /** What the complete object says. */
  found: ReadCall | Refusal | undefined
  /** How much of `raw` is the call itself, without what follows it. */
  rawLength = 0
  refusal: Refusal | undefined
  /** Where in `raw` stands what is wrong. */
  wrongFrom: number | undefined
  isInList = false
  /** A call was found in the block that is open, so that it is one of calls. */
  hasCalls = false
  /** How many calls, malformed ones included, the block that is open has had. */
  callsInBlock = 0
  /** What stands between calls without marks, or before what may be a call. */
  lead = ''
  leadFrom = 0
  hasSeparator = false
  /** Ticks of a closing fence that may still come. */
  ticksLeft = 0

  constructor(syntax: CompiledSyntax, tools: ToolChecker | undefined) {
    this.syntax = syntax
    this.tools = tools
    this.places = syntax.inText
  }

  /** What is being read becomes text if it turns out to be no call. */
  get isTentative(): boolean {
    return this.block.tentative === true || this.block.open.length === 0
  }

  /** Nothing was said and nothing called so far. */
  get isSilent(): boolean {
    return !this.collector.hasWords && this.calls === 0
  }

  /** The rest of the current text waits: it may become one of these marks, or something else that needs a look at all of it. */
  hold(at: number, marks?: MarkerSet<unknown>): number {
    this.isHolding = true
    this.awaited = marks
    return at
  }

  startThought(span: Span): void {
    this.state = 'reasoning'
    this.span = span
    this.thoughtMarkers = this.syntax.inText.reasoning.get(span)
    this.skipsSpace = true
  }

  takePendingSpace(): string {
    const space = this.pendingSpace
    this.pendingSpace = ''
    return space
  }

  say(kind: 'text' | 'reasoning', text: string, from: number, to: number, before = ''): void {
    // What the prompt wrote is not said by the model.
    const start = Math.max(from, -this.offset)
    if (start >= to || this.isInHeading) return
    const said = before + sliceOf(text, start, to)
    this.collector.say(kind, said, this.offset + start - before.length, this.offset + to)
    this.events.tell({ type: kind, text: said })
  }

  /** Text that was held back from the reply's position `start` on. */
  sayHeld(held: string, start: number): void {
    const own = start < 0 ? held.slice(-start) : held
    if (own === '') return
    this.collector.say('text', own, Math.max(0, start), start + held.length)
    this.events.tell({ type: 'text', text: own })
  }

  report(problem: string, start: number, end = start): void {
    const at = [Math.max(0, start), Math.max(0, end)] as const
    this.collector.problem(problem, at)
    this.events.tell({ type: 'problem', problem, at })
  }
}

import { PromptError } from '../prompt-error.ts'
import { CallInProgress } from './call-in-progress.ts'
import { CodeScanner } from './code-scanner.ts'
import { type CompiledSyntax, compileSyntax, type Markers, type Meaning, type Places } from './compile-syntax.ts'
import { IdReader, type ReplyTokens } from './id-reader.ts'
import { ObjectScanner } from './object-scanner.ts'
import { openedInPrompt } from './opened-in-prompt.ts'
import { type ReadCall, type Refusal, readHeader } from './read-call.ts'
import type { At, CallError, Reply, ReplyCall, ReplyEvent, UsableCall } from './reply.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { Block, ReplySyntax, Span } from './syntax.ts'
import { replySyntax, type SyntaxName } from './syntaxes/index.ts'
import { TextBuffer } from './text-buffer.ts'
import { ToolChecker } from './tool-checker.ts'

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
  readonly #syntax: CompiledSyntax
  readonly #tools: ToolChecker | undefined
  readonly #ids: IdReader | undefined
  readonly #collector = new ReplyCollector()
  #events: ReplyEvent[] | undefined
  readonly #tell = (event: ReplyEvent): void => {
    // Most pieces tell one thing; an array made with it costs a fraction of one that is pushed to.
    if (this.#events === undefined) this.#events = [event]
    else this.#events.push(event)
  }

  #state: 'text' | 'reasoning' | 'body' | 'object' | 'after' | 'between' | 'list' | 'list-end' | 'header' | 'skip' | 'code' | 'done' =
    'text'
  /** Where the current text starts in the reply; negative in what the prompt wrote. */
  #offset = 0
  #held = ''
  #isHeldToken = false
  #isHolding = false
  #isFinal = false
  #isEnded = false
  /** A string or fence that never closed has swallowed markers: from there on they count wherever they stand. */
  #isStrict = false
  #places: Places
  #isAtStart = true
  #skipsSpace = false
  #isInSection = false
  #hasProblemAfterEnd = false

  #span: Span | undefined
  #pendingSpace = ''

  #block!: Block
  #blockMarkers!: Markers
  #blockFrom = 0
  #call!: CallInProgress
  #object!: ObjectScanner
  #code!: CodeScanner
  #calls = 0
  readonly #raw = new TextBuffer()
  #rawFrom = 0
  /** How much of `raw` stands before the object. */
  #objectFrom = 0
  /** What the complete object says. */
  #found: ReadCall | Refusal | undefined
  /** How much of `raw` is the call itself, without what follows it. */
  #rawLength = 0
  #refusal: Refusal | undefined
  /** Where in `raw` stands what is wrong. */
  #wrongFrom: number | undefined
  #isInList = false
  /** What stands between calls without marks. */
  #lead = ''
  #hasSeparator = false
  /** Ticks of a closing fence that may still come. */
  #ticksLeft = 0

  constructor(syntax: SyntaxName | ReplySyntax, { prompt, tools, tokens }: ParseOptions = {}) {
    const found = typeof syntax === 'string' ? replySyntax(syntax) : syntax
    this.#syntax = compileSyntax(found, tokens && ((mark) => tokens.idOf(mark) !== undefined))
    this.#places = this.#syntax.inText
    this.#tools = tools && new ToolChecker(tools)
    this.#ids = tokens && new IdReader(found, tokens)
    if (prompt === undefined) return
    const opened = openedInPrompt(prompt, found)
    this.#offset = -opened.length
    this.#feed(opened, true)
    this.#pendingSpace = ''
  }

  /** The next piece of the reply: text, or token ids. Hands back what is now certain. */
  push(piece: string | readonly number[]): ReplyEvent[] {
    if (this.#isEnded) {
      throw new PromptError('reply-ended', { where: 'push', problem: 'the reply has ended', fix: 'make a new parser for the next reply' })
    }
    if (typeof piece === 'string') this.#feed(piece, false)
    else this.#feedIds(piece)
    return this.#takeEvents()
  }

  /** There is no more: decides what was still open. */
  end(): ReplyEvent[] {
    if (this.#isEnded) return []
    this.#feedRestOfIds()
    this.#isEnded = true
    this.#isFinal = true
    this.#feed('', this.#isHeldToken)
    while (!this.#endState()) this.#run('', false)
    return this.#takeEvents()
  }

  /** What has been read so far. */
  get reply(): Reply {
    return this.#collector.reply()
  }

  #takeEvents(): ReplyEvent[] {
    const events = this.#events
    this.#events = undefined
    return events ?? []
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

  #feedRestOfIds(): void {
    const rest = this.#ids?.rest() ?? ''
    if (rest !== '') this.#feed(rest, false)
  }

  #feed(piece: string, isToken: boolean): void {
    // With ids, a mark is one token or a row of tokens: text can neither begin nor go on with one.
    if (this.#held !== '' && this.#ids !== undefined && isToken !== this.#isHeldToken && !this.#isFinal) {
      this.#isFinal = true
      this.#run('', this.#isHeldToken)
      this.#isFinal = false
    }
    this.#run(piece, isToken)
  }

  #run(piece: string, isToken: boolean): void {
    const text = this.#held === '' ? piece : this.#held + piece
    const places = isToken ? this.#syntax.asTokens : this.#syntax.inText
    if (places !== this.#places) {
      this.#places = places
      if (this.#block !== undefined) this.#blockMarkers = places.blocks.get(this.#block)!
    }
    if (isToken && this.#ids !== undefined) this.#endByToken(text)
    this.#isHolding = false
    let at = 0
    while (at < text.length && !this.#isHolding) at = this.#step(text, at)
    this.#offset += at
    this.#held = at === text.length ? '' : text.slice(at)
    this.#isHeldToken = isToken
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return this.#stepText(text, at)
      case 'reasoning':
        return this.#stepReasoning(text, at)
      case 'body':
        return this.#stepBody(text, at)
      case 'object':
        return this.#stepObject(text, at)
      case 'after':
        return this.#stepAfter(text, at)
      case 'between':
        return this.#stepBetween(text, at)
      case 'list':
      case 'list-end':
        return this.#stepList(text, at)
      case 'header':
        return this.#stepHeader(text, at)
      case 'skip':
        return this.#stepSkip(text, at)
      case 'code':
        return this.#stepCode(text, at)
      case 'done':
        return this.#stepDone(text, at)
      default:
        return this.#state satisfies never
    }
  }

  // ── text and reasoning

  #stepText(text: string, from: number): number {
    let at = from
    if (this.#skipsSpace) {
      at = passSpace(text, at)
      if (at === text.length) return at
      this.#skipsSpace = false
    }
    if (this.#isAtStart && this.#syntax.bare !== undefined) {
      const start = passSpace(text, at)
      this.#say('text', text, at, start)
      if (start === text.length) return start
      at = start
      if (text[at] === '{') {
        this.#isAtStart = false
        this.#startBlock(this.#syntax.bare, at)
        return at
      }
    }
    const markers = this.#places.text
    const found = markers.find(text, at, this.#isFinal)
    const stop = found === 'none' ? text.length : markers.at
    if (stop > at) {
      this.#isAtStart = false
      this.#say('text', text, at, stop)
    }
    if (found === 'none') return stop
    return found === 'partial' ? this.#hold(stop) : this.#readMark(text, stop, markers)
  }

  #stepReasoning(text: string, from: number): number {
    const at = this.#skipsSpace ? passSpace(text, from) : from
    if (at === text.length) return at
    this.#skipsSpace = false
    const markers = this.#places.reasoning.get(this.#span!)!
    const found = markers.find(text, at, this.#isFinal)
    const stop = found === 'none' ? text.length : markers.at
    let last = stop
    while (last > at && isSpace(text.charCodeAt(last - 1))) last--
    if (last > at) {
      this.#say('reasoning', text, at, last, this.#pendingSpace)
      this.#pendingSpace = ''
    }
    this.#pendingSpace += text.slice(last, stop)
    if (found === 'none') return stop
    return found === 'partial' ? this.#hold(stop) : this.#readMark(text, stop, markers)
  }

  #stepDone(text: string, at: number): number {
    this.#collector.after(text.slice(at))
    const first = this.#hasProblemAfterEnd ? text.length : passSpace(text, at)
    if (first < text.length) {
      this.#hasProblemAfterEnd = true
      this.#report('the model went on after its turn had ended', this.#offset + first, this.#offset + first)
    }
    return text.length
  }

  #say(kind: 'text' | 'reasoning', text: string, from: number, to: number, before = ''): void {
    // What the prompt wrote is not said by the model.
    const start = Math.max(from, -this.#offset)
    if (start >= to) return
    const said = before + text.slice(start, to)
    this.#collector.say(kind, said, this.#offset + start - before.length, this.#offset + to)
    this.#tell({ type: kind, text: said })
  }

  /** Text that was held back from the reply's position `start` on. */
  #sayHeld(held: string, start: number): void {
    const own = start < 0 ? held.slice(-start) : held
    if (own === '') return
    this.#collector.say('text', own, Math.max(0, start), start + held.length)
    this.#tell({ type: 'text', text: own })
  }

  // ── marks

  #hold(at: number): number {
    this.#isHolding = true
    return at
  }

  /** Reads the mark that was just found and hands back where it ends. */
  #readMark(text: string, at: number, { meaning, length }: Markers): number {
    this.#followMark(meaning!, text, at, length)
    return at + length
  }

  #followMark(meaning: Meaning, text: string, at: number, length: number): void {
    switch (meaning.kind) {
      case 'open':
        this.#isAtStart = false
        this.#startBlock(meaning.block, at)
        return
      case 'close':
        this.#toText()
        return
      case 'end':
        if (this.#state === 'reasoning') this.#endReasoning(true, at)
        this.#state = 'done'
        return
      case 'reasoning':
        this.#state = 'reasoning'
        this.#span = meaning.span
        this.#collector.close()
        this.#skipsSpace = true
        return
      case 'reasoning-close':
        if (this.#state === 'reasoning') {
          this.#endReasoning(false, at)
          this.#toText()
          this.#skipsSpace = true
          return
        }
        this.#say('text', text, at, at + length)
        this.#report(
          `${meaning.span.close} without ${meaning.span.open}: was it opened in the prompt?`,
          this.#offset + at,
          this.#offset + at + length,
        )
        return
      case 'section':
        this.#collector.close()
        this.#toText()
        this.#isInSection = meaning.isOpen
        this.#skipsSpace = meaning.isOpen
        return
      default:
        meaning satisfies never
    }
  }

  #toText(): void {
    this.#state = 'text'
    this.#skipsSpace = this.#isInSection
  }

  #endReasoning(isUnterminated: boolean, at: number): void {
    this.#pendingSpace = ''
    this.#collector.close(isUnterminated)
    if (isUnterminated) this.#report(`the reply ends before ${this.#span!.close}`, this.#offset + at, this.#offset + at)
  }

  #report(problem: string, start: number, end: number): void {
    const at = [Math.max(0, start), Math.max(0, end)] as const
    this.#collector.problem(problem, at)
    this.#tell({ type: 'problem', problem, at })
  }

  // ── calls and code

  #startBlock(block: Block, at: number): void {
    this.#block = block
    this.#blockMarkers = this.#places.blocks.get(block)!
    this.#isInList = false
    this.#lead = ''
    if (block.open.length > 0) this.#collector.close()
    this.#state = 'body'
    this.#startCall(this.#offset + at)
  }

  #startCall(from: number): void {
    const { json, open } = this.#block
    this.#blockFrom = from
    this.#call = new CallInProgress(this.#calls, json, open.length > 0, this.#tell)
    this.#raw.clear()
    this.#rawFrom = from
    this.#objectFrom = 0
    this.#refusal = undefined
    this.#wrongFrom = undefined
    this.#found = undefined
    this.#ticksLeft = 0
  }

  #stepBody(text: string, from: number): number {
    const at = passSpace(text, from)
    if (at === text.length) return at
    const { json, named, code } = this.#block
    this.#rawFrom = this.#offset + at
    const found = this.#blockMarkers.match(text, at, this.#isFinal)
    if (found === 'partial') return this.#hold(at)
    if (found === 'found') {
      if (code === undefined) return this.#refuse('malformed', 'the call is empty', at)
      this.#code = this.#newCode()
      return this.#endCode(text, at)
    }
    const first = text[at]
    if (json !== undefined && first === '{') this.#startObject()
    else if (json?.list && first === '[') {
      this.#state = 'list'
      this.#isInList = true
      return at + 1
    } else if (named !== undefined) this.#state = 'header'
    else if (code !== undefined) {
      this.#state = 'code'
      this.#code = this.#newCode()
    } else return this.#refuse('malformed', "expected '{'", at, true)
    return at
  }

  #startObject(): void {
    this.#state = 'object'
    this.#object = new ObjectScanner(!this.#isStrict, this.#call)
  }

  #stepObject(text: string, at: number): number {
    const stop = this.#object.scan(text, at, this.#blockMarkers, this.#isFinal)
    const piece = text.slice(at, stop)
    this.#raw.add(piece)
    if (this.#objectFrom > 0 && piece !== '') this.#call.addArguments(piece)
    switch (this.#object.status) {
      case 'more':
        return stop
      case 'partial':
        return this.#hold(stop)
      case 'stop':
        return this.#becomeText(stop)
      case 'marker':
        return this.#call.isCertain ? this.#refuse('truncated', endsEarly, stop) : this.#becomeText(stop)
      case 'end':
        return this.#call.isCertain ? this.#endObject(stop) : this.#becomeText(stop)
      default:
        return this.#object.status satisfies never
    }
  }

  /** JSON without a mark that turns out to be no call. */
  #becomeText(at: number): number {
    this.#sayHeld(this.#lead + this.#raw.toString(), this.#rawFrom - this.#lead.length)
    this.#raw.clear()
    this.#state = 'text'
    return at
  }

  #endObject(at: number): number {
    this.#found = this.#call.read(this.#raw.toString(), this.#objectFrom, this.#object.isPlain)
    this.#rawLength = this.#raw.length
    if (this.#block.close !== undefined && !this.#isInList) {
      this.#state = 'after'
      return at
    }
    this.#finishCall(this.#offset + at, false)
    this.#lead = ''
    this.#hasSeparator = false
    this.#state = this.#isInList ? 'list' : this.#block.json?.separator === undefined ? 'text' : 'between'
    return at
  }

  #stepAfter(text: string, from: number): number {
    let at = passSpace(text, from)
    while (this.#ticksLeft > 0 && at < text.length && text.charCodeAt(at) === 0x60) {
      this.#ticksLeft--
      at = this.#ticksLeft === 0 ? passSpace(text, at + 1) : at + 1
    }
    this.#raw.add(text.slice(from, at))
    if (at === text.length) return at
    const markers = this.#blockMarkers
    const found = markers.match(text, at, this.#isFinal)
    if (found === 'partial') return this.#hold(at)
    if (found === 'none') return this.#refuse('trailing-text', `expected ${this.#block.close}`, at, true)
    const isClosed = markers.meaning!.kind === 'close'
    this.#finishCall(this.#offset + at + (isClosed ? markers.length : 0), !isClosed)
    return this.#readMark(text, at, markers)
  }

  /** Between calls without marks: white space and a separator belong to them only if another call follows. */
  #stepBetween(text: string, from: number): number {
    const { separator } = this.#block.json!
    let at = passSpace(text, from)
    if (!this.#hasSeparator && text[at] === separator) {
      this.#hasSeparator = true
      at = passSpace(text, at + 1)
    }
    this.#lead += text.slice(from, at)
    if (at === text.length) return at
    const lead = this.#lead
    this.#lead = ''
    if (text[at] === '{') {
      this.#startBlock(this.#block, at)
      this.#lead = lead
    } else {
      this.#sayHeld(lead, this.#offset + at - lead.length)
      this.#state = 'text'
    }
    return at
  }

  #stepList(text: string, from: number): number {
    const at = passSpace(text, from)
    if (at === text.length) return at
    const markers = this.#blockMarkers
    const found = markers.match(text, at, this.#isFinal)
    if (found === 'partial') return this.#hold(at)
    if (found === 'found') {
      if (this.#state === 'list') this.#reportOpenList(at)
      return this.#readMark(text, at, markers)
    }
    const first = text[at]
    if (this.#state === 'list-end') {
      if (this.#block.close === undefined) {
        this.#state = 'text'
        return at
      }
      this.#startCall(this.#offset + at)
      return this.#refuse('trailing-text', `expected ${this.#block.close}`, at, true)
    }
    if (first === ']') this.#state = 'list-end'
    if (first === ']' || first === ',') return at + 1
    this.#startCall(this.#offset + at)
    if (first !== '{') return this.#refuse('malformed', 'expected a call', at, true)
    this.#startObject()
    return at
  }

  #reportOpenList(at: number): void {
    this.#report('the list of calls is not closed', this.#offset + at, this.#offset + at)
  }

  #stepHeader(text: string, from: number): number {
    const markers = this.#blockMarkers
    const brace = text.indexOf('{', from)
    const before = brace < 0 ? text : text.slice(0, brace)
    const found = markers.find(before, from, this.#isFinal || brace >= 0)
    const stop = found === 'none' ? before.length : markers.at
    this.#raw.add(text.slice(from, stop))
    if (found === 'partial') return this.#hold(stop)
    if (found === 'found') return this.#refuse('malformed', "expected the arguments' '{', found the end of the call", stop)
    if (brace < 0) return stop
    const header = readHeader(this.#raw.toString(), this.#block.named!)
    if ('error' in header) {
      this.#refusal = header
      this.#state = 'skip'
      return stop
    }
    this.#call = new CallInProgress(this.#calls, undefined, true, this.#tell)
    this.#call.startNamed(header.name, header.id)
    this.#ticksLeft = header.isFenced ? 3 : 0
    this.#objectFrom = this.#raw.length
    this.#startObject()
    return stop
  }

  #stepSkip(text: string, at: number): number {
    const markers = this.#blockMarkers
    const found = markers.find(text, at, this.#isFinal)
    const stop = found === 'none' ? text.length : markers.at
    this.#raw.add(text.slice(at, stop))
    if (found === 'none') return stop
    if (found === 'partial') return this.#hold(stop)
    const isClosed = markers.meaning!.kind === 'close'
    this.#finishRefusal(this.#offset + stop + (isClosed ? markers.length : 0), this.#block.close !== undefined && !isClosed)
    return this.#readMark(text, stop, markers)
  }

  /** The rest of the block cannot be read. `showsNext`: what comes next is what is wrong; its character may not be complete yet. */
  #refuse(error: CallError, problem: string, at: number, showsNext = false): number {
    // What was wrong first is what is told.
    const isFirst = this.#found === undefined || !('error' in this.#found)
    this.#refusal = isFirst ? { error, problem } : (this.#found as Refusal)
    this.#wrongFrom = isFirst && showsNext ? this.#raw.length : undefined
    this.#state = 'skip'
    return at
  }

  #finishCall(end: number, isUnterminated: boolean): void {
    const found = this.#found!
    if ('error' in found) {
      this.#refusal = found
      this.#finishRefusal(end, isUnterminated, this.#rawLength)
      return
    }
    const call: UsableCall = {
      kind: 'call',
      name: found.name,
      arguments: found.arguments,
      argumentsText: found.argumentsText,
      ...(found.id === undefined ? {} : { id: found.id }),
      ...(isUnterminated ? { unterminated: true } : {}),
      at: this.#placeOfCall(end),
    }
    const problems = this.#tools?.problemsOf(call) ?? []
    this.#finish(problems.length === 0 ? call : { ...call, problems })
  }

  #finishRefusal(end: number, isUnterminated: boolean, length = this.#raw.length): void {
    const raw = this.#raw.toString().slice(0, length)
    const { error } = this.#refusal!
    const wrong = this.#wrongFrom === undefined ? '' : `, found '${String.fromCodePoint(raw.codePointAt(this.#wrongFrom)!)}'`
    const problem = this.#refusal!.problem + wrong
    const { name } = this.#call
    const at = this.#placeOfCall(end)
    this.#report(`${name === undefined ? 'a call' : `the call of ${name}`} cannot be used: ${problem}`, ...at)
    this.#finish({
      kind: 'malformed',
      error,
      raw,
      problem,
      ...(name === undefined ? {} : { name }),
      ...(isUnterminated ? { unterminated: true } : {}),
      at,
    })
  }

  #placeOfCall(end: number): At {
    return [Math.max(0, this.#blockFrom), Math.max(0, end)]
  }

  #finish(call: ReplyCall): void {
    this.#collector.call(call)
    this.#tell({ type: 'call-end', index: this.#calls++, call })
    this.#found = undefined
    this.#raw.clear()
  }

  #newCode(): CodeScanner {
    const index = this.#calls
    return new CodeScanner(this.#block.code!.fence, !this.#isStrict, (text) => this.#tell({ type: 'code', index, text }))
  }

  #stepCode(text: string, at: number): number {
    const stop = this.#code.scan(text, at, this.#blockMarkers, this.#isFinal)
    this.#raw.add(text.slice(at, stop))
    if (this.#code.status === 'more') return stop
    if (this.#code.status === 'partial') return this.#hold(stop)
    return this.#endCode(text, stop)
  }

  /** The code ends with the mark that was just found. */
  #endCode(text: string, at: number): number {
    const markers = this.#blockMarkers
    const isClosed = markers.meaning!.kind === 'close'
    this.#finishCode(this.#offset + at + (isClosed ? markers.length : 0), this.#block.close !== undefined && !isClosed)
    return this.#readMark(text, at, markers)
  }

  #finishCode(end: number, isUnterminated: boolean): void {
    this.#code.finish()
    const { code, language } = this.#code
    const raw = this.#raw.toString()
    const trimmed = raw.trim()
    if (code === undefined && trimmed !== '') this.#tell({ type: 'code', index: this.#calls, text: trimmed })
    this.#finish({
      kind: 'code',
      code: code ?? trimmed,
      ...(language === undefined ? {} : { language }),
      raw,
      ...(isUnterminated ? { unterminated: true } : {}),
      at: this.#placeOfCall(end),
    })
  }

  // ── the end

  /** A real token ends a call even inside a string or fence: as text, it would have other ids. */
  #endByToken(text: string): void {
    if (this.#state !== 'object' && this.#state !== 'code') return
    const markers = this.#blockMarkers
    if (markers.match(text, 0, true) !== 'found' || markers.length !== text.length) return
    if (this.#state === 'object') {
      if (this.#object.isInString) this.#refuse('truncated', endsEarly, 0)
    } else this.#code.seeMarkers()
  }

  /** Closes what is open at the end of the reply; false if there is more to read. */
  #endState(): boolean {
    const hasClose = this.#block?.close !== undefined
    switch (this.#state) {
      case 'text':
      case 'done':
      case 'list-end':
        return true
      case 'reasoning':
        this.#endReasoning(true, 0)
        break
      case 'body':
        if (this.#block.code === undefined || this.#block.json !== undefined) this.#refuse('truncated', endsEarly, 0)
        else {
          this.#code = this.#newCode()
          this.#finishCode(this.#offset, hasClose)
          break
        }
        return false
      case 'object':
        if (!this.#call.isCertain) this.#becomeText(0)
        else {
          this.#refuse('truncated', endsEarly, 0)
          if (this.#object.isInString) this.#goBack(this.#objectFrom + this.#object.stringFrom)
        }
        return false
      case 'header':
        this.#refuse('truncated', endsEarly, 0)
        return false
      case 'after':
        this.#finishCall(this.#offset, true)
        break
      case 'skip':
        this.#finishRefusal(this.#offset, hasClose)
        break
      case 'code':
        if (this.#code.fenceFrom !== undefined && this.#goBack(this.#code.fenceFrom)) {
          this.#tell({ type: 'reset', index: this.#calls })
          this.#code = this.#newCode()
          this.#state = 'code'
          this.#code.scan(this.#raw.toString(), 0, this.#blockMarkers, true)
          return false
        }
        this.#finishCode(this.#offset, hasClose)
        break
      case 'list':
        this.#reportOpenList(0)
        break
      case 'between':
        this.#sayHeld(this.#lead, this.#offset - this.#lead.length)
        break
      default:
        this.#state satisfies never
    }
    this.#state = 'text'
    return true
  }

  /**
   * A string or fence that never closes has swallowed what follows. If there was a mark in it, the block ended there: the
   * rest is read again, once, and from now on marks count wherever they stand.
   */
  #goBack(from: number): boolean {
    if (this.#isStrict) return false
    const markers = this.#blockMarkers
    const raw = this.#raw.toString()
    if (markers.find(raw, from, true) !== 'found') return false
    this.#isStrict = true
    this.#held = raw.slice(markers.at)
    this.#offset -= this.#held.length
    this.#raw.clear()
    this.#raw.add(raw.slice(0, markers.at))
    return true
  }
}

function passSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const endsEarly = 'the call ends before its JSON does'

import stringWidth from 'string-width'
import { limitsText, reachedText } from '../../evaluation/run/limits-text.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { bar } from '../../evaluation/run/record/results-table.ts'
import { showValue } from '../../evaluation/run/record/show-metric.ts'
import type { RunEvent } from '../../evaluation/run/run-pairs.ts'
import type { Wait } from '../../model/openai/http/wait.ts'
import { AnswerRate } from '../../node/runs/answer-rate.ts'
import type { EvaluationEvent } from '../../node/runs/evaluation-options.ts'
import { RowsSoFar } from '../../node/runs/rows-so-far.ts'
import { colors, noteText, printable } from '../terminal.ts'

/** The output of progress: a terminal shows one changing line, a log gets a line from time to time. */
type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const redrawAfter = 80
/** Milliseconds between lines of a log. */
const logAfter = 60_000

/** How long a terminal shows one of several pairs that run at once, in milliseconds. */
const showFor = 2000

type Running = RunEvent & { kind: 'start' | 'row' }

/** Shows the progress of a run: model and dataset, rows done, rows and tokens per second, time left, errors, waits. */
export class Progress {
  readonly #output: Output
  readonly #now: () => number
  readonly #places = new Map<object, number>()
  readonly #rows = new RowsSoFar()
  #pairs = 0
  #drawn = Number.NEGATIVE_INFINITY
  #logged = 0
  #known = 0
  #failed = 0
  /** By model: rows that it was sent; cached ones would distort the estimate. */
  readonly #rates = new Map<string, AnswerRate>()
  /** `since` and `isLogged` span consecutive waits without an answer in between. */
  #waiting: { wait: Wait; until: number; since: number; isLogged: boolean } | undefined
  #preparing: { pair: object; what: string; logAt: number } | undefined
  /** The workers on the queue, if any. */
  #workers = ''
  #aloneSince: number | undefined
  readonly #shownNotes = new Set<string>()
  /** The latest event of each pair that runs, and the one that the terminal shows. */
  readonly #running = new Map<object, Running>()
  #shown: { pair: object; since: number } | undefined

  readonly #hasPairLines: boolean

  /** `hasPairLines`: a log gets a line for each finished pair. */
  constructor(output: Output, now: () => number = () => performance.now(), hasPairLines = true) {
    this.#output = output
    this.#now = now
    this.#hasPairLines = hasPairLines
  }

  show(event: EvaluationEvent): void {
    switch (event.kind) {
      case 'prepared':
        return
      case 'folder':
        this.#pairs = event.pairs.length
        return
      case 'wait':
        this.#wait(event.wait)
        return
      case 'prepare':
        this.#prepare(event)
        return
      case 'start':
        this.#start(event)
        return
      case 'row':
        this.#row(event)
        return
      case 'end':
        this.#end(event)
        return
      case 'queue':
        this.#crew(event)
        return
      case 'budget':
        this.#say(`${reachedText(event)}; the rows in flight finish`)
        return
      case 'control':
        this.#say(`rolecall runs ctl: ${controlText(event)}`)
        return
      case 'again':
        this.#places.clear()
        this.#failed = 0
        this.#say('rows that failed are sent again')
        return
      case 'trouble':
        this.#say(event.problem)
        return
      default:
        event satisfies never
    }
  }

  /** Refreshes the line; call it about every second, since events may be rare. */
  tick(): void {
    if (this.#running.size === 0) return
    const now = this.#now()
    if (this.#output.isTTY) {
      if (now - this.#drawn >= 1000) this.#drawLine(now)
    } else if (now - this.#logged >= logAfter) this.#log(now)
  }

  /** Clears the line. */
  clear(): void {
    if (this.#output.isTTY) this.#output.write('\r\u001b[2K')
  }

  /** Shows the workers on a queue; each refusal once. */
  #crew({ workers, slots, refusals }: EvaluationEvent & { kind: 'queue' }): void {
    this.#workers =
      workers === 0
        ? colors.yellow('no workers yet')
        : `${workers} ${workers === 1 ? 'worker' : 'workers'} × ${Math.round(slots / workers)}`
    for (const refusal of refusals) this.#note(`a worker refuses: ${refusal}`)
    // Workers need a moment to notice a new run.
    this.#aloneSince = workers > 0 ? undefined : (this.#aloneSince ?? this.#now())
    if (this.#aloneSince === undefined || this.#now() - this.#aloneSince < 3000) return
    this.#note('no workers yet: start some with `rolecall runs worker` and the address of the queue')
  }

  /** Prints each problem once. */
  #note(problem: string): void {
    if (this.#shownNotes.has(problem)) return
    this.#shownNotes.add(problem)
    this.#say(problem)
  }

  #say(problem: string): void {
    this.clear()
    this.#output.write(`${noteText(problem)}\n`)
  }

  /** Preparation may take minutes; logs skip what is over within a second. */
  #prepare({ pair, what, done, total }: RunEvent & { kind: 'prepare' }): void {
    const now = this.#now()
    if (this.#preparing?.pair !== pair || this.#preparing.what !== what) this.#preparing = { pair, what, logAt: now + 1000 }
    const name = printable(`${modelText(pair.name)} · ${pair.name.dataset}`)
    const line = `${name}  ${what} for its examples ${done.toLocaleString('en')}/${total.toLocaleString('en')}`
    if (this.#output.isTTY) this.#draw(line, done === 0)
    else if (now >= this.#preparing.logAt) {
      this.#preparing.logAt = now + logAfter
      this.#output.write(`${line}\n`)
    }
  }

  #start(event: RunEvent & { kind: 'start' }): void {
    this.#places.set(event.pair, this.#places.size + 1)
    this.#rows.add(event)
    const now = this.#now()
    if (this.#places.size === 1) this.#logged = now
    const model = modelText(event.pair.name)
    if (!this.#rates.has(model)) this.#rates.set(model, new AnswerRate(now))
    this.#running.set(event.pair, event)
    this.#shown = { pair: event.pair, since: now }
    this.#drawLine(now)
  }

  #drawLine(now: number): void {
    this.#draw(this.#line(this.#eventToShow(now), now), true)
  }

  /** Pairs that run at once take turns. */
  #eventToShow(now: number): Running {
    const current = this.#shown && this.#running.get(this.#shown.pair)
    if (current && (this.#running.size === 1 || now - this.#shown!.since < showFor)) return current
    const all = [...this.#running.values()]
    const next = all[(all.findIndex(({ pair }) => pair === this.#shown?.pair) + 1) % all.length]!
    this.#shown = { pair: next.pair, since: now }
    return next
  }

  #row(event: RunEvent & { kind: 'row' }): void {
    const { record, from, done, total } = event
    const now = this.#now()
    this.#rows.add(event)
    if (record.error !== undefined) this.#failed++
    if (from === 'model') {
      const { prompt, reused, reply } = record.tokens
      this.#rates.get(modelText(event.pair.name))?.add(prompt - reused + reply, now)
      // An answer arrived: the wait is over.
      if (this.#waiting && now > this.#waiting.until) this.#waiting = undefined
    } else this.#known++
    this.#running.set(event.pair, event)
    if (this.#output.isTTY) {
      if (done === total || now - this.#drawn >= redrawAfter) this.#drawLine(now)
    } else if (now - this.#logged >= logAfter) this.#log(now)
  }

  #log(now: number): void {
    this.#logged = now
    for (const event of this.#running.values()) this.#output.write(`${this.#line(event, now)}\n`)
  }

  #end({ pair, result }: RunEvent & { kind: 'end' }): void {
    this.#running.delete(pair)
    if (this.#output.isTTY || !this.#hasPairLines) return
    const failed = result.failed > 0 ? `  ${result.failed} failed` : ''
    const unit = result.unit === 'percent' ? '' : ` ${result.unit}`
    const seconds = `${result.seconds.toFixed(1)} s`
    this.#output.write(
      `${this.#name({ pair })}  ${result.rows} ${result.rows === 1 ? 'row' : 'rows'}  ${seconds}  ${result.metric} ${showValue(result)}${unit}${failed}\n`,
    )
  }

  #wait(wait: Wait): void {
    const now = this.#now()
    const before = this.#waiting?.wait.for === wait.for ? this.#waiting : undefined
    const [since, until] = [before?.since ?? now, now + wait.milliseconds]
    // Consecutive short waits count as one.
    const isLogged = before?.isLogged || until - since >= 1000
    this.#waiting = { wait, until, since, isLogged }
    if (this.#output.isTTY) this.#draw(waitText(wait), false)
    else if (isLogged && !before?.isLogged) this.#output.write(`${waitText(wait)}\n`)
  }

  #name({ pair }: { pair: (RunEvent & { kind: 'start' })['pair'] }): string {
    const place = colors.dim(`[${this.#places.get(pair)}/${this.#pairs}]`)
    return `${place} ${printable(`${modelText(pair.name)} · ${pair.name.dataset}`)}`
  }

  #line(event: Running, now: number): string {
    const { done, total } = this.#rows.of(event.pair)
    const waiting = this.#waiting && now < this.#waiting.until ? colors.yellow(waitText(this.#waiting.wait)) : ''
    if (event.kind === 'start')
      return [this.#name(event), total === undefined ? '' : `${done}/${total}`, this.#workers, waiting]
        .filter((part) => part !== '')
        .join('  ')
    const { rowsPerSecond, tokensPerSecond } = this.#rates.get(modelText(event.pair.name))!.at(now)
    const left = total === undefined || rowsPerSecond === 0 ? '' : `${clock((total - done) / rowsPerSecond)} left`
    const parts: LinePart[] = [
      { text: this.#name(event), mayBeCut: true },
      { text: total === undefined ? '' : bar(done / total, 12), leaveOut: 3 },
      { text: total === undefined ? `${done} rows` : `${done}/${total}` },
      { text: `${rowsPerSecond.toFixed(rowsPerSecond < 10 ? 1 : 0)} rows/s`, leaveOut: 4 },
      { text: `${Math.round(tokensPerSecond).toLocaleString('en')} tokens/s`, leaveOut: 1 },
      { text: left },
      { text: this.#workers, leaveOut: 5 },
      { text: this.#known > 0 ? colors.dim(`${this.#known.toLocaleString('en')} known`) : '', leaveOut: 2 },
      { text: this.#failed > 0 ? colors.red(`${this.#failed} failed`) : '' },
      { text: waiting },
    ]
    return fitLine(parts, this.#width)
  }

  /** Longer lines would wrap, and not be cleared completely. Terminals with unknown width report 0. */
  get #width(): number {
    return this.#output.isTTY ? (this.#output.columns || 100) - 1 : Number.POSITIVE_INFINITY
  }

  #draw(line: string, always: boolean): void {
    if (!this.#output.isTTY) return
    const now = this.#now()
    if (!always && now - this.#drawn < redrawAfter) return
    this.#drawn = now
    this.#output.write(`\r\u001b[2K${shorten(line, this.#width)}`)
  }
}

function controlText(event: EvaluationEvent & { kind: 'control' }): string {
  switch (event.action) {
    case 'pause':
      return 'paused; the rows in flight finish'
    case 'resume':
      return 'resumed'
    case 'limits':
      return `the limits are now ${limitsText(event.limits)}`
    case 'retry-errors':
      return 'rows that failed are sent again when the others are done'
    case 'stop':
      return 'stopping when the rows in flight are done; Ctrl-C stops at once'
  }
}

function waitText({ reason, milliseconds }: Wait): string {
  return `waiting ${Math.max(1, Math.round(milliseconds / 1000))} s: ${printable(reason)}`
}

/** Seconds as 1:05 or 2:03:04. */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?'
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** A part of a line. If the line is too long, parts with `leaveOut` are dropped, the lowest first; then `mayBeCut` parts are truncated. */
type LinePart = { text: string; leaveOut?: number; mayBeCut?: boolean }

const gap = '  '

/** Fits the parts into one line: drops optional parts, truncates others, then the line. */
function fitLine(parts: readonly LinePart[], width: number): string {
  let kept = parts.filter(({ text }) => text !== '')
  const leastNeeded = () => Math.min(...kept.map(({ leaveOut = Number.POSITIVE_INFINITY }) => leaveOut))
  while (widthOf(kept) > width && leastNeeded() < Number.POSITIVE_INFINITY) {
    const least = leastNeeded()
    kept = kept.filter(({ leaveOut }) => leaveOut !== least)
  }
  const tooMuch = widthOf(kept) - width
  if (tooMuch > 0)
    kept = kept.map((part) => (part.mayBeCut ? { text: shorten(part.text, Math.max(10, stringWidth(part.text) - tooMuch)) } : part))
  return shorten(kept.map(({ text }) => text).join(gap), width)
}

function widthOf(parts: readonly LinePart[]): number {
  return stringWidth(parts.map(({ text }) => text).join(gap))
}

/** Truncates a long text with an ellipsis; removes its colours. */
function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  const plain = text.replace(/\u001b\[[\d;]*m/g, '')
  let shown = ''
  for (const character of plain) {
    if (stringWidth(shown + character) > width - 1) break
    shown += character
  }
  return `${shown.trimEnd()}…`
}

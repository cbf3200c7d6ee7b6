import stringWidth from 'string-width'
import { bar } from '../../report/results-table.ts'
import { showValue } from '../../report/summary-markdown.ts'
import type { RunEvent } from '../../run.ts'
import { colors, printable } from '../terminal.ts'

/** Where progress is shown: a terminal gets one line that changes, anything else a line for each pair that is done. */
type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const redrawAfter = 80

/** Shows how far a run is: which model on which dataset, rows done, rows and tokens a second, time left. */
export class Progress {
  readonly #output: Output
  readonly #pairs: number
  readonly #now: () => number
  #pair = 0
  #started = 0
  #drawn = Number.NEGATIVE_INFINITY
  #tokens = 0

  constructor(output: Output, pairs: number, now: () => number = () => performance.now()) {
    this.#output = output
    this.#pairs = pairs
    this.#now = now
  }

  show(event: RunEvent): void {
    const name = printable(`${event.pair.name.model} · ${event.pair.name.dataset}`)
    switch (event.kind) {
      case 'start':
        this.#pair++
        this.#started = this.#now()
        this.#tokens = 0
        this.#draw(`${this.#place()} ${name}  ${event.total === undefined ? '' : `0/${event.total}`}`, true)
        return
      case 'row': {
        const { prompt, reused, reply } = event.record.tokens
        this.#tokens += prompt - reused + reply
        this.#draw(this.#rowLine(name, event.done, event.total), event.done === event.total)
        return
      }
      case 'end': {
        const { result } = event
        if (this.#output.isTTY) return
        const seconds = `${result.seconds.toFixed(1)} s`
        this.#output.write(`${this.#place()} ${name}  ${result.rows} rows  ${seconds}  ${result.metric} ${showValue(result)}\n`)
        return
      }
      default:
        event satisfies never
    }
  }

  /** Takes the line away again. */
  clear(): void {
    if (this.#output.isTTY) this.#output.write('\r\u001b[2K')
  }

  #place(): string {
    return colors.dim(`[${this.#pair}/${this.#pairs}]`)
  }

  #rowLine(name: string, done: number, total: number | undefined): string {
    const seconds = Math.max(0.001, (this.#now() - this.#started) / 1000)
    const rate = done / seconds
    const left = total === undefined ? '' : `  ${clock((total - done) / rate)} left`
    const count = total === undefined ? `${done} rows` : `${bar(done / total, 12)} ${done}/${total}`
    return `${this.#place()} ${name}  ${count}  ${rate.toFixed(rate < 10 ? 1 : 0)} rows/s  ${Math.round(this.#tokens / seconds).toLocaleString('en')} tokens/s${left}`
  }

  #draw(line: string, always: boolean): void {
    if (!this.#output.isTTY) return
    const now = this.#now()
    if (!always && now - this.#drawn < redrawAfter) return
    this.#drawn = now
    const width = this.#output.columns ?? 100
    this.#output.write(`\r\u001b[2K${stringWidth(line) < width ? line : shorten(line, width - 1)}`)
  }
}

/** A line that is too long would leave pieces behind when it is redrawn. */
function shorten(line: string, width: number): string {
  const plain = line.replace(/\u001b\[[\d;]*m/g, '')
  let shown = ''
  for (const character of plain) {
    if (stringWidth(shown + character) > width) break
    shown += character
  }
  return shown
}

/** Seconds as 1:05 or 2:03:04. */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?'
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

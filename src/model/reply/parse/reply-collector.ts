import type { At, Reply, ReplyCall, ReplyPart, ReplyProblem } from '../reply.ts'
import { TextBuffer } from './text-buffer.ts'

type Said = { kind: 'text' | 'reasoning'; text: string; unterminated?: true; at: At }

/** Puts a reply together from what the parser finds, in order. Neighbouring chunks of text are one part. */
export class ReplyCollector {
  readonly #parts: ReplyPart[] = []
  readonly #problems: ReplyProblem[] = []
  readonly #rest = new TextBuffer()
  /** The part that is being said, if any. */
  #kind: Said['kind'] | undefined
  readonly #said = new TextBuffer()
  #start = 0
  #end = 0

  /** Whether anything but white space was said or called. */
  hasWords = false

  say(kind: Said['kind'], text: string, start: number, end: number): void {
    if (this.#kind !== kind) {
      this.close()
      this.#kind = kind
      this.#start = start
    }
    this.#said.add(text)
    if (!this.hasWords && /\S/.test(text)) this.hasWords = true
    this.#end = end
  }

  /** What follows is a part of its own, although it may be of the same kind. */
  close(isUnterminated = false): void {
    const part = this.#current(isUnterminated)
    if (part === undefined) return
    this.#parts.push(part)
    this.#said.clear()
    this.#kind = undefined
  }

  call(call: ReplyCall): void {
    this.close()
    this.#parts.push(call)
  }

  problem(problem: string, at: At): void {
    this.#problems.push({ problem, at })
  }

  after(text: string): void {
    this.#rest.add(text)
  }

  reply(): Reply {
    const current = this.#current(false)
    const parts = current === undefined ? [...this.#parts] : [...this.#parts, current]
    const calls: ReplyCall[] = []
    const said = { text: '', reasoning: '' }
    for (const part of parts) {
      if (part.kind === 'text' || part.kind === 'reasoning') said[part.kind] += part.text
      else calls.push(part)
    }
    return { ...said, calls, parts, problems: [...this.#problems], rest: this.#rest.toString() }
  }

  #current(isUnterminated: boolean): Said | undefined {
    if (this.#kind === undefined) return undefined
    const said: Said = { kind: this.#kind, text: this.#said.toString(), at: [this.#start, this.#end] }
    if (isUnterminated) said.unterminated = true
    return said
  }
}

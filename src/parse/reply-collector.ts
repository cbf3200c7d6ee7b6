import type { At, Reply, ReplyCall, ReplyPart, ReplyProblem } from './reply.ts'
import { TextBuffer } from './text-buffer.ts'

type Said = { kind: 'text' | 'reasoning'; text: TextBuffer; start: number; end: number; unterminated?: true }

/** Puts a reply together from what the parser finds, in order. Neighbouring stretches of text are one part. */
export class ReplyCollector {
  readonly #parts: (Said | ReplyCall)[] = []
  readonly #problems: ReplyProblem[] = []
  #last: Said | undefined
  readonly #rest = new TextBuffer()

  say(kind: Said['kind'], text: string, start: number, end: number): void {
    if (this.#last?.kind !== kind) {
      this.#last = { kind, text: new TextBuffer(), start, end }
      this.#parts.push(this.#last)
    }
    this.#last.text.add(text)
    this.#last.end = end
  }

  /** What follows is a part of its own, although it may be of the same kind. */
  close(isUnterminated = false): void {
    if (isUnterminated && this.#last) this.#last.unterminated = true
    this.#last = undefined
  }

  call(call: ReplyCall): void {
    this.#last = undefined
    this.#parts.push(call)
  }

  problem(problem: string, at: At): void {
    this.#problems.push({ problem, at })
  }

  after(text: string): void {
    this.#rest.add(text)
  }

  reply(): Reply {
    const parts = this.#parts.map((part): ReplyPart => {
      if (!('start' in part)) return part
      const { kind, start, end, unterminated } = part
      const text = part.text.toString()
      return kind === 'reasoning' && unterminated ? { kind, text, unterminated, at: [start, end] } : { kind, text, at: [start, end] }
    })
    const join = (kind: 'text' | 'reasoning') => parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('')
    const calls = parts.filter((part): part is ReplyCall => part.kind !== 'text' && part.kind !== 'reasoning')
    return { text: join('text'), reasoning: join('reasoning'), calls, parts, problems: [...this.#problems], rest: this.#rest.toString() }
  }
}

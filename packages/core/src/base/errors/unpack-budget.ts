import { limits } from './limits.ts'
import { PromptError } from './prompt-error.ts'

/**
 * How many bytes a compressed source may unpack to: as many as its own size times a ratio that real data stays far below. Every reader of
 * archives, compressed files and compressed replies charges what it unpacks before it keeps it.
 *
 * @example
 * new UnpackBudget('rows.jsonl.gz', 1000).left // => 16777216
 */
export class UnpackBudget {
  readonly #where: string
  #left: number

  /** `packed`: the bytes of the source. `most`: fewer than the ratio allows, for what is held in memory as a whole. */
  constructor(where: string, packed: number, most = Number.POSITIVE_INFINITY) {
    this.#where = where
    this.#left = Math.min(most, Math.max(limits.unpackedFloor, packed * limits.unpackedRatio))
  }

  /** How many bytes may still come. */
  get left(): number {
    return this.#left
  }

  /** Charges bytes of the source, or of a member of an archive; more than are left are an error that names it. */
  take(bytes: number, member?: string): void {
    if (!(bytes >= 0 && bytes <= this.#left)) throw this.refusal(member)
    this.#left -= bytes
  }

  /** Charges a member that is held in memory as a whole. */
  takeWhole(bytes: number, member: string): void {
    if (bytes > limits.unpackedMember) throw this.refusal(member)
    this.take(bytes, member)
  }

  refusal(member?: string): PromptError {
    return new PromptError('unpacks-too-large', {
      where: member === undefined ? this.#where : `${this.#where} › ${member}`,
      problem: `it unpacks to more than ${limits.unpackedRatio} times its size, or to more than ${limits.unpackedMember >> 20} MiB at once, as no data does that is meant to be read`,
      fix: 'do not use this file; if you trust it, unpack it by hand and give what is inside',
    })
  }
}

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Texts in a temporary file, read by number: for more text than memory should hold. */
export class TextSpool {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rolecall-'))
  readonly #file = openSync(join(this.#folder, 'texts'), 'w+')
  /** Where each text ends; those that are absent end where they begin. */
  readonly #ends: number[] = []
  readonly #absent = new Set<number>()
  #written = 0

  add(text: string | undefined): void {
    if (text === undefined) this.#absent.add(this.#ends.length)
    else this.#written += writeSync(this.#file, Buffer.from(text), 0, undefined, this.#written)
    this.#ends.push(this.#written)
  }

  read(number: number): string | undefined {
    const end = this.#ends[number]
    if (end === undefined || this.#absent.has(number)) return undefined
    const start = this.#ends[number - 1] ?? 0
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(this.#file, bytes, 0, bytes.length, start)
    return bytes.toString('utf8')
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

import { createWriteStream, mkdirSync, type WriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringifyJson } from '../python/index.ts'
import type { RowRecord, RunSummary } from '../report/run-record.ts'
import { summaryMarkdown } from '../report/summary-markdown.ts'
import type { Pair } from '../run.ts'

/** The folder that a run writes: the resolved config, a line of JSON for each row, and a summary. */
export class RunFolder {
  readonly path: string
  readonly #streams = new Map<string, WriteStream>()
  /** Why nothing can be written any more, e.g. a full disk. */
  #failure: Error | undefined

  constructor(path: string, config: unknown) {
    this.path = path
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'config.json'), `${JSON.stringify(config, null, 2)}\n`)
  }

  /** Adds a row to `predictions/<model>/<dataset>.jsonl`, and waits while the disk is slower than the model. */
  async addRow({ name }: Pair, record: RowRecord): Promise<void> {
    const folder = join(this.path, 'predictions', fileName(name.model))
    const file = join(folder, `${fileName(name.dataset)}.jsonl`)
    let stream = this.#streams.get(file)
    if (!stream) {
      mkdirSync(folder, { recursive: true })
      stream = createWriteStream(file).on('error', (error) => (this.#failure ??= error))
      this.#streams.set(file, stream)
    }
    const target = stream
    if (!target.write(`${stringifyJson(record as never, { ensureAscii: false })}\n`) && !this.#failure) {
      await new Promise<void>((resolve) => {
        target.once('drain', resolve).once('close', resolve)
      })
    }
    if (this.#failure) throw this.#failure
  }

  /** Ends the files of all pairs that are done. */
  async endPair(): Promise<void> {
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve).end())))
    if (this.#failure) throw this.#failure
  }

  writeSummary(summary: RunSummary): void {
    writeFileSync(join(this.path, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`)
    writeFileSync(join(this.path, 'summary.md'), summaryMarkdown(summary))
  }
}

/** A name as part of a path: names of models often have slashes. */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._+-]+/gu, '_')
  return /^\.*$/.test(safe) ? `_${safe}` : safe
}

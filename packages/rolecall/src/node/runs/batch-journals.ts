import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { BatchEntry, BatchJournal } from '../../model/batch/batch-journal.ts'
import { textInRun } from './file-in-run.ts'

/** The hash of a request, and its number among equal ones. */
const id = z.string().regex(/^[0-9a-f]{40}-\d{1,6}$/)

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('submitting'), mark: z.string(), ids: z.array(id), at: z.number() }),
  z.strictObject({ kind: z.literal('submitted'), mark: z.string(), batch: z.string() }),
  z.strictObject({ kind: z.literal('done'), ids: z.array(id) }),
])

/** The folder of the journals, in the folder of a run. */
const folderName = 'batches'

/** The journals of a run. `settle`: all rows are on disk, so that no later process needs the results that they were made of. */
export type BatchJournals = { open: (model: string) => BatchJournal; settle: () => void }

/** Keeps what each model has submitted in batches in the folder of its run, one line for each entry. */
export function batchJournals(run: string): BatchJournals {
  const used = new Map<BatchJournal, string[]>()
  const open = (model: string): BatchJournal => {
    const ids: string[] = []
    const file = `${folderName}/${fileName(model)}`
    const journal: BatchJournal = {
      use: (id) => void ids.push(id),
      entries: read(textInRun(run, file) ?? ''),
      add(entry) {
        mkdirSync(join(run, folderName), { recursive: true })
        const opened = openSync(join(run, file), 'a', 0o600)
        try {
          // The line before may be torn: it must not take this one with it. Unlike `writeSync`, this writes all of it.
          writeFileSync(opened, `\n${JSON.stringify(entry)}\n`)
          fsyncSync(opened)
        } finally {
          closeSync(opened)
        }
      },
    }
    used.set(journal, ids)
    return journal
  }
  const settle = () => {
    for (const [journal, ids] of used) if (ids.length > 0) journal.add({ kind: 'done', ids: ids.splice(0) })
  }
  return { open, settle }
}

/** A readable name that no two models share. */
function fileName(model: string): string {
  const readable = model.replaceAll(/[^\w.-]+/g, '_').slice(0, 60)
  return `${readable}-${createHash('sha256').update(model).digest('hex').slice(0, 8)}.jsonl`
}

/** A kill may leave a torn last line, which was never acted on. */
function read(text: string): BatchEntry[] {
  return text.split('\n').flatMap((line): BatchEntry[] => {
    if (line.trim() === '') return []
    try {
      const entry = entrySchema.safeParse(JSON.parse(line))
      return entry.success ? [entry.data] : []
    } catch {
      return []
    }
  })
}

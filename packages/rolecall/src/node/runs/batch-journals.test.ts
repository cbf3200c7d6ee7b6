import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { batchJournals } from './batch-journals.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

function run(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-journals-'))
  made.push(folder)
  return folder
}

const hash = 'a'.repeat(40)
const submitting = { kind: 'submitting', mark: 'm', ids: [`${hash}-0`], at: 1 } as const
const submitted = { kind: 'submitted', mark: 'm', batch: 'batch_0' } as const

/** Appends to the only journal of a run. */
function append(folder: string, text: string): void {
  const [name = ''] = readdirSync(join(folder, 'batches'))
  appendFileSync(join(folder, 'batches', name), text)
}

test('an entry after a line that a kill tore is kept', () => {
  const folder = run()
  batchJournals(folder).open('m').add(submitting)
  append(folder, '{"kind":"done","ids":["')
  batchJournals(folder).open('m').add(submitted)
  expect(batchJournals(folder).open('m').entries).toEqual([submitting, submitted])
})

test.for(['x', `${hash}`, `${hash}-1e999`, `${hash}-1234567`, `${hash}-0-0`, `${hash}--1`])('an entry with the id %s is ignored', (id) => {
  const folder = run()
  batchJournals(folder).open('m').add(submitting)
  append(folder, `${JSON.stringify({ ...submitting, ids: [id] })}\n${JSON.stringify({ kind: 'done', ids: [id] })}\n`)
  expect(batchJournals(folder).open('m').entries).toEqual([submitting])
})

test('results that were used are done when their rows are on disk, not before', () => {
  const folder = run()
  const journals = batchJournals(folder)
  const journal = journals.open('m')
  journal.add(submitting)
  journal.use?.(`${hash}-0`)
  expect(batchJournals(folder).open('m').entries).toEqual([submitting])
  journals.settle()
  journals.settle()
  expect(batchJournals(folder).open('m').entries).toEqual([submitting, { kind: 'done', ids: [`${hash}-0`] }])
})

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { ViewedRows } from './viewed-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-dataset-rows-'))
// Other processes use the temporary folder at the same time.
const temporary = process.env.TMPDIR
process.env.TMPDIR = mkdtempSync(join(folder, 'tmp-'))

afterAll(() => {
  if (temporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporary
  rmSync(folder, { recursive: true, force: true })
})

const infer = { prompt_template: { template: '{question}' } }

/** The current temporary copies. */
const copies = () => readdirSync(tmpdir())

test('a JSON Lines file is read by range, verbatim', async () => {
  writeFileSync(join(folder, 'a.jsonl'), '{"question": 1.0}\n\n{"question": "二"}\n')
  const rows = new ViewedRows({ path: 'a.jsonl', infer_cfg: infer }, folder)
  expect(await rows.list(0)).toEqual({ total: 2, previews: ['1.0', '二'] })
  expect((await rows.rows(1, 1)).rows).toEqual([{ row: '{"question": "二"}', examples: [] }])
  expect((await rows.rows(0, 1)).rows[0]!.row).toBe('{"question": 1.0}')
  await expect(rows.rows(2, 1)).rejects.toThrow('row 2 does not exist: the dataset has 2 rows')
  for await (const chunk of rows.chunks()) expect(chunk).toEqual({ first: 0, lines: ['{"question": 1.0}', '{"question": "二"}'] })
  await rows.close()
})

test('columns of media are references, as in a run, also where a JSON Lines file would be read as it is', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  writeFileSync(join(folder, 'cat.png'), Buffer.from(png, 'base64'))
  writeFileSync(join(folder, 'media.jsonl'), '{"image": "cat.png", "question": "Which?"}\n')
  const rows = new ViewedRows({ path: 'media.jsonl', media_columns: ['image'], infer_cfg: infer }, folder)
  expect((await rows.rows(0, 1)).rows[0]!.row).toMatch(/^\{"image": "file:.*cat\.png#sha256=[0-9a-f]{64}", "question": "Which\?"\}$/)
  await rows.close()
})

test('a JSON Lines file with a dataset class is read by the class', async () => {
  writeFileSync(join(folder, 'class.jsonl'), '{"question": "q", "label": "true"}\n')
  const rows = new ViewedRows({ abbr: 'wic', type: 'WiCDatasetV2', path: 'class.jsonl', infer_cfg: infer }, folder)
  expect(await rows.list(0)).toEqual({ total: 1, previews: ['q · A · wic · 0'] })
  await rows.close()
})

test('rows of other formats, ranges and inline rows equal those of render; temporary copies are removed', async () => {
  const before = copies()
  writeFileSync(join(folder, 'b.csv'), 'question,answer\nq0,0\nq1,1\nq2,2\n')
  writeFileSync(join(folder, 'c.jsonl.gz'), gzipSync('{"question": "packed"}\n'))
  const previewsOf = async (dataset: DatasetConfig) => {
    const rows = new ViewedRows(dataset, folder)
    const { previews } = await rows.list(0)
    await rows.close()
    return previews
  }
  expect(await previewsOf({ path: 'b.csv', reader_cfg: { test_range: '[1:3]' }, infer_cfg: infer })).toEqual(['q1 · 1', 'q2 · 2'])
  expect(await previewsOf({ path: 'c.jsonl.gz', infer_cfg: infer })).toEqual(['packed'])
  expect(await previewsOf({ rows: [{ question: 'listed' }], infer_cfg: infer })).toEqual(['listed'])
  writeFileSync(join(folder, 'd.jsonl'), '{"question": "good"}\nbad\n')
  expect(await previewsOf({ path: 'd.jsonl', on_bad_row: 'skip', infer_cfg: infer })).toEqual(['good'])
  expect(copies()).toEqual(before)
})

test('rows come with their examples, and a row among its own examples is marked', async () => {
  writeFileSync(join(folder, 'e.jsonl'), '{"question": "q0"}\n{"question": "q1"}\n')
  const retriever = { type: 'FixKRetriever', fix_id_list: [1, 0] }
  const rows = new ViewedRows({ path: 'e.jsonl', infer_cfg: { ...infer, retriever } }, folder)
  const { texts, rows: read } = await rows.rows(0, 2)
  expect(texts).toEqual(['{"question": "q1"}', '{"question": "q0"}'])
  expect(read.map(({ examples, own }) => ({ examples, own }))).toEqual([
    { examples: [0, 1], own: 1 },
    { examples: [0, 1], own: 0 },
  ])
  await rows.close()
})

test('a missing file is reported with its path', async () => {
  expect(existsSync(join(folder, 'none.jsonl'))).toBe(false)
  const rows = new ViewedRows({ path: 'none.jsonl', infer_cfg: infer }, folder)
  await expect(rows.list(0)).rejects.toThrow(/none\.jsonl: file not found/)
  await rows.close()
})

test.skipIf(!existsSync('/proc/self/fd'))('a file that cannot be read is closed again (skipped without /proc)', async () => {
  mkdirSync(join(folder, 'folder.jsonl'))
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let time = 0; time < 20; time++) {
    const rows = new ViewedRows({ path: 'folder.jsonl', infer_cfg: infer }, folder)
    await expect(rows.list(0)).rejects.toThrow(/EISDIR/)
  }
  expect(open()).toBeLessThan(before + 10)
})

test('rows that cannot be read are an error, and end nothing but their request', async () => {
  const broken = [{ path: 'x.csv', type: 'NoSuchDataset' }, { path: 'missing.csv' }, { rows: [{ question: 1 }], row_format: 'none' }]
  for (const dataset of broken as Partial<DatasetConfig>[]) {
    for (let time = 0; time < 5; time++) {
      const rows = new ViewedRows({ ...dataset, infer_cfg: infer }, folder)
      await expect(rows.list(0)).rejects.toThrow()
      await rows.close()
    }
  }
  // An error without a listener would come now, and fail the tests.
  await new Promise((resolve) => setImmediate(resolve))
  expect(copies()).toEqual([])
})

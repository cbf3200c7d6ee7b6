import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { DatasetConfig } from '../../../evaluation/config/config-schema.ts'
import { DatasetRows } from './viewed-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-dataset-rows-'))
// Others use the machine's temporary folder meanwhile.
const temporary = process.env.TMPDIR
process.env.TMPDIR = mkdtempSync(join(folder, 'tmp-'))

afterAll(() => {
  if (temporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporary
  rmSync(folder, { recursive: true, force: true })
})

const infer = { prompt_template: { template: '{question}' } }

/** Temporary copies of rows that are there now. */
const copies = () => readdirSync(tmpdir())

test('a file with a row a line is read by range, to the letter', async () => {
  writeFileSync(join(folder, 'a.jsonl'), '{"question": 1.0}\n\n{"question": "二"}\n')
  const rows = new DatasetRows({ path: 'a.jsonl', infer_cfg: infer }, folder)
  expect(await rows.list(0)).toEqual({ total: 2, previews: ['1.0', '二'] })
  expect((await rows.rows(1, 1)).rows).toEqual([{ row: '{"question": "二"}', examples: [] }])
  expect((await rows.rows(0, 1)).rows[0]!.row).toBe('{"question": 1.0}')
  await expect(rows.rows(2, 1)).rejects.toThrow('there is no row 2: it has 2 rows')
  for await (const chunk of rows.chunks()) expect(chunk).toEqual({ first: 0, lines: ['{"question": 1.0}', '{"question": "二"}'] })
  await rows.close()
})

test('a file with a row a line that a dataset class reads is as the class gives it', async () => {
  writeFileSync(join(folder, 'class.jsonl'), '{"question": "q", "label": "true"}\n')
  const rows = new DatasetRows({ abbr: 'wic', type: 'WiCDatasetV2', path: 'class.jsonl', infer_cfg: infer }, folder)
  expect(await rows.list(0)).toEqual({ total: 1, previews: ['q · A · wic · 0'] })
  await rows.close()
})

test('rows of other files, ranges and lists are as render has them; copies of them are removed', async () => {
  const before = copies()
  writeFileSync(join(folder, 'b.csv'), 'question,answer\nq0,0\nq1,1\nq2,2\n')
  writeFileSync(join(folder, 'c.jsonl.gz'), gzipSync('{"question": "packed"}\n'))
  const previewsOf = async (dataset: DatasetConfig) => {
    const rows = new DatasetRows(dataset, folder)
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

test('examples come with a row, and the row itself among them is told', async () => {
  writeFileSync(join(folder, 'e.jsonl'), '{"question": "q0"}\n{"question": "q1"}\n')
  const retriever = { type: 'FixKRetriever', fix_id_list: [1, 0] }
  const rows = new DatasetRows({ path: 'e.jsonl', infer_cfg: { ...infer, retriever } }, folder)
  const { texts, rows: read } = await rows.rows(0, 2)
  expect(texts).toEqual(['{"question": "q1"}', '{"question": "q0"}'])
  expect(read.map(({ examples, own }) => ({ examples, own }))).toEqual([
    { examples: [0, 1], own: 1 },
    { examples: [0, 1], own: 0 },
  ])
  await rows.close()
})

test('a file that is not there is told with its path', async () => {
  expect(existsSync(join(folder, 'none.jsonl'))).toBe(false)
  const rows = new DatasetRows({ path: 'none.jsonl', infer_cfg: infer }, folder)
  await expect(rows.list(0)).rejects.toThrow(/none\.jsonl: there is no such file/)
  await rows.close()
})

test.skipIf(!existsSync('/proc/self/fd'))('a file that cannot be read is closed again (skipped without /proc)', async () => {
  mkdirSync(join(folder, 'folder.jsonl'))
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let time = 0; time < 20; time++) {
    const rows = new DatasetRows({ path: 'folder.jsonl', infer_cfg: infer }, folder)
    await expect(rows.list(0)).rejects.toThrow(/EISDIR/)
  }
  expect(open()).toBeLessThan(before + 10)
})

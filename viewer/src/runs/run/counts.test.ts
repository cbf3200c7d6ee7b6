import { afterAll, expect, test } from 'vitest'
import { OpenRun } from '../../../../src/app/server/viewer/open-run.ts'
import { downloadRows, rowsOfQuery } from '../../../../src/app/server/viewer/rows/download-rows.ts'
import { countKey, indexedOutcomes } from '../../../../src/evaluation/run/record/outcome.ts'
import { remarksAbout } from '../../../../src/evaluation/run/record/remarks.ts'
import { folderWith } from '../../../../testing/folder-with.ts'
import { makeOutcomes } from '../../../testing/made-outcomes.ts'
import { rowsOf } from './remark-rows.ts'

const folder = folderWith({})
const run = new OpenRun(await makeOutcomes(folder))
const { pairs } = await run.state()
const show = async (pair: number, query: Record<string, string>) => (await rowsOfQuery({ run, pair, rows: undefined }, query)).places

afterAll(() => run.close())

/** Of the dataset or the model as a whole: no row has these. */
const notOfRows = new Set(['conflicting-gold', 'identical-samples', 'zero-width-interval'])

test('every count of a run opens as many rows as it says', async () => {
  const seen = new Set<string>()
  const wrong: unknown[] = []
  const check = async (pair: number, name: string, said: number, query: Record<string, string>) => {
    const found = (await show(pair, query)).length
    seen.add(name)
    if (found !== said) wrong.push({ pair, name, query, said, found })
  }
  for (const [pair, { result }] of pairs.entries()) {
    const { answers, answerRows = answers, by = [] } = result!
    for (const outcome of indexedOutcomes) await check(pair, outcome, answerRows[countKey(outcome)] ?? 0, { show: outcome })
    for (const remark of remarksAbout(result!)) {
      const query = rowsOf(remark, result!)
      if (!query || remark.rows === undefined || notOfRows.has(remark.code ?? '')) continue
      await check(pair, `${remark.kind} ${remark.code ?? ''}`, remark.rows, query)
    }
    for (const { column, figures } of by) {
      for (const { of, rows } of figures) await check(pair, 'by', rows, { column, value: of })
    }
  }
  expect(wrong).toEqual([])
  for (const name of ['note odd', 'note failed', 'wrong-calls ', 'cut ', 'no-gold ', 'failed ', 'by']) expect(seen).toContain(name)
})

test('the rows of an address are downloaded as a table and as records, in the order of the page', async () => {
  const rows = { run, pair: 0, rows: undefined }
  const query = { show: 'answered', sort: 'score', descending: '1' }
  const csv = await (await downloadRows(rows, query, 'csv')).text()
  const records = (await (await downloadRows(rows, query, 'jsonl')).text()).trimEnd().split('\n')
  const ids = records.map((line) => (JSON.parse(line) as { id: number }).id)
  expect(ids).toEqual((await show(0, query)).map((place) => run.scores(0, 0).ids[place]))
  expect(csv.split('\n')[0]).toBe(
    'row,question,expected,extracted,answer,reasoning,verdict,score,outcome,finish,prompt_tokens,reply_tokens,milliseconds,notes,error,columns',
  )
  expect(csv.split('\n')[1]).toMatch(/^0,,1,1,The answer is 1\.,,right,1,answered,stop,4,2,[\d.]+,odd,,kind: even$/)
  expect((await show(0, { text: 'who knows' })).length).toBe(1)
})

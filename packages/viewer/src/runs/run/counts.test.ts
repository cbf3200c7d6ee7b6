import { afterAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { countKey, indexedOutcomes } from '../../../../rolecall/src/evaluation/run/record/outcome.ts'
import { remarksAbout } from '../../../../rolecall/src/evaluation/run/record/remarks.ts'
import { OpenRun } from '../../../../rolecall/src/server/viewer/open-run.ts'
import { openViewedConfig } from '../../../../rolecall/src/server/viewer/open-viewed-config.ts'
import { downloadRows, rowsOfQuery } from '../../../../rolecall/src/server/viewer/rows/download-rows.ts'
import { shareRows } from '../../../../rolecall/src/server/viewer/rows/share-rows.ts'
import { RunAnnotations } from '../../../../rolecall/src/server/viewer/run-annotations.ts'
import { makeOutcomes } from '../../../testing/made-outcomes.ts'
import { rowsOf } from './remark-rows.ts'

const folder = folderWith({})
const run = new OpenRun(await makeOutcomes(folder))
const { pairs } = await run.state()
const annotations = new RunAnnotations()
const rowsOfPair = (pair: number) => ({ run, pair, rows: undefined, annotations: annotations.of(run, pair) })
const show = async (pair: number, query: Record<string, string>) => (await rowsOfQuery(rowsOfPair(pair), query)).places

afterAll(() => run.close())

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
      if (!query || remark.rows === undefined) continue
      await check(pair, `${remark.kind} ${remark.code ?? ''}`, remark.rows, query)
    }
    for (const { column, figures } of by) {
      for (const { of, rows } of figures) await check(pair, 'by', rows, { column, value: of })
    }
  }
  expect(wrong).toEqual([])
  for (const name of ['note context-full', 'note failed', 'wrong-calls ', 'cut ', 'no-gold ', 'failed ', 'by']) expect(seen).toContain(name)
})

test('the rows of an address are shared as one file: these rows and no others, with the scores of the whole pair', async () => {
  const viewer = folderWith({ 'report/report.js': '', 'report/report.css': '', 'icon.svg': '' })
  const config = openViewedConfig(run.loadedConfig(), 0)
  const shared = { ...rowsOfPair(1), rows: config.rows[1], config, version: 'test', viewer }
  const response = await shareRows(shared, { show: 'cut', sort: 'time', text: 'step by' })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="tiny-twice.html"')
  const html = await response.text()
  const files = new Map(
    [...html.matchAll(/<script type="application\/json" data-file="data\/([^"]+)">(.*?)<\/script>/gs)].map(([, name, text]) => [
      name!,
      JSON.parse(text!),
    ]),
  )
  const ids = (await show(1, { show: 'cut', text: 'step by' })).map((place) => run.scores(1).ids[place])
  expect(ids.length).toBeGreaterThan(0)
  expect(files.get('site.json')).toMatchObject({
    configs: [{ models: [{ name: 'tiny' }], datasets: [{ name: 'twice' }] }],
    runs: [{ pairs: [{ model: 'tiny', dataset: 'twice', modelIndex: 0, datasetIndex: 0 }] }],
    shared: { rows: ids.length, found: ids.length, start: { model: 'tiny', dataset: 'twice', sort: 'time' } },
  })
  expect(files.get('runs/0/0/scores.json').ids).toEqual(ids)
  expect(files.get('runs/0/0/list/0.json').lines.map((line: { id: number }) => line.id)).toEqual(ids)
  expect(files.get('runs/0/state.json').pairs).toMatchObject([{ result: { dataset: 'twice', rows: 11 } }])
  expect([...files.keys()].filter((name) => name.includes('/rows/'))).toEqual(ids.map((id) => `configs/0/datasets/0/rows/${id}.json`))
  expect(html).not.toContain('Hard to say')
  await Promise.all(config.rows.map((rows) => rows.close()))
})

test('the rows of an address are downloaded as a table and as records, in the order of the page', async () => {
  const rows = rowsOfPair(0)
  const query = { show: 'answered', sort: 'score', descending: '1' }
  const csv = await (await downloadRows(rows, query, 'csv')).text()
  const records = (await (await downloadRows(rows, query, 'jsonl')).text()).trimEnd().split('\n')
  const ids = records.map((line) => (JSON.parse(line) as { id: number }).id)
  expect(ids).toEqual((await show(0, query)).map((place) => run.scores(0).ids[place]))
  expect(csv.split('\n')[0]).toBe(
    'row,question,expected,extracted,answer,reasoning,verdict,score,outcome,finish,prompt_tokens,reply_tokens,milliseconds,notes,error,columns,review,star,tags,reviewer_note,excluded',
  )
  expect(csv.split('\n')[1]).toMatch(/^0,,1,1,The answer is 1\.,,right,1,answered,stop,4,2,[\d.]+,context-full,,kind: even,,,,,$/)
  expect((await show(0, { text: 'who knows' })).length).toBe(1)
})

test('what a reviewer notes on rows is counted, filtered, shared and downloaded', async () => {
  await annotations.change(run, 0, 0, { verdict: 'wrong', note: 'a guess, "lucky"', tags: ['luck'] })
  await annotations.change(run, 0, 1, { verdict: 'right', star: true })
  const { review } = annotations.of(run, 0)
  expect(review.counts).toEqual({ bothRight: 0, onlyFirst: 1, onlySecond: 1, bothWrong: 0 })
  expect(await show(0, { show: 'reviewed' })).toHaveLength(review.reviewed)
  expect(await show(0, { show: 'overrated' })).toEqual([0])
  expect(await show(0, { show: 'underrated' })).toEqual([1])
  expect(await show(0, { show: 'starred' })).toEqual([1])
  expect(await show(0, { show: 'annotated', tag: 'luck' })).toEqual([0])
  const csv = await (await downloadRows(rowsOfPair(0), { show: 'reviewed' }, 'csv')).text()
  expect(csv).toMatch(/,kind: even,wrong,,luck,"a guess, ""lucky""",\n/)
  expect(csv).toMatch(/,kind: odd,right,yes,,,\n/)
})

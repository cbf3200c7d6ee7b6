import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { compareRows, pairRows } from '../../evaluation/run/record/compare-rows.ts'
import { noOutcomes } from '../../evaluation/run/record/outcome.ts'
import type { PairResult, RowRecord } from '../../evaluation/run/record/run-record.ts'
import { annotationLine } from './annotations.ts'
import { junitXml } from './junit.ts'
import { type FailOn, failureOf } from './report-comparison.ts'

const dataset = (abbr: string, rows: readonly object[]) => ({
  abbr,
  rows,
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
})
const right = { question: '12+30=?', answer: '42' }
const wrong = { question: '2+2=?', answer: '5' }
const config = {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6, price: { input: 1000, output: 2000, currency: 'EUR' } }],
  datasets: [dataset('sums', [right, right, right, wrong]), dataset('wrong', [wrong])],
  summarizer: {
    summary_groups: [
      { name: 'by dataset', subsets: ['sums', 'wrong'] },
      { name: 'by row', subsets: ['sums', 'wrong'], weighted_by: 'rows' },
    ],
  },
}
const folder = () => folderWith({ 'rolecall.config.json': JSON.stringify(config) })

describe('rolecall run --fail-under', () => {
  test('exits with 3 if a metric is below its threshold, else with 0', async () => {
    const at = folder()
    const run = (...checks: string[]) => rolecall(['run', '-w', 'runs', ...checks.flatMap((one) => ['--fail-under', one])], at)
    const failed = await run('accuracy=0.5')
    expect(failed.code).toBe(3)
    expect(failed.stdout).toContain('ok  tiny on sums: accuracy 75.0 % is not worse than 50.0 %')
    expect(failed.stdout).toContain('worse  tiny on wrong: accuracy 0.0 % is worse than 50.0 %')
    expect((await run('sums:accuracy=75%')).code).toBe(0)
    expect((await run('sums:accuracy=75%', 'wrong:accuracy=1%')).code).toBe(3)
    expect([(await run('by dataset=0.375')).code, (await run('by row=0.61')).code]).toEqual([0, 3])
  })

  test('rejects an unknown metric before sending requests', async () => {
    const run = (check: string) => rolecall(['run', '--fail-under', check], folder())
    expect(await run('acuracy=0.5')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no metric "acuracy"') })
    expect(await run('accuracy=80')).toMatchObject({ code: 2, stderr: expect.stringContaining('80 is not a share') })
    expect(await run('accuracy')).toMatchObject({ code: 2, stderr: expect.stringContaining('not a name and a number') })
  })

  test('reports to programs, JUnit and GitHub', async () => {
    const at = folder()
    const page = join(at, 'page.md')
    writeFileSync(page, '')
    const flags = ['--fail-under', 'sums:accuracy=0.9', '--junit', 'figures.xml', '--github', '--json', '-w', 'runs']
    const { code, stdout, stderr } = await rolecall(['run', ...flags], at, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page })
    expect(code).toBe(3)
    expect(JSON.parse(stdout).checks).toMatchObject([{ check: 'sums:accuracy=0.9', value: 75, worst: 90, passed: false }])
    const xml = readFileSync(join(at, 'figures.xml'), 'utf8')
    expect(xml).toContain('<testsuite name="tiny on sums" tests="3" failures="1" errors="0"')
    expect(xml).toContain('<failure message="tiny on sums: accuracy 75.0 % is worse than 90.0 %">')
    expect(stderr).toContain('::error title=--fail-under::tiny on sums: accuracy 75.0 %25 is worse than 90.0 %25\n')
    expect(stderr).toContain('::notice title=tiny on wrong::accuracy %25: 0.0')
    expect(readFileSync(page, 'utf8')).toContain('| tiny · sums | 4 |')
    // Annotations are only printed on GitHub.
    expect((await rolecall(['run', '-r', '-w', 'runs', '--github'], at)).stdout).not.toContain('::notice')
    const [latest] = [await rolecall(['score', 'runs', '--fail-under', 'sums:accuracy=0.9'], at)]
    expect(latest).toMatchObject({ code: 3, stdout: expect.stringContaining('worse  tiny on sums') })
  })
})

test('in JUnit, results say where they stand on the axes of the run, and gates name places', async () => {
  const short = {
    data: [right],
    prompts: { 'a "short" one': '{question}', long: 'Add. {question}' },
    models: ['embedded'],
    gold: 'answer',
    check: 'contains',
  }
  const at = folderWith({ 'eval.json': JSON.stringify(short) })
  const { code } = await rolecall(['run', 'eval.json', '--junit', 'axes.xml', '--fail-under', 'long:accuracy=0'], at)
  const xml = readFileSync(join(at, 'axes.xml'), 'utf8')
  expect(code).toBe(0)
  expect(xml).toContain('    <properties>\n      <property name="data" value="data"/>\n      <property name="prompt" value="long"/>')
  expect(xml).toContain('<property name="prompt" value="a &quot;short&quot; one"/>')
  expect(xml.match(/name="--fail-under long:accuracy=0"/g)).toHaveLength(1)
})

test('totals tokens and their cost', async () => {
  // Equal rows would be paid for once.
  const rows = ['12+30=?', '13+30=?', '14+30=?'].map((question) => ({ question, answer: '42' }))
  const at = folderWith({ 'rolecall.config.json': JSON.stringify({ models: config.models, datasets: [dataset('sums', rows)] }) })
  const { stdout } = await rolecall(['run', '-w', 'runs', '--json', '--no-cache'], at)
  const { totals, results } = JSON.parse(stdout)
  const sum = (key: 'prompt' | 'reused' | 'reply') => results.reduce((all: number, one: PairResult) => all + one.tokens[key], 0)
  expect(totals.tokens).toEqual({ prompt: sum('prompt'), reused: sum('reused'), reply: sum('reply') })
  expect(totals.costs).toEqual([{ amount: expect.closeTo((sum('prompt') * 1000 + sum('reply') * 2000) / 1e6, 9), currency: 'EUR' }])
  const shown = await rolecall(['run', '-w', 'runs', '--no-cache', '--verbose'], at)
  expect(shown.stdout).toMatch(new RegExp(`${sum('prompt')} prompt tokens.*, ${sum('reply')} generated; cost 0\\.\\d+ EUR\n`))
  expect(shown.stdout).toMatch(/3 rows in .* · 0\.\d+ EUR · runs/)
  // Cached answers cost nothing.
  await rolecall(['run', '-w', 'runs', '--cache', 'kept'], at)
  const again = JSON.parse((await rolecall(['run', '-w', 'runs', '--json', '--cache', 'kept'], at)).stdout)
  expect(again.totals).toMatchObject({
    tokens: { prompt: totals.tokens.prompt, reply: totals.tokens.reply },
    costs: [{ amount: 0, currency: 'EUR' }],
  })
})

test('averages groups by dataset or by row, and says which', async () => {
  const at = folder()
  const { stdout } = await rolecall(['run', '-w', 'runs'], at)
  expect(stdout).toMatch(/by dataset .* 37\.5 .* mean of 2 datasets .*\nby row .* 60\.0 .* mean of 5 rows/)
  const { stdout: json } = await rolecall(['run', '-w', 'runs', '-r', '--json'], at)
  expect(JSON.parse(json).groups).toMatchObject([
    { group: 'by dataset', value: 37.5, weightedBy: 'datasets' },
    { group: 'by row', value: 60, weightedBy: 'rows', scored: 5 },
  ])
})

describe('rolecall compare --fail-on', () => {
  const row = (id: number, score: number, prediction = 'x'): RowRecord => ({
    ...{ id, key: 'k', row_hash: String(id), score, prompt_hash: 'p', prediction, milliseconds: 1 },
    tokens: { prompt: 1, reused: 0, reply: 1 },
    examples: { used: 0, dropped: 0 },
  })
  const result = (given: Partial<PairResult> = {}): PairResult => ({
    ...{ model: 'tiny', dataset: 'text', metric: 'accuracy', kind: 'verdict', unit: 'percent', direction: 'higher' },
    ...{ answers: noOutcomes(), rows: 2, failed: 0, skipped: 0, tokens: { prompt: 0, reused: 0, reply: 0 }, cut: 0 },
    ...{ examplesDropped: 0, seconds: 1, notes: [] },
    ...given,
  })
  const fails = (
    first: number[],
    second: number[],
    failOn: FailOn,
    given: Partial<PairResult> = {},
    other = given,
    columns?: RowRecord['columns'],
  ) => {
    const records = (scores: number[]) => scores.map((score, id) => ({ ...row(id, score), columns }))
    const results = [result(given), result(other)] as const
    const compared = compareRows({
      dataset: 'text',
      models: [{ model: 'tiny' }, { model: 'tiny' }],
      results,
      paired: pairRows(records(first), records(second), results),
    })
    return failureOf(compared, failOn)
  }

  test('distinguishes chance, any loss, single rows and any change', () => {
    expect(fails([1, 1, 0], [1, 0, 0], 'worse')).toBeUndefined()
    expect(fails([1, 1, 0], [1, 0, 0], 'any-worse')).toContain('−33.3')
    expect(fails([1, 0], [0, 1], 'any-worse')).toBeUndefined()
    expect(fails([1, 0], [0, 1], 'worse-rows')).toBe('1 rows are worse')
    expect(fails([1, 0], [1, 1], 'worse-rows')).toBeUndefined()
    expect(fails([1, 0], [1, 1], 'changed')).toContain('only the scoring differs')
    expect(fails([1, 0], [1, 0], 'changed')).toBeUndefined()
    const many = Array.from({ length: 10 }, () => 1)
    expect(
      fails(
        many,
        many.map(() => 0),
        'worse',
      ),
    ).toContain('−100.0')
  })

  test('knows that a lower perplexity is better', () => {
    const perplexity = { metric: 'average_ppl', kind: 'quantity', unit: 'nats per token', direction: 'lower' } as const
    expect(fails([2, 2, 2], [1, 1, 1], 'any-worse', perplexity)).toBeUndefined()
    expect(fails([1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2], 'worse', perplexity)).toContain('lower is better')
  })

  test('fails pairs that cannot be compared', () => {
    expect(fails([1], [1], 'worse', {}, { metric: 'f1' })).toContain('cannot be compared')
    expect(fails([], [], 'worse')).toContain('cannot be compared')
  })

  test('fails rows of one cluster, which have no standard error, unless it asks for single rows', () => {
    const clustered = { cluster: 'passage' }
    expect(fails([1, 1], [1, 0], 'worse', clustered)).toBeUndefined()
    expect(fails([1, 1], [1, 0], 'worse', clustered, clustered, { passage: 'p' })).toContain('not compared: all rows are in one group')
    expect(fails([1, 1], [1, 0], 'worse-rows', clustered, clustered, { passage: 'p' })).toBe('1 rows are worse')
  })

  test('exits with 3', async () => {
    const at = folder()
    await rolecall(['run', '-w', 'first'], at)
    const other = { ...config, datasets: [dataset('sums', [right, right, right, { ...wrong, answer: '4' }])] }
    writeFileSync(join(at, 'other.json'), JSON.stringify(other))
    await rolecall(['run', 'other.json', '-w', 'second'], at)
    const same = await rolecall(['compare', 'first', 'first', '--fail-on', 'changed'], at)
    expect(same).toMatchObject({ code: 0 })
    const lost = await rolecall(['compare', 'first', 'second', '--fail-on', 'worse', '--junit', 'compared.xml'], at)
    expect(lost).toMatchObject({ code: 3, stderr: expect.stringContaining('--fail-on worse tiny on wrong: missing from the second run\n') })
    expect(readFileSync(join(at, 'compared.xml'), 'utf8')).toContain('tests="2" failures="1"')
  })
})

test('characters that are invalid in XML or in annotations are escaped', () => {
  expect(junitXml([{ name: '<a> & "b"', cases: [{ name: '\u0000', failure: 'x < y' }] }])).toContain(
    '<testcase classname="&lt;a&gt; &amp; &quot;b&quot;" name="\ufffd" time="0.000">\n      <failure message="x &lt; y">x &lt; y</failure>',
  )
  expect(annotationLine({ level: 'error', title: 'a: b, c', message: '50 %\nnext' })).toBe('::error title=a%3A b%2C c::50 %25%0Anext')
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openViewed } from '../rolecall/src/cli/view/open-viewed.ts'
import { sentText } from '../rolecall/src/evaluation/run/ask/request-text.ts'
import type { RowRecord } from '../rolecall/src/evaluation/run/record/run-record.ts'
import { planRun, type RunEnvironment } from '../rolecall/src/evaluation/run/run-pairs.ts'
import { loadConfig } from '../rolecall/src/node/config/load-config.ts'
import { nodeSha256 } from '../rolecall/src/node/models/node-sha256.ts'
import type { ControlRequest, ControlStatus } from '../rolecall/src/node/runs/control/control-messages.ts'
import { serveControl } from '../rolecall/src/node/runs/control/serve-control.ts'
import { nodeEnvironment } from '../rolecall/src/node/runs/node-environment.ts'
import { runEvaluation } from '../rolecall/src/node/runs/run-evaluation.ts'
import { RunFolder } from '../rolecall/src/node/runs/run-folder.ts'
import { RunLock } from '../rolecall/src/node/runs/run-lock.ts'
import { serveViewer } from '../rolecall/src/server/viewer/serve-viewer.ts'
import { focusedOn } from './testing/by-keyboard.ts'
import { chromiumPath, eventually, inChromium, TriedViewer } from './testing/chromium.ts'
import { writeConfig } from './testing/made-config.ts'
import { promptText, rendered } from './testing/prompt-texts.ts'

vi.setConfig({ testTimeout: 60_000 })

// Runs of the embedded model and of judges, long runs, and runs in progress.

describe.skipIf(chromiumPath === undefined)(inChromium, () => {
  const viewer = new TriedViewer()
  const configFile = writeConfig(viewer.folder)

  beforeAll(() => viewer.start(), 120_000)

  afterAll(() => viewer.stop(), 30_000)

  test('a run shows its metrics and rows, filters them, and proves the prompt of a row', async () => {
    const { folder: run } = await runEvaluation(await loadConfig(configFile), {
      models: 'tiny,other',
      datasets: 'sums,choices',
      workDir: join(viewer.folder, 'outputs'),
      cache: false,
    })
    const runs = await serveViewer({ version: 'test', ...(await openViewed([run])) }, { folder: viewer.built })
    try {
      const page = await viewer.open(`${runs.url}#/runs`)
      const figure = page.locator('.figure').first()
      const [, right] = /^([\d.]+)/.exec((await figure.textContent())!)!
      await figure.click()
      const count = page.getByTestId('row-count')
      await eventually(() => count.textContent()).toBe('6 of 6 rows')
      const wrong = 6 - Math.round((Number(right) / 100) * 6)
      expect(wrong).toBeGreaterThan(0)
      await page.getByRole('button', { name: `wrong ${wrong}`, exact: true }).click()
      await eventually(() => count.textContent()).toBe(`${wrong} of 6 rows`)
      await page.getByRole('button', { name: 'all 6', exact: true }).click()
      await page.getByLabel('search rows').fill('我想')
      await eventually(() => count.textContent()).toBe('1 of 6 rows')
      await page.locator('#record-0').click()
      await page.getByRole('tab', { name: 'Prompt' }).click()
      await page.getByText('the prompt that was sent, to the byte').waitFor()
      await eventually(() => promptText(page)).toBe(await rendered(configFile, { models: 'tiny', datasets: 'sums', rows: '1' }))
      await page.goto(`${runs.url}#/runs?pair=1&row=0&tab=prompt`)
      await eventually(() => page.locator('.labels [aria-selected="true"]').textContent()).toMatch(/chosen$/)
      await eventually(() => page.locator('.with-heat [class*="heat-"]').count()).toBeGreaterThan(5)
      // Rows that have changed since are reported.
      const file = join(viewer.folder, 'sums.jsonl')
      const before = readFileSync(file, 'utf8')
      writeFileSync(file, before.replace('12+30', '12+31'))
      await page.goto(`${runs.url}#/runs?pair=0&row=0&tab=prompt`)
      await page.getByText('not the prompt that was sent: its hash differs', { exact: false }).first().waitFor()
      writeFileSync(file, before)
      await page.close()
    } finally {
      await runs.close()
    }
  })

  test("a judge's comparison is shown in both orders, and other metrics are not compared", async () => {
    const at = join(viewer.folder, 'pairwise')
    mkdirSync(at)
    const scored = (evaluator: string) => `
models:
  - { abbr: base, type: openai, path: base, format: plain }
  - { abbr: tuned, type: openai, path: tuned, format: plain }
datasets:
  - abbr: poems
    rows: [{ topic: rain }]
    reader_cfg: { input_columns: [topic] }
    infer_cfg: { prompt_template: { template: "About {topic}." } }
    eval_cfg:
      evaluator: { type: ${evaluator}, judge_cfg: { type: openai, path: judge, format: plain } }
`
    const pairwise = 'PairwiseEvaluator, against: base, prompt_template: { template: "First {answer_a}, second {answer_b}." }'
    const marked = 'LMEvaluator, prompt_template: { template: "Mark {prediction}." }'
    const says = (path: string, text: string) =>
      path !== 'judge' ? `${path} says` : text.startsWith('Mark') ? '[[7]]' : text.startsWith('First tuned') ? 'Verdict: A' : 'Verdict: B'
    const runs = await Promise.all(
      [pairwise, marked].map(async (evaluator, number) => {
        const file = join(at, `${number}.yaml`)
        writeFileSync(file, scored(evaluator))
        const openModel: RunEnvironment['openModel'] = async ({ path = '' }) => ({
          name: path,
          generate: async (prompt) => ({
            text: says(path, sentText(prompt)),
            finish: 'stop',
            tokens: { prompt: 1, reused: 0, reply: 1 },
            notes: [],
          }),
        })
        const environment = { ...nodeEnvironment(at), openModel }
        return (await runEvaluation(await loadConfig(file), { workDir: join(at, `outputs-${number}`), cache: false, environment })).folder
      }),
    )
    const shown = await serveViewer({ version: 'test', ...(await openViewed(runs)) }, { folder: viewer.built })
    try {
      const page = await viewer.open(`${shown.url}#/runs?run=0&pair=1&row=0&tab=judge`)
      const judging = page.getByLabel('the prompt to the judge')
      const first = judging.locator('.judged').nth(0)
      const second = judging.locator('.judged').nth(1)
      await eventually(() => first.textContent()).toContain('the judge, with this answer shown first')
      expect(await first.locator('.verdict').textContent()).toBe('A: this answer is better')
      expect(await second.locator('.verdict').textContent()).toBe('B: this answer is better')
      expect(await first.locator('.prompt > pre').textContent()).toBe('First tuned says, second base says.')
      expect(await second.locator('.prompt > pre').textContent()).toBe('First base says, second tuned says.')
      expect(await judging.getByText('✓ the prompt to the judge, verified by its hash').count()).toBe(2)
      await page.getByRole('tab', { name: 'Answer' }).click()
      expect(await page.getByLabel('compared with').textContent()).toContain('base says')
      await page.close()
    } finally {
      await shown.close()
    }
  })

  /** A run that this process works on, with one row. */
  async function liveRun(name: string) {
    const loaded = await loadConfig(configFile)
    const pairs = planRun([loaded.config.models[0] as never], [loaded.config.datasets[0] as never])
    const path = join(viewer.folder, 'live', name)
    const info = { name, started: new Date().toISOString(), rolecall: 'test', folder: viewer.folder, options: {} }
    const { warnings: _, unused: __, ...written } = loaded.config
    const writing = new RunFolder(path, info, pairs, JSON.parse(JSON.stringify(written)))
    writing.begin()
    const lock = new RunLock(join(path, 'run.lock'))
    const store = writing.storeFor(pairs[0]!)
    const add = (id: number, more: Partial<RowRecord> = {}) => store.add({ ...recordOf(id), ...more })
    const end = () => {
      lock.release()
      writing.close()
    }
    add(0)
    return { path, add, end }
  }

  test('a run in progress is followed', async () => {
    const { path, add, end } = await liveRun('followed')
    const live = await serveViewer({ version: 'test', ...(await openViewed([path])) }, { folder: viewer.built })
    try {
      const page = await viewer.open(`${live.url}#/runs?pair=0`)
      const count = page.getByTestId('row-count')
      await eventually(() => count.textContent()).toBe('1 of 1 row')
      await page.getByText('running').waitFor()
      add(1)
      add(2)
      await eventually(() => count.textContent()).toBe('3 of 3 rows')
      await eventually(() => page.locator('#record-2').textContent()).toContain('answer 2')
      // A row that is answered again replaces the earlier one.
      await page.locator('#record-0').click()
      await page.locator('.pair-record').getByText('answer 0').waitFor()
      add(0, { prediction: 'another answer', score: 1 })
      await eventually(() => page.locator('#record-0').textContent()).toContain('another answer')
      await page.locator('.pair-record').getByText('another answer').waitFor()
      add(0, { prediction: 'a third answer', score: 1 })
      await page.locator('.pair-record').getByText('a third answer').waitFor()
      expect(await count.textContent()).toBe('3 of 3 rows')
      // A click leaves the focus on the table, whose keys go on when the clicked row has scrolled away.
      expect(await focusedOn(page)).toMatch(/^grid/)
      await page.close()
    } finally {
      end()
      await live.close()
    }
  })

  test('a run in progress is controlled with the printed token, in both languages', async () => {
    const { path, end } = await liveRun('controlled')
    const seen: ControlRequest[] = []
    const status: ControlStatus = {
      ...{ folder: path, state: 'running', retries: false, rowsPerSecond: 1, pairs: [], limits: { maxCost: 5 } },
      ...{ rows: { done: 1, total: 6, failed: 1 }, spent: { tokens: 1200, seconds: 3, cost: { amount: 0.5, currency: 'USD' } } },
    }
    const control = await serveControl(path, (request) => {
      if (request.action !== 'status') seen.push(request)
      if (request.action === 'pause') status.state = 'paused'
      if (request.action === 'stop') status.state = 'stopping'
      return status
    })
    const live = await serveViewer({ version: 'test', ...(await openViewed([path])) }, { folder: viewer.built, hasControl: true })
    try {
      const page = await viewer.open(`${live.url}#/runs`)
      const bar = page.getByRole('region', { name: 'control of this run' })
      const button = (name: string) => bar.getByRole('button', { name, exact: true })
      await bar.getByText('running · 0.50 USD · 1,200 tokens in 3 s').waitFor()
      for (const token of ['wrong', live.controlToken!]) {
        await bar.getByLabel('control token').fill(token)
        await button('Unlock').click()
        await button('Pause').click()
        if (token === 'wrong') await bar.getByText('it is missing or wrong').waitFor()
      }
      await button('Resume').waitFor()
      await button('Retry 1 error').click()
      await bar.getByLabel('cost').fill('')
      await bar.getByLabel('tokens', { exact: true }).fill('9000')
      await button('Set limits').click()
      await button('Stop').click()
      await button('Keep it running').click()
      await button('Stop').click()
      await button('Stop the run?').click()
      await bar.getByText('stopping: the rows in flight finish').waitFor()
      expect(seen).toEqual([
        { action: 'pause' },
        { action: 'retry-errors' },
        { action: 'limits', limits: { maxCost: null, maxTokensTotal: 9000 } },
        { action: 'stop' },
      ])
      expect(page.url()).not.toContain(live.controlToken!)
      await page.goto(`${live.url}#/runs?lang=zh`)
      await page.reload()
      await page.getByRole('region', { name: '控制此运行' }).getByRole('button', { name: '设置上限' }).waitFor()
      await page.close()
    } finally {
      control.close()
      end()
      await live.close()
    }
  })

  test('a hundred thousand rows open immediately and scroll to the end', async () => {
    const path = join(viewer.folder, 'many')
    const many = {
      models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
      datasets: [
        {
          abbr: 'many',
          path: 'many.jsonl',
          reader_cfg: { output_column: 'answer' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
        },
      ],
    }
    writeFileSync(join(viewer.folder, 'many.jsonl'), Array.from({ length: 100_000 }, (_, id) => `${JSON.stringify(rowOf(id))}\n`).join(''))
    const pairs = planRun(many.models as never, many.datasets as never)
    const info = { name: 'many', started: new Date().toISOString(), rolecall: 'test', folder: viewer.folder, options: {} }
    const writing = new RunFolder(path, info, pairs, many)
    writing.begin()
    const records = join(path, writing.info.pairs[0]!.predictions)
    mkdirSync(dirname(records), { recursive: true })
    writeFileSync(records, Array.from({ length: 100_000 }, (_, id) => `${JSON.stringify(recordOf(id))}\n`).join(''))
    const viewed = await openViewed([path])
    const large = await serveViewer({ version: 'test', ...viewed }, { folder: viewer.built })
    try {
      const page = await viewer.open('about:blank')
      const asked: string[] = []
      page.on('request', (one) => asked.push(`asks ${one.url().split('/').slice(-2).join('/')}`))
      page.on('requestfinished', (one) => asked.push(`has ${one.url().split('/').slice(-2).join('/')}`))
      await page.goto(`${large.url}#/runs?pair=0`)
      await page.locator('#record-0').getByText('question 0').waitFor()
      await eventually(() => page.getByTestId('row-count').textContent()).toBe('100,000 of 100,000 rows')
      expect(await page.locator('.virtual-line').count()).toBeLessThan(100)
      // The first view does not wait for data that needs all rows, and requests it once.
      await eventually(async () => asked).toContain('asks 0/columns.json')
      expect(asked.indexOf('has list/0.json')).toBeLessThan(asked.indexOf('asks 0/columns.json'))
      expect(asked.filter((one) => one === 'asks list/0.json')).toHaveLength(1)
      await page.getByRole('grid').focus()
      await page.keyboard.press('End')
      await page.locator('#record-99999').getByText('question 99999').waitFor()
      await page.getByRole('button', { name: 'wrong 50,000', exact: true }).click()
      await eventually(() => page.getByTestId('row-count').textContent()).toBe('50,000 of 100,000 rows')
      await page.close()
    } finally {
      await large.close()
    }
  })

  test('no page sent requests to other hosts or logged errors', () => {
    expect(viewer.wrong).toEqual([])
  })
})

/** A record as written by a run; every second row is right. */
function rowOf(id: number): { question: string; answer: string } {
  return { question: `question ${id}`, answer: String(id) }
}

function recordOf(id: number): RowRecord {
  return {
    id,
    key: id.toString(16).padStart(64, '0'),
    row_hash: nodeSha256(JSON.stringify(rowOf(id))).slice(0, 32),
    gold: String(id),
    score: id % 2,
    prompt_hash: 'none',
    prediction: `answer ${id}`,
    finish: 'stop',
    tokens: { prompt: 1, reused: 0, reply: 1 },
    examples: { used: 0, dropped: 0 },
    milliseconds: 1,
  }
}

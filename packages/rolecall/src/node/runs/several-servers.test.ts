import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { addingServer } from '../../../../../proof/testing/queued-run.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { runEvaluation } from './run-evaluation.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function configOf(models: readonly { abbr: string; url: string; concurrency: number }[], rows: number) {
  return {
    models: models.map(({ abbr, url, concurrency }) => {
      return { abbr, type: 'openai', path: 'adder', base_url: url, format: 'messages', concurrency }
    }),
    datasets: [
      {
        abbr: 'sums',
        rows: Array.from({ length: rows }, (_, id) => ({ question: `${id}+1=?`, answer: `${id + 1}` })),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      },
    ],
  }
}

test('models on different servers run at once, each with its own concurrency; models on one server take turns', async () => {
  const order: string[] = []
  const [slow, fast] = [await addingServer(15, () => order.push('slow')), await addingServer(1, () => order.push('fast'))]
  servers.push(slow, fast)
  // On any machine, the slow server is not done before the fast one.
  slow.holdAfter(10)
  const config = configOf(
    [
      { abbr: 'slow', url: slow.url, concurrency: 2 },
      { abbr: 'again', url: slow.url, concurrency: 1 },
      { abbr: 'fast', url: fast.url, concurrency: 20 },
    ],
    20,
  )
  const ended: string[] = []
  const { summary } = await runEvaluation(config, {
    workDir: folderWith({}),
    cache: false,
    onEvent(event) {
      if (event.kind !== 'end') return
      ended.push(event.pair.name.model)
      slow.release()
    },
  })
  expect(ended).toEqual(['fast', 'slow', 'again'])
  expect(order.lastIndexOf('fast')).toBeLessThan(order.lastIndexOf('slow'))
  expect(summary.results.map(({ model, value }) => [model, value])).toEqual([
    ['slow', 100],
    ['again', 100],
    ['fast', 100],
  ])
})

test('a failure on one server stops the run on all', async () => {
  const [good, bad] = [await addingServer(5), await scriptedServer(() => ({ status: 401, json: { error: { message: 'no' } } }))]
  servers.push(good, bad)
  const config = configOf(
    [
      { abbr: 'good', url: good.url, concurrency: 1 },
      { abbr: 'bad', url: bad.url, concurrency: 1 },
    ],
    300,
  )
  await expect(runEvaluation(config, { workDir: folderWith({}), cache: false })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(good.asked.size).toBeLessThan(300)
})

test('refused requests (429) wait without pausing the others', async () => {
  const asked: string[] = []
  const refused = [23, 47, 71]
  const server = await scriptedServer(({ body, number }) => {
    const [, first = ''] = /(\d+)\+1/.exec(body) ?? []
    asked.push(first)
    if (refused.includes(number)) return { status: 429, headers: { 'retry-after': '1' }, text: '' }
    return { json: { choices: [{ message: { content: String(Number(first) + 1) }, finish_reason: 'stop' }] } }
  })
  servers.push(server)
  const concurrency = 16
  const config = configOf([{ abbr: 'one', url: server.url, concurrency }], 600)
  const { summary } = await runEvaluation(config, { workDir: folderWith({}), cache: false })
  expect(summary.results).toMatchObject([{ rows: 600, failed: 0, value: 100 }])
  // If a refusal paused all requests, at most those in flight would arrive before the refused row comes again.
  const meanwhile = refused.map((place) => asked.indexOf(asked[place]!, place + 1) - place)
  expect(Math.min(...meanwhile)).toBeGreaterThan(concurrency)
})

test('rows that a server refused for a while occupy no slot, and a storm of refusals fails none', async () => {
  let refusals = 0
  const server = await scriptedServer(({ body, number }) => {
    const [, first = ''] = /(\d+)\+1/.exec(body) ?? []
    // More rows than there are slots.
    if (number >= 10 && refusals < 12) {
      refusals++
      return { status: 429, headers: { 'retry-after': '1' }, text: '' }
    }
    return { json: { choices: [{ message: { content: String(Number(first) + 1) }, finish_reason: 'stop' }] } }
  })
  servers.push(server)
  const config = configOf([{ abbr: 'one', url: server.url, concurrency: 4 }], 60)
  const [model] = config.models
  const reasons: string[] = []
  const { summary } = await runEvaluation(
    { ...config, models: [{ ...model!, retries: 1 }] },
    { workDir: folderWith({}), cache: false, onEvent: (event) => void (event.kind === 'wait' && reasons.push(event.wait.reason)) },
  )
  expect(summary.results).toMatchObject([{ rows: 60, failed: 0, value: 100 }])
  expect(reasons).not.toContainEqual(expect.stringContaining('retry'))
})

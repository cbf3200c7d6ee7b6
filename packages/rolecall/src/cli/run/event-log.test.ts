import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { addingServer, start, sumsFolder, until } from '../../../../../proof/testing/queued-run.ts'
import { rolecall, rolecallProcess } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { EventLog, type RunLogEvent } from './event-log.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/run-event.schema.json', import.meta.url), 'utf8')) as object
const validate = new Ajv({ strict: false }).compile(schema)

function eventsIn(text: string): RunLogEvent[] {
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunLogEvent)
  for (const event of events) expect([event, validate(event), validate.errors]).toEqual([event, true, null])
  return events
}

test('--events writes what happens, as its schema says, from the start to the exit code', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 6, { price: { input: 100_000, output: 500_000 } })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache', '--events']
  expect((await rolecall([...run, 'events.jsonl', '--max-cost', '4'], folder)).code).toBe(5)
  const first = eventsIn(readFileSync(join(folder, 'events.jsonl'), 'utf8'))
  const kinds = first.map(({ event }) => event)
  expect([kinds[0], ...kinds.slice(-2)]).toEqual(['started', 'progress', 'finished'])
  expect(kinds.slice(1, -2).sort()).toEqual(['budget', 'row', 'row', 'row', 'row'])
  expect(first.at(-2)).toMatchObject({ rows: 4, sent: 4, failed: 0, tokens: { prompt: 20, reply: 4 } })
  expect(first.at(-1)).toMatchObject({ version: 1, exit_code: 5, unfinished: 1, error: { code: 'limit-reached' } })
  const { code, stdout } = await rolecall([...run, '-', '-r', '--max-cost', '40'], folder)
  expect(code).toBe(0)
  const second = eventsIn(stdout)
  expect(second[0]).toMatchObject({ event: 'started', resumed: true, pairs: [{ model: 'adder', dataset: 'sums' }] })
  expect(second.filter((event) => event.event === 'row' && event.from === 'stored')).toHaveLength(4)
  expect(second.slice(-3)).toMatchObject([
    { event: 'result', rows: 6, value: 100 },
    { event: 'progress', sent: 2 },
    { event: 'finished', exit_code: 0 },
  ])
  await server.close()
})

test('a dry run ends with its exit code; standard output has events only', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 2)
  const { code, stdout, stderr } = await rolecall(['run', 'eval.json', '--dry-run', '--events', '-'], folder)
  expect(code).toBe(0)
  expect(eventsIn(stdout).map(({ event }) => event)).toEqual(['progress', 'finished'])
  expect(stderr).toContain('prompt tokens')
  writeFileSync(join(folder, 'rows.jsonl'), '')
  expect((await rolecall(['run', 'eval.json', '--dry-run', '--events', 'dry.jsonl'], folder)).code).not.toBe(0)
  const last = eventsIn(readFileSync(join(folder, 'dry.jsonl'), 'utf8')).at(-1)
  expect(last).toMatchObject({ event: 'finished', error: { exit_code: expect.any(Number) } })
})

test('a wrong command line ends with an event, too', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 2)
  for (const events of [['--events', 'e.jsonl'], ['--events=e.jsonl']]) {
    expect((await rolecall(['run', 'eval.json', '--max-cost', '-1', ...events], folder)).code).toBe(2)
    const last = eventsIn(readFileSync(join(folder, 'e.jsonl'), 'utf8')).at(-1)
    expect(last).toMatchObject({
      event: 'finished',
      exit_code: 2,
      error: { code: 'usage', where: '--max-cost -1', problem: expect.stringContaining('expected a number above 0') },
    })
  }
  await rolecall(['run', 'eval.json', '--retry-errors', '--events', 'flags.jsonl'], folder)
  expect(eventsIn(readFileSync(join(folder, 'flags.jsonl'), 'utf8'))).toMatchObject([
    { event: 'progress' },
    { event: 'finished', exit_code: 2, error: { code: 'missing', where: '--retry-errors' } },
  ])
  const { stdout } = await rolecall(['run', 'eval.json', '--nope', '--events', '-'], folder)
  expect(eventsIn(stdout).at(-1)).toMatchObject({ event: 'finished', exit_code: 2 })
})

test('many waits are few events', async () => {
  const server = await scriptedServer(({ number }) => (number < 40 ? { status: 500, text: 'no' } : { status: 401, text: '' }))
  const folder = sumsFolder(server.url, 40, { concurrency: 40, max_retry_wait: 0.01 })
  const { stdout } = await rolecall(['run', 'eval.json', '--no-cache', '--events', '-'], folder)
  const retries = eventsIn(stdout).flatMap((event) => (event.event === 'retry' ? [event] : []))
  expect(retries.length).toBeLessThanOrEqual(4)
  expect(retries.reduce((sum, { waits = 1 }) => sum + waits, 0)).toBe(40)
  await server.close()
})

test('the last of several waits is an event within ten seconds, even if nothing else happens', () => {
  const file = join(folderWith({}), 'events.jsonl')
  vi.useFakeTimers()
  try {
    const log = new EventLog(file)
    const wait = (milliseconds: number) => log.show({ kind: 'wait', wait: { for: 'retry', reason: 'its limit', milliseconds } })
    const retries = () => eventsIn(readFileSync(file, 'utf8'))
    for (const milliseconds of [1, 2, 3]) wait(milliseconds)
    expect(retries()).toMatchObject([{ event: 'retry', milliseconds: 1 }])
    vi.advanceTimersByTime(10_000)
    expect(retries()).toMatchObject([{ milliseconds: 1 }, { event: 'retry', milliseconds: 3, waits: 2 }])
    vi.advanceTimersByTime(100_000)
    wait(4)
    expect(retries()).toHaveLength(3)
    log.finish(undefined)
    vi.advanceTimersByTime(100_000)
    expect(retries().slice(3)).toMatchObject([{ event: 'progress' }, { event: 'finished' }])
  } finally {
    vi.useRealTimers()
  }
})

test.each(['', ', also after Ctrl-C'])(
  'SIGHUP, when a terminal is closed, ends a run like SIGTERM: with its last event%s',
  async (before) => {
    const server = await addingServer(1)
    const folder = sumsFolder(server.url, 6)
    server.holdAfter(3)
    const run = start(['run', 'eval.json', '-w', 'runs', '--no-cache', '--events', 'events.jsonl'], folder)
    await until(() => server.seen.length > 3, 'rows are sent')
    if (before !== '') {
      run.child.kill('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    run.child.stderr?.destroy()
    run.child.kill('SIGHUP')
    expect(await run.ended).toBe(130)
    expect(eventsIn(readFileSync(join(folder, 'events.jsonl'), 'utf8')).at(-1)).toMatchObject({ event: 'finished', exit_code: 130 })
    await server.close()
  },
)

test('retries and errors are events as well; prompts and answers are not in them', async () => {
  const server = await scriptedServer(({ number }) =>
    number === 0 ? { status: 429, text: '' } : { status: 401, json: { error: { message: 'no' } } },
  )
  const folder = sumsFolder(server.url, 1, { concurrency: 1 })
  const { code } = await rolecall(['run', 'eval.json', '--no-cache', '--events', 'events.jsonl'], folder)
  await server.close()
  expect(code).toBe(2)
  const text = readFileSync(join(folder, 'events.jsonl'), 'utf8')
  expect(eventsIn(text)).toMatchObject([
    { event: 'started' },
    { event: 'retry', for: 'retry', reason: expect.stringContaining('429') },
    { event: 'progress' },
    { event: 'finished', exit_code: 2, error: { code: 'unauthorized' } },
  ])
  expect(text).not.toContain('0+1')
})

test('a judge that is asked about stored answers has events', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 2)
  const config = JSON.parse(readFileSync(join(folder, 'eval.json'), 'utf8')) as { models: object[]; datasets: object[] }
  const judgedBy = async (words: string, ...flags: string[]) => {
    const prompt_template = { template: { round: [{ role: 'HUMAN', prompt: `1+1, ${words} {prediction}?` }] } }
    const evaluator = { type: 'GenericLLMEvaluator', prompt_template, judge_cfg: { ...config.models[0], abbr: 'judge' } }
    const datasets = config.datasets.map((dataset) => ({ ...dataset, eval_cfg: { evaluator } }))
    writeFileSync(join(folder, 'judged.json'), JSON.stringify({ ...config, datasets }))
    const { stdout } = await rolecall(['run', 'judged.json', '-w', 'runs', '--no-cache', '--events', '-', ...flags], folder)
    return eventsIn(stdout).filter(({ event }) => event === 'judge').length
  }
  expect([await judgedBy('or'), await judgedBy('and', '-r'), await judgedBy('and', '-r')]).toEqual([2, 2, 0])
  await server.close()
})

test('two outputs on one stream, and files that cannot be written, are errors', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 1)
  expect((await rolecall(['run', 'eval.json', '--events', '-', '--json'], folder)).stderr).toContain('both write to standard output')
  writeFileSync(join(folder, 'file'), '')
  const { code, stderr } = await rolecall(['run', 'eval.json', '--events', 'file/events.jsonl'], folder)
  expect([code, stderr]).toEqual([2, expect.stringContaining('file/events.jsonl cannot be written')])
})

test.skipIf(!existsSync('/dev/full'))(
  'a full disk under --events stops the run, with an error that names the file (skipped without /dev/full)',
  async () => {
    const server = await addingServer(1)
    const folder = sumsFolder(server.url, 3)
    const { code, stdout, stderr } = await rolecall(['run', 'eval.json', '--no-cache', '--events', '/dev/full', '--json'], folder)
    await server.close()
    expect([code, stderr]).toEqual([2, expect.stringContaining('/dev/full cannot be written: ENOSPC')])
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'no-file', where: '--events', exit_code: 2 } })
  },
)

test('an unhandled error ends the run like any other: with an event, and in the output of --json', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 2)
  const { models, datasets } = JSON.parse(readFileSync(join(folder, 'eval.json'), 'utf8')) as { models: object[]; datasets: object[] }
  for (const how of ["process.nextTick(() => { throw new Error('late') })", "Promise.reject(new Error('late'))"]) {
    const evaluated = JSON.stringify({ ...datasets[0], eval_cfg: { evaluator: 'HERE' } }).replace('"HERE"', `() => { ${how}; return 1 }`)
    writeFileSync(join(folder, 'crash.mjs'), `export default { models: ${JSON.stringify(models)}, datasets: [${evaluated}] }`)
    writeFileSync(join(folder, 'crash.jsonl'), '')
    const { code, stdout, stderr } = await rolecallProcess(
      ['run', 'crash.mjs', '-w', 'runs', '--no-cache', '--json', '--events', 'crash.jsonl'],
      folder,
    )
    const error = { code: 'failed', problem: 'late', exit_code: 1 }
    expect([code, JSON.parse(stdout), stderr]).toEqual([1, { error }, expect.stringContaining('failed late')])
    expect(eventsIn(readFileSync(join(folder, 'crash.jsonl'), 'utf8')).at(-1)).toMatchObject({ event: 'finished', exit_code: 1, error })
  }
  await server.close()
})

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { addingServer, recordsOf, sumsFolder, until } from '../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../proof/testing/scripted-server.ts'
import { loadConfig } from '../node/config/load-config.ts'
import { ownAddress } from '../node/runs/control/control-address.ts'
import type { ControlStatus } from '../node/runs/control/control-messages.ts'
import type { ControlEvent, EvaluationOptions } from '../node/runs/evaluation-options.ts'
import { runEvaluation } from '../node/runs/run-evaluation.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A run of which some rows are done, each for 1 USD; it is stopped after the test. */
async function beginRun({ server: given, ...options }: EvaluationOptions & { server?: ScriptedServer } = {}, model: object = {}) {
  const server = given ?? (await addingServer(20))
  const folder = sumsFolder(server.url, 2000, { price: { input: 100_000, output: 500_000 }, ...model })
  const workDir = join(folder, 'runs')
  const seen: ControlEvent[] = []
  let runFolder = ''
  const stop = new AbortController()
  const loaded = await loadConfig(join(folder, 'eval.json'))
  const begin = (more: EvaluationOptions = {}) =>
    runEvaluation(loaded, {
      ...{ workDir, cache: false, control: true, stop: stop.signal, ...options, ...more },
      onEvent(event) {
        if (event.kind === 'folder') runFolder = event.folder
        if (event.kind === 'control') seen.push(event)
      },
    })
  const running = begin()
  ends.push(async () => {
    stop.abort()
    await running
    await server.close()
  })
  await until(() => server.seen.length > 8, 'rows are sent')
  const ctl = (...args: string[]) => rolecall(['ctl', runFolder, ...args], folder)
  const status = async (...args: string[]) => JSON.parse((await ctl(...args, '--json')).stdout) as ControlStatus
  return { server, folder, runFolder, running, begin, ctl, status, seen }
}

test('a run is paused, limited and resumed; a later part keeps the limit', async () => {
  const { server, runFolder, running, begin, ctl, status, seen } = await beginRun()
  expect(statSync(join(runFolder, 'control.sock')).mode & 0o777).toBe(0o600)
  expect(await status('pause')).toMatchObject({ state: 'paused', rows: { total: 2000 }, limits: {} })
  await until(async () => (await status()).rows.done === server.seen.length, 'the rows in flight finish')
  const { length } = server.seen
  const paused = await status()
  expect(paused).toMatchObject({ rows: { done: length, failed: 0 }, spent: { tokens: 6 * length, cost: { currency: 'USD' } } })
  expect(paused.spent.cost!.amount).toBeCloseTo(length)
  expect(paused.rowsPerSecond).toBeGreaterThan(0)
  const most = length + 12
  const { stdout, code } = await ctl('limits', '--max-cost', `${most}`, '--max-time', '1h')
  expect(code).toBe(0)
  const shown = new RegExp(
    `: paused\n  adder · sums  ${length}/2,000\nrows +${length}/2,000 .* rows/s\nspent .* USD  .* tokens  \\d+:\\d\\d\n`,
  )
  expect(stdout).toMatch(shown)
  expect(stdout).toMatch(new RegExp(`limits {2}--max-cost ${most} --max-time 3600s\n$`))
  expect((await status('limits', '--max-time', 'none')).limits).toEqual({ maxCost: most })
  expect(server.seen).toHaveLength(length)
  expect(await status('resume')).toMatchObject({ state: 'running' })
  expect(await running).toMatchObject({ unfinished: 1, reached: { limit: 'max-cost', value: most } })
  expect(server.seen).toHaveLength(most)
  expect(seen.map(({ action }) => action)).toEqual(['pause', 'limits', 'limits', 'resume'])
  expect(existsSync(join(runFolder, 'control.sock'))).toBe(false)
  expect(await begin({ reuse: 'latest' })).toMatchObject({ reached: { value: most } })
  expect(server.seen).toHaveLength(most)
})

test('a changed time limit and stop end a paused run', async () => {
  for (const [args, reached] of [
    [['limits', '--max-time', '0.001s'], 'max-time'],
    [['stop'], undefined],
  ] as const) {
    const { server, running, ctl, status } = await beginRun()
    await status('pause')
    expect(await status(...args)).toMatchObject({ state: 'stopping' })
    const done = await running
    expect([done.unfinished, done.reached?.limit]).toEqual([1, reached])
    expect(server.seen.length).toBeLessThan(2000)
    expect(await ctl()).toMatchObject({ code: 2, stderr: expect.stringContaining('no process is working on this run') })
  }
})

test('a run that is ending refuses changes', async () => {
  const held: (() => void)[] = []
  const server = await scriptedServer(({ number }) => (response) => {
    const body = JSON.stringify({ choices: [{ message: { content: '1' }, finish_reason: 'stop' }] })
    if (number < 8) response.end(body)
    else held.push(() => response.end(body))
  })
  const { ctl, status, running } = await beginRun({ server })
  await status('stop')
  expect(await ctl('pause')).toMatchObject({ code: 2, stderr: expect.stringContaining('the run is ending') })
  expect(await status()).toMatchObject({ state: 'stopping', rows: { done: 8 } })
  for (const answer of held) answer()
  expect((await running).unfinished).toBe(1)
})

test('wrong requests are refused, and the run goes on', async () => {
  const { folder, runFolder, ctl, status } = await beginRun({}, { price: undefined })
  const refused: [string[], string][] = [
    [['limits', '--max-cost', '5'], '--max-cost needs the price'],
    [['limits', '--max-cost', '-5'], 'expected a number above 0'],
    [['limits', '--max-tokens-total', 'many'], 'expected a positive integer'],
    [['limits'], 'no limit is given'],
    [['pause', '--max-time', '5s'], 'limits are given'],
    [['halt'], 'use one of: status, pause, resume, limits, retry-errors, stop'],
  ]
  for (const [args, problem] of refused)
    expect([args, await ctl(...args)]).toEqual([args, expect.objectContaining({ code: 2, stderr: expect.stringContaining(problem) })])
  expect(await rolecall(['ctl', 'nowhere'], folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('no such file or folder') })
  for (const line of ['{}', 'no JSON', '{"action":"stop","now":true}', 'x'.repeat(20_000)])
    expect(await sent(ownAddress(runFolder)!, `${line}\n`)).toContain('"code":"wrong-request"')
  expect(await status()).toMatchObject({ state: 'running', limits: {} })
  // A path that Rolecall does not make, in a folder from elsewhere.
  writeFileSync(join(runFolder, 'control.path'), '/var/run/docker.sock')
  expect(await status()).toMatchObject({ state: 'running' })
})

test('retry-errors sends the rows that failed again when the others are done, and counts them once', async () => {
  const held: (() => void)[] = []
  let isBad = true
  const server = await scriptedServer(({ body }) => {
    const id = Number(/(\d+)\+1/.exec(body)![1])
    const usage = { prompt_tokens: 5, completion_tokens: 1 }
    const json = { choices: [{ message: { content: `${id + 1}` }, finish_reason: 'stop' }], usage }
    if (isBad && id % 2 === 0) return { status: 400, json: { error: { message: 'this prompt is refused' } } }
    return id === 11 && isBad ? (response) => void held.push(() => response.end(JSON.stringify(json))) : { json }
  })
  const rows: string[] = []
  const seconds: number[] = []
  const folder = sumsFolder(server.url, 12)
  let runFolder = ''
  const running = runEvaluation(await loadConfig(join(folder, 'eval.json')), {
    ...{ workDir: join(folder, 'runs'), cache: false, control: true },
    onEvent(event) {
      if (event.kind === 'folder') runFolder = event.folder
      if (event.kind === 'row') rows.push(`${event.record.id} ${event.from} ${event.record.error === undefined}`)
      if (event.kind === 'end') seconds.push(event.result.seconds)
    },
  })
  ends.push(() => server.close())
  await until(() => held.length === 1 && rows.length === 11, 'all rows but one are done')
  const ctl = (...args: string[]) => rolecall(['ctl', runFolder, ...args], folder)
  expect((await ctl('retry-errors')).stdout).toContain('6 failed  failed rows are sent again')
  expect(JSON.parse((await ctl('--json')).stdout)).toMatchObject({ retries: true, rows: { done: 11, failed: 6 } })
  isBad = false
  held[0]!()
  const { summary, unfinished } = await running
  expect(unfinished).toBe(0)
  expect(summary.results).toMatchObject([{ rows: 12, failed: 0, value: 100, seconds: seconds[1] }])
  expect(seconds[1]).toBeGreaterThan(seconds[0]!)
  expect(rows.slice(12).sort()).toEqual(['0', '10', '2', '4', '6', '8'].map((id) => `${id} model true`))
  expect(recordsOf(join(folder, 'runs')).match(/"id":/g)).toHaveLength(12)
  expect(server.seen).toHaveLength(18)
})

function sent(address: string, line: string): Promise<string> {
  const socket = createConnection(address)
  socket.write(line)
  return text(socket)
}

test('limits on tokens are refused if the server does not report them', async () => {
  const json = { choices: [{ message: { content: '1' }, finish_reason: 'stop' }] }
  const server = await scriptedServer(() => (response) => void setTimeout(() => response.end(JSON.stringify(json)), 20))
  const { ctl, status } = await beginRun({ server })
  await until(async () => (await status()).rows.done > 0, 'a row is done')
  const { code, stderr } = await ctl('limits', '--max-tokens-total', '5')
  expect([code, stderr]).toEqual([2, expect.stringContaining('the server does not report the tokens')])
})

test('a path that is too long for a socket has one in a temporary folder, removed at the end', async () => {
  const workDir = join(sumsFolder('http://127.0.0.1:9', 1), 'x'.repeat(120))
  mkdirSync(workDir)
  const { runFolder, status, running } = await beginRun({ workDir })
  const path = readFileSync(join(runFolder, 'control.path'), 'utf8')
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
  expect(await status('stop')).toMatchObject({ state: 'stopping' })
  await running
  expect([existsSync(dirname(path)), existsSync(join(runFolder, 'control.path'))]).toEqual([false, false])
})

test('a run without a control socket says so', async () => {
  const { ctl } = await beginRun({ control: false })
  expect(await ctl('pause')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('its process has no control socket on this machine'),
  })
})

test('a run that is complete says so', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 2)
  await runEvaluation(await loadConfig(join(folder, 'eval.json')), { workDir: join(folder, 'runs'), cache: false })
  await server.close()
  const { code, stdout } = await rolecall(['ctl', 'runs', 'pause', '--json'], folder)
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'not-running', problem: 'the run is complete' } }])
})

test('on Windows the address is a named pipe', () => {
  expect(ownAddress('.', 'win32')).toMatch(/^\\\\\.\\pipe\\rolecall-[0-9a-f]{32}$/)
})

test('a run far below a folder is not the one that is meant', async () => {
  // Nothing else is below this folder, unlike the one for temporary files.
  const top = folderWith({})
  const { status, folder } = await beginRun({ workDir: join(top, 'one/two') })
  const near = await rolecall(['ctl', join(top, 'one'), '--json'], folder)
  expect(JSON.parse(near.stdout)).toMatchObject({ folder: (await status()).folder })
  const far = await rolecall(['ctl', top, 'stop'], folder)
  expect([far.code, far.stderr]).toEqual([2, expect.stringContaining('no run')])
})

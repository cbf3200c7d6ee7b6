import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { addingServer, sumsFolder, until } from '../../../../../proof/testing/queued-run.ts'
import { openViewed } from '../../cli/view/open-viewed.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import type { ControlStatus } from '../../node/runs/control/control-messages.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { serveViewer } from './serve-viewer.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A viewer of a run in progress, of which nine rows are done; it sends no further answers until it is released. */
async function viewedRun(hasControl: boolean) {
  const model = await addingServer(0)
  model.holdAfter(9)
  const folder = sumsFolder(model.url, 100, { price: { input: 100_000, output: 500_000 } })
  let runFolder = ''
  let rows = 0
  const running = runEvaluation(await loadConfig(join(folder, 'eval.json')), {
    ...{ workDir: join(folder, 'runs'), cache: false, control: true },
    onEvent(event) {
      if (event.kind === 'folder') runFolder = event.folder
      if (event.kind === 'row') rows++
    },
  })
  ends.push(() => model.close())
  ends.push(async () => {
    model.release()
    await running
  })
  await until(() => rows === 9, 'nine rows are done')
  const viewed = { version: 'test', ...(await openViewed([runFolder])) }
  const server = await serveViewer(viewed, { folder: folderWith({ 'index.html': '' }), hasControl })
  ends.push(() => server.close())
  const site = (await (await fetch(`${server.url}data/site.json`)).json()) as { token: string; hasControl?: true }
  const good: Record<string, string> = {
    'content-type': 'application/json',
    origin: server.url.slice(0, -1),
    'x-rolecall-token': site.token,
    'x-rolecall-control': server.controlToken ?? '',
  }
  const send = (body: unknown, headers = good) =>
    fetch(`${server.url}data/runs/0/control`, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const act = async (body: unknown) => (await (await send(body)).json()) as ControlStatus
  return { model, running, server, site, good, send, act }
}

test('the page pauses, limits, resumes and stops a run in progress', async () => {
  const { model, running, server, site, act } = await viewedRun(true)
  expect(site.hasControl).toBe(true)
  const status = async () => (await (await fetch(`${server.url}data/runs/0/control.json`)).json()) as ControlStatus
  expect(await status()).toMatchObject({ state: 'running', rows: { done: 9, total: 100, failed: 0 }, limits: {} })
  expect(await act({ action: 'pause' })).toMatchObject({ state: 'paused' })
  expect(await act({ action: 'limits', limits: { maxCost: 50, maxTime: 3600 } })).toMatchObject({ limits: { maxCost: 50, maxTime: 3600 } })
  expect((await act({ action: 'limits', limits: { maxTime: null } })).limits).toEqual({ maxCost: 50 })
  expect(await act({ action: 'retry-errors' })).toMatchObject({ retries: true })
  expect(await act({ action: 'resume' })).toMatchObject({ state: 'running' })
  expect(await act({ action: 'stop' })).toMatchObject({ state: 'stopping' })
  model.release()
  expect((await running).unfinished).toBe(1)
  expect(await (await fetch(`${server.url}data/runs/0/control.json`)).json()).toMatchObject({
    error: { problem: 'no process is working on this run' },
  })
})

test('wrong requests, and requests without the printed token or from elsewhere, change nothing', async () => {
  const { server, good, send, act } = await viewedRun(true)
  expect(JSON.stringify(await (await fetch(`${server.url}data/site.json`)).json())).not.toContain(server.controlToken)
  const pause = { action: 'pause' }
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
  const refused: [Record<string, string>, number][] = [
    [without('x-rolecall-control'), 403],
    // The token of the site is not enough, nor is the control token without it.
    [{ ...good, 'x-rolecall-control': good['x-rolecall-token']! }, 403],
    [without('x-rolecall-token'), 403],
    [without('origin'), 403],
    [{ ...good, origin: 'https://evil.example' }, 403],
    [{ ...good, 'content-type': 'text/plain' }, 415],
    [{ ...without('x-rolecall-control'), cookie: `x-rolecall-control=${good['x-rolecall-control']}` }, 403],
  ]
  for (const [headers, code] of refused) expect([headers, (await send(pause, headers)).status]).toEqual([headers, code])
  for (const body of ['', '{', 'null', {}, { action: 'halt' }, { action: 'limits' }, { action: 'stop', now: true }])
    expect([body, (await send(body)).status]).toEqual([body, 422])
  for (const limits of [{ maxCost: -1 }, { maxTokensTotal: -3 }, { maxTime: 0 }, { maxRows: 5 }, { maxCost: '5' }])
    expect([limits, (await send({ action: 'limits', limits })).status]).toEqual([limits, 422])
  expect(await act({ action: 'status' })).toMatchObject({ state: 'running', limits: {} })
})

test('without --control a run cannot be controlled', async () => {
  const { server, site, send } = await viewedRun(false)
  expect(site).not.toHaveProperty('hasControl')
  expect(server).not.toHaveProperty('controlToken')
  expect((await send({ action: 'pause' })).status).toBe(404)
  expect((await fetch(`${server.url}data/runs/0/control.json`)).status).toBe(404)
})

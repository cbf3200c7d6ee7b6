import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addingServer, start, sumsFolder, until } from '../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

test('a paused run stays alive; a killed one is not going on; a resumed one stops as after Ctrl-C', async () => {
  const server = await addingServer(20)
  const folder = sumsFolder(server.url, 2000)
  const args = ['run', 'eval.json', '-w', 'runs', '--no-cache', '--events', 'events.jsonl']
  const ctl = (...given: string[]) => rolecall(['runs', 'ctl', 'runs', ...given], folder)
  expect(await ctl()).toMatchObject({ code: 2, stderr: expect.stringContaining('no such file or folder') })
  const killed = start(args, folder)
  try {
    await until(() => server.seen.length > 8, 'rows are sent')
    expect(await ctl('pause')).toEqual({ code: 0, stdout: expect.stringContaining(': paused\n'), stderr: '' })
    // Longer than idle connections to the server keep a process alive.
    await sleep(6000)
    expect(killed.child.exitCode).toBeNull()
    expect(killed.said()).toContain('rolecall runs ctl: paused; the rows in flight finish')
  } finally {
    killed.child.kill('SIGKILL')
  }
  await killed.ended
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('"event":"control","action":"pause"}\n')
  const socket = join(folder, 'runs', readdirSync(join(folder, 'runs'))[0]!, 'control.sock')
  expect(existsSync(socket)).toBe(true)
  expect(await ctl('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('no process is working on this run') })

  const resumed = start([...args, '-r'], folder)
  try {
    await until(async () => (await ctl()).code === 0, 'the resumed run can be controlled')
    expect(await ctl('stop')).toMatchObject({ code: 0, stdout: expect.stringContaining(': stopping\n') })
    expect([await resumed.ended, resumed.said()]).toEqual([
      130,
      expect.stringMatching(/stopping when the rows in flight are done.*-r \d{8}_\d{6} /s),
    ])
  } finally {
    resumed.child.kill('SIGKILL')
  }
  expect(existsSync(socket)).toBe(false)
  await server.close()
}, 60_000)

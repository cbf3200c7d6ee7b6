import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../queued-run.ts'
import { encrypted } from './encrypted.ts'
import { expectTrue, type Fault, finished, lastNotes } from './fault.ts'
import { forgeries } from './forgeries.ts'
import { lostData } from './lost-data.ts'
import { noWorkers } from './no-workers.ts'
import { openProxy } from './proxy.ts'
import { command, copied, otherVersion, recorded, slots } from './stage.ts'

export const faults: readonly Fault[] = [
  {
    name: 'stopped worker',
    holds: 'another takes its jobs; its late answers are not recorded twice',
    async attempt(stage, { stop }) {
      const folder = stage.folder()
      const [first] = [stage.work(), stage.work()]
      const coordinator = stage.coordinate(folder)
      await until(() => stage.asked.size >= 20, 'rows are asked')
      first.child.kill('SIGSTOP')
      await sleep(stop * 1000)
      first.child.kill('SIGCONT')
      await finished(stage, coordinator, folder, slots)
      expectTrue(first.child.exitCode === null, 'the worker goes on')
      return `stopped for ${stop} s, ${stage.repeated()} asked again`
    },
  },
  ...[false, true].map(
    (isCut): Fault => ({
      name: isCut ? 'cut connections' : 'partition',
      holds: 'all wait, say so, and go on; nothing is asked again while locks last',
      async attempt(stage, { partition }) {
        const folder = stage.folder()
        const proxy = await openProxy(stage.redis.port)
        const url = `redis://127.0.0.1:${proxy.port}`
        // A lock that outlasts the partition, like the default.
        const lock = { ROLECALL_QUEUE_LOCK: String(3 * partition) }
        try {
          const worker = stage.work(lock, undefined, url)
          const coordinator = stage.coordinate(folder, url)
          await until(() => stage.asked.size >= 20, 'rows are asked')
          proxy.interrupt(isCut)
          await sleep(partition * 1000)
          proxy.mend()
          await finished(stage, coordinator, folder, 0)
          return `${partition} s; the worker said: ${lastNotes(worker)}`
        } finally {
          await proxy.close()
        }
      },
    }),
  ),
  {
    name: 'full queue',
    holds: 'workers keep their answers and say why; nothing is asked again',
    async attempt(stage) {
      const folder = stage.folder()
      const worker = stage.work()
      const coordinator = stage.coordinate(folder)
      await until(() => stage.asked.size >= 20, 'rows are asked')
      await command(stage.redis, 'CONFIG', 'SET', 'maxmemory', '1')
      try {
        await until(() => /maxmemory/.test(worker.said()), 'the worker says that the queue is full')
        await sleep(1000)
      } finally {
        await command(stage.redis, 'CONFIG', 'SET', 'maxmemory', '0')
      }
      await finished(stage, coordinator, folder, 0)
      return `the worker said: ${lastNotes(worker)}`
    },
  },
  {
    name: 'full disk',
    holds: 'the run stops and says so; -r records the answers that wait in the queue',
    lacks: () => (process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'root on Linux, for a small file system'),
    async attempt(stage) {
      const folder = stage.folder()
      const runs = join(folder, 'runs')
      mkdirSync(runs)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', runs])
      try {
        stage.work()
        const first = stage.coordinate(folder)
        const code = await first.ended
        expectTrue(code === 2 && first.said().includes('the disk is full'), `it stops with words: ${code} ${first.said().slice(-600)}`)
        execFileSync('mount', ['-o', 'remount,size=16m', runs])
        await finished(stage, stage.coordinate(folder, '-r'), folder, slots)
        return `stopped with 2, then -r; ${stage.repeated()} asked again`
      } finally {
        execFileSync('umount', ['-l', runs])
      }
    },
  },
  {
    name: 'read-only disk',
    holds: 'the run is refused before anything is asked, and names the folder',
    lacks: () => (process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'root on Linux, for a read-only file system'),
    async attempt(stage) {
      const folder = stage.folder()
      const runs = join(folder, 'runs')
      mkdirSync(runs)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', runs])
      try {
        stage.work()
        const run = stage.coordinate(folder)
        const code = await run.ended
        expectTrue(code === 2 && run.said().includes(runs), `it is refused with words: ${code} ${run.said().slice(-600)}`)
        expectTrue(stage.asked.size === 0, 'nothing is asked')
        return run.said().trim().split('\n').slice(0, 2).join(' ')
      } finally {
        execFileSync('umount', ['-l', runs])
      }
    },
  },
  {
    name: 'another version',
    holds: 'its worker refuses, and worker, coordinator and `queue` say why',
    async attempt(stage) {
      const folder = stage.folder()
      const old = stage.work({}, otherVersion('0.0.1'))
      const coordinator = stage.coordinate(folder)
      await until(() => old.said().includes('refused') && coordinator.said().includes('a worker refuses'), 'both say so')
      expectTrue(stage.asked.size === 0, 'nothing is asked')
      stage.work()
      await finished(stage, coordinator, folder, 0)
      return lastNotes(coordinator)
    },
  },
  {
    name: 'poisoned row',
    isLong: true,
    holds: 'a row that ends every worker is given up after three alone; all others have their answers',
    async attempt(stage) {
      const folder = stage.folder()
      let worker = stage.work()
      let deaths = 0
      stage.onAsked = (sum) => {
        if (sum !== '33+1') return
        deaths++
        worker.child.kill('SIGKILL')
        worker = stage.work()
      }
      const coordinator = stage.coordinate(folder)
      const code = await coordinator.ended
      const lines = recorded(folder).trim().split('\n')
      const different = lines.filter((line, index) => line !== stage.expected.split('\n')[index])
      expectTrue(
        code === 4 && different.length === 1,
        `one row has no answer: ${code}, ${different.length}, ${coordinator.said().slice(-800)}`,
      )
      expectTrue(different[0]!.includes('workers have died'), `it says why: ${different[0]}`)
      return `${deaths} workers died, then the row was given up`
    },
  },
  {
    name: 'two coordinators',
    holds: 'the second is refused, on this machine and with a copy of the folder',
    async attempt(stage) {
      const folder = stage.folder()
      const coordinator = stage.coordinate(folder)
      await until(() => coordinator.said().includes('no workers yet'), 'it waits')
      const same = stage.coordinate(folder, '-r')
      expectTrue((await same.ended) === 2 && same.said().includes('still in progress'), `refused by the folder: ${same.said()}`)
      const other = stage.coordinate(copied(folder), '-r')
      expectTrue((await other.ended) === 2 && other.said().includes('has another coordinator'), `refused by the queue: ${other.said()}`)
      stage.work()
      await finished(stage, coordinator, folder, 0)
      return lastNotes(other)
    },
  },
  {
    name: 'heavy run',
    holds: 'on one worker, the rows of a small run do not wait for those of a large one',
    async attempt(stage) {
      const [large, small] = [stage.folder(), stage.folder(12)]
      let [requests, repeated, untilSmall] = [0, 0, 0]
      // The sums of the small run are those of the first rows of the large one.
      stage.onAsked = (sum) => {
        requests++
        if (stage.asked.get(sum) === 2 && ++repeated === 12) untilSmall = requests
      }
      const heavy = stage.coordinate(large)
      await until(() => heavy.said().includes('no workers yet'), 'the large run waits')
      const light = stage.coordinate(small)
      await until(() => light.said().includes('no workers yet'), 'the small run waits')
      stage.work()
      expectTrue((await light.ended) === 0, `the small run ends: ${light.said().slice(-600)}`)
      await finished(stage, heavy, large, 12)
      expectTrue(untilSmall < 120, `turns are taken: the last of 12 rows was request ${untilSmall} of ${requests}`)
      return `the last of its 12 rows was request ${untilSmall} of ${requests}`
    },
  },
  ...lostData,
  ...forgeries,
  ...noWorkers,
  encrypted,
]

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addingServer, type Process, recordsOf, start, sumsFolder } from '../queued-run.ts'
import { redisServer } from '../redis-server.ts'
import { rolecall } from '../rolecall.ts'

export type Victim = 'worker' | 'coordinator' | 'redis'

export type KillReport = {
  kills: Record<Victim, number>
  runs: number
  rows: number
  /** Rows without a record, and rows with more than one. */
  lost: number
  twice: number
  /** Runs whose records differ from those of a run without a queue, timestamps aside. */
  different: number
  /** Requests sent more than once, and the most that the killed processes had in flight: a worker its own, Redis all. */
  askedAgain: number
  underWay: number
  seconds: number
}

export type KillOptions = {
  /** Kills per victim. */
  each: number
  victims: readonly Victim[]
  program: string
  random: () => number
  tell: (text: string) => void
}

export const everybody: readonly Victim[] = ['worker', 'coordinator', 'redis']

const workersAtOnce = 2
const slots = 4
const times = { ROLECALL_QUEUE_LOCK: '4' }

/** Kills workers, coordinators and Redis at random moments until each was killed `kills` times, and compares the records. */
export async function killOnQueue({ each, victims: wanted, program, random, tell }: KillOptions): Promise<KillReport> {
  const begun = performance.now()
  const redis = await redisServer(program)
  const adder = await addingServer(20)
  const rows = 1200
  const report: KillReport = {
    ...{
      kills: { worker: 0, coordinator: 0, redis: 0 },
      runs: 0,
      rows: 0,
      lost: 0,
      twice: 0,
      different: 0,
      askedAgain: 0,
      underWay: 0,
      seconds: 0,
    },
  }
  const plain = sumsFolder(adder.url, rows)
  await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache', '--max-num-workers', '16'], plain)
  const expected = recordsOf(join(plain, 'runs'))
  const left = (): Victim[] => wanted.filter((victim) => report.kills[victim] < each)
  const workers: Process[] = []
  const addWorker = () => workers.push(start(['worker', redis.url, '--concurrency', String(slots)], plain, times))
  try {
    while (workers.length < workersAtOnce) addWorker()
    while (left().length > 0) {
      adder.asked.clear()
      const folder = sumsFolder(adder.url, rows)
      const coordinate = (...more: string[]) =>
        start(['run', 'eval.json', '-w', 'runs', '--no-cache', '--queue', redis.url, ...more], folder, times)
      let coordinator = coordinate()
      let begunAt = 0
      let isDone = false
      const watch = (one: Process) =>
        void one.ended.then((code) => {
          isDone ||= code === 0 || code === 4
          // The coordinator gave up because Redis was down for longer than it waits at start-up: restart it.
          if (code === 2) restart()
        })
      const restart = () => {
        begunAt = adder.asked.size
        coordinator = coordinate(...(hasRun(folder) ? ['-r'] : []))
        watch(coordinator)
      }
      watch(coordinator)
      while (!isDone) {
        await sleep(100 + random() * 900)
        // Only busy processes are killed: rows were requested since the last coordinator started, and a worker has reported its start.
        const atWork = workers.filter(({ said }) => said().includes('asking'))
        const victims = left().filter((victim) => victim !== 'worker' || atWork.length > 0)
        if (isDone || victims.length === 0 || adder.asked.size <= begunAt) continue
        const victim = victims[Math.floor(random() * victims.length)]!
        report.kills[victim]++
        if (victim === 'worker') {
          const one = atWork[Math.floor(random() * atWork.length)]!
          workers.splice(workers.indexOf(one), 1)
          one.child.kill('SIGKILL')
          report.underWay += slots
          addWorker()
        } else if (victim === 'coordinator') {
          coordinator.child.kill('SIGKILL')
          await coordinator.ended
          if (isDone) break
          restart()
        } else {
          report.underWay += slots * workersAtOnce
          redis.kill('SIGKILL')
          await redis.start()
        }
      }
      report.runs++
      report.rows += rows
      judge(report, folder, expected, coordinator)
      report.askedAgain += [...adder.asked.values()].reduce((sum, one) => sum + one - 1, 0)
      tell(`run ${report.runs}: ${JSON.stringify({ ...report, seconds: Math.round((performance.now() - begun) / 1000) })}`)
    }
  } finally {
    for (const { child } of workers) child.kill('SIGKILL')
    await redis.stop()
    await adder.close()
  }
  return { ...report, seconds: (performance.now() - begun) / 1000 }
}

function hasRun(folder: string): boolean {
  try {
    return readdirSync(join(folder, 'runs')).length > 0
  } catch {
    return false
  }
}

function judge(report: KillReport, folder: string, expected: string, { said }: Process): void {
  let found = ''
  try {
    found = recordsOf(join(folder, 'runs'))
  } catch {
    process.stderr.write(`no records:\n${said()}\n`)
  }
  const ids = found.split('\n').flatMap((line) => /^\{"id":(\d+)/.exec(line)?.[1] ?? [])
  const known = new Set(ids)
  report.twice += ids.length - known.size
  report.lost += expected.trim().split('\n').length - known.size
  if (found !== expected) {
    report.different++
    process.stderr.write(`records differ:\n${said().slice(-2000)}\n`)
  }
}

import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { folderWith } from '../../folder-with.ts'
import { until } from '../../queued-run.ts'
import { type Fault, finished, lastNotes } from './fault.ts'
import { command, runsOn, type Stage, slots } from './stage.ts'

/** What a coordinator keeps enqueued at least: rows of jobs that come back with an old snapshot are requested again. */
const mostEnqueued = 64

/** Redis comes back without the data of the run, or with old data. */
export const lostData: readonly Fault[] = [
  lossOf('flushed queue', 'FLUSHALL', async ({ redis }) => void (await command(redis, 'FLUSHALL'))),
  lossOf('empty queue', 'killed, and restarted without its files', async ({ redis }) => {
    redis.kill('SIGKILL')
    await redis.stop()
    clear(redis.folder)
    await redis.start()
  }),
  lossOf(
    'older snapshot',
    'killed, and restarted with its files of 60 rows before',
    async (stage) => {
      const { redis, asked } = stage
      const copy = folderWith({})
      cpSync(redis.folder, copy, { recursive: true })
      await until(() => asked.size >= 80, 'more rows are asked')
      await redis.stop()
      clear(redis.folder)
      cpSync(copy, redis.folder, { recursive: true })
      await redis.start()
    },
    mostEnqueued,
  ),
  lossOf('another queue', 'another server at its address, whose clock is years behind', async (stage) => {
    const { redis } = stage
    const [run] = await runsOn(redis)
    // Entries of a stream are numbered by the clock: after this one, those of the other server seem to be from before.
    await command(redis, 'XADD', `rolecall:run:${run}:answers`, '9999999999999-0', 'key', 'none', 'answer', 'none')
    const seen = stage.asked.size
    await until(() => stage.asked.size >= seen + 20, 'more rows are asked')
    await redis.stop()
    clear(redis.folder)
    await redis.start()
  }),
]

function lossOf(name: string, how: string, lose: (stage: Stage) => Promise<void>, more = 0): Fault {
  return {
    name,
    holds: 'the coordinator publishes the run again; only rows that workers had are asked again',
    async attempt(stage) {
      const folder = stage.folder()
      const workers = [stage.work(), stage.work()]
      const coordinator = stage.coordinate(folder)
      await until(() => stage.asked.size >= 20, 'rows are asked')
      await lose(stage)
      // In flight, or answered and not yet read by the coordinator.
      await finished(stage, coordinator, folder, 2 * workers.length * slots + more)
      return `${how}; ${stage.repeated()} asked again; ${lastNotes(coordinator)}`
    },
  }
}

function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
}

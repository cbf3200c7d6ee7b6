import { unpackRows } from './pack-rows.ts'
import { jobSchema } from './protocol.ts'
import type { JobQueue } from './redis.ts'

/** A job of an earlier coordinator of a run, and the keys of its rows. */
export type EarlierJob = { id: string; queue: string; rows: string[] }

/** The jobs of a set-up that an earlier coordinator has left in the queues. */
export async function* earlierJobs(queues: readonly JobQueue[], setup: string): AsyncGenerator<EarlierJob> {
  for (const queue of queues) {
    for (const job of await queue.getJobs(['waiting', 'active', 'prioritized'])) {
      const data = jobSchema.safeParse(job?.data)
      if (!data.success || data.data.setup !== setup) continue
      try {
        const rows = unpackRows(data.data.rows).map(({ key }) => key)
        yield { id: job!.id!, queue: queue.name, rows }
      } catch {
        // Workers also notice and remove it.
      }
    }
  }
}

import type { OpenQueue } from '../evaluation-options.ts'
import type { SentRows } from './in-folder.ts'
import type { RunUnderControl } from './under-control.ts'

/** A run whose rows workers may send. */
export type RunOnQueue = RunUnderControl & { queue?: OpenQueue }

/** Lets the workers of a queue send the rows, if there is one. */
export async function onQueue(run: RunUnderControl, next: (run: RunOnQueue) => Promise<SentRows>): Promise<SentRows> {
  const { given, folder, loaded, pairs, options, shard, budget } = run
  if (!given.queue) return next(run)
  const queue = await given.queue.open({
    name: folder.info.name,
    started: folder.info.started,
    folder: folder.path,
    loaded,
    pairs,
    options: { ...options, stop: budget.recall },
    shards: shard?.count ?? 1,
    sync: () => folder.sync(),
    onEvent: given.onEvent ?? (() => {}),
  })
  let sent: SentRows | undefined
  let remarks: readonly string[] = []
  try {
    sent = await next({ ...run, queue })
  } finally {
    remarks = await queue.close(sent !== undefined)
  }
  return { ...sent, remarks: [...remarks, ...sent.remarks] }
}

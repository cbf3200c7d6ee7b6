import { isFailure } from '../../../evaluation/run/record/row-record.ts'
import { type Pair, type RowStore, type RunEvent, type RunOptions, tellPairs } from '../../../evaluation/run/run-pairs.ts'
import { batchJournals } from '../batch-journals.ts'
import type { OpenQueue } from '../evaluation-options.ts'
import type { SentRows } from './in-folder.ts'
import type { RunOnQueue } from './on-queue.ts'
import { definedOnly } from './resumed-run.ts'

/** Sends all rows, and those that failed again as often as `rolecall runs ctl` requests it. */
export function sendRows(run: RunOnQueue): Promise<SentRows> {
  return run.budget.untilTimeIsUp(async () => {
    const { given, options, control, scored } = run
    const listener = listenerOf(run)
    await send(run, options.retryErrors ?? false, listener.listen)
    while (control?.takeRetry()) {
      listener.again()
      scored.length = 0
      given.onEvent?.({ kind: 'again' })
      await send(run, true, listener.listen)
    }
    return { kept: listener.kept(), remarks: [] }
  })
}

async function send(run: RunOnQueue, retryErrors: boolean, listen: (event: RunEvent) => void): Promise<void> {
  const { pairs, environment, folder, budget, scored, options } = run
  const journals = batchJournals(folder.path)
  await tellPairs(pairs, environment, { ...optionsOf(run, retryErrors), batchJournal: journals.open }, listen)
  // A row of several requests is on disk with the last: after anything less than the whole run, their results are kept for the next process.
  if (scored.length < pairs.length || budget.stop.aborted || options.signal?.aborted) return
  await folder.sync()
  journals.settle()
}

/** Writes results, and passes events on: of rows that are sent again, only theirs. */
function listenerOf({ given: { onEvent }, folder, control, scored }: RunOnQueue) {
  let isAgain = false
  let kept = 0
  /** Seconds of the earlier rounds of each pair. */
  const earlier = new Map<Pair, number>()
  const listen = (raw: RunEvent) => {
    const event = raw.kind === 'end' ? withSeconds(raw, earlier.get(raw.pair) ?? 0) : raw
    const isStored = event.kind === 'row' && event.from === 'stored'
    if (isStored && !isAgain) kept++
    if (event.kind === 'end') {
      earlier.set(event.pair, event.result.seconds)
      scored.push(event)
      folder.writeResult(event.result)
    }
    control?.count(event)
    if (!isStored || !isAgain) onEvent?.(event)
  }
  const again = () => {
    isAgain = true
  }
  return { listen, again, kept: () => kept }
}

function optionsOf({ options, given, budget, shard, prepared, folder, queue, caches }: RunOnQueue, retryErrors: boolean): RunOptions {
  const isCounted = () => budget.limits.maxCost !== undefined || budget.limits.maxTokensTotal !== undefined
  const storeFor = (pair: Pair) => folder.storeFor(pair, 'key', isCounted)
  return {
    ...(queue ? { remote: queue } : {}),
    ...definedOnly({
      logProbabilities: options.logProbabilities,
      limit: options.limit,
      retryCut: options.retryCut,
      workers: options.workers,
      stop: budget.stop,
      signal: options.signal,
      shard,
    }),
    prepared,
    budget,
    keepPrompts: options.prompts ?? false,
    retryErrors,
    keyServerOf: ({ name }) => folder.info.servers?.[name.model],
    storeFor: (pair) => (queue ? reportingStore(storeFor(pair), queue, retryErrors) : storeFor(pair)),
    ...(caches ? { cacheFor: (settings: string) => caches.for(settings) } : {}),
    onWait: (wait) => given.onEvent?.({ kind: 'wait', wait }),
  }
}

function withSeconds(event: RunEvent & { kind: 'end' }, earlier: number): RunEvent & { kind: 'end' } {
  return earlier === 0 ? event : { ...event, result: { ...event.result, seconds: earlier + event.result.seconds } }
}

/** A store that reports recorded rows to the queue, which can then drop their answers. */
function reportingStore(store: RowStore, queue: OpenQueue, retriesErrors = false): RowStore {
  return {
    ...store,
    find(...given) {
      const found = store.find(...given)
      if (found && !(retriesErrors && isFailure(found))) queue.recorded(found.key)
      return found
    },
    add(record) {
      store.add(record)
      queue.recorded(record.key)
    },
  }
}

import { isFailure } from '../../evaluation/run/record/row-record.ts'
import { type Pair, type RowStore, type RunEnvironment, type RunOptions, runPairs } from '../../evaluation/run/run-pairs.ts'
import { openRun, type RunPair } from './run-reader.ts'

/** The row numbers of each pair that resuming a run would reuse. Read-only: sends no requests, repairs and locks nothing. */
export async function keptRows(
  folder: string,
  pairs: readonly Pair[],
  environment: RunEnvironment,
  options: Pick<RunOptions, 'limit' | 'shard' | 'retryErrors'>,
): Promise<ReadonlyMap<Pair, ReadonlySet<number>>> {
  const run = openRun(folder)
  const kept = new Map<Pair, Set<number>>()
  const storeFor = (pair: Pair): RowStore => {
    const known = readKeys(run.find(pair.name))
    const found = new Set<number>()
    kept.set(pair, found)
    return {
      find(id, key, anyRow) {
        const own = known.byId.get(id)
        const isOwn = own?.key === key
        const isKept = isOwn ? !(own.failed && options.retryErrors) : anyRow && known.answered.has(key)
        if (isKept) found.add(id)
        // The run is offline, so a row without a record is neither sent nor scored.
        return undefined
      },
      add() {},
    }
  }
  const looked = runPairs(pairs, environment, { ...options, offline: true, storeFor })
  for await (const _ of looked);
  return kept
}

type Keys = { byId: ReadonlyMap<number, { key: string; failed: boolean }>; answered: ReadonlySet<string> }

function readKeys(pair: RunPair | undefined): Keys {
  const byId = new Map<number, { key: string; failed: boolean }>()
  if (pair?.hasRecords) for (const record of pair.rows()) byId.set(record.id, { key: record.key, failed: isFailure(record) })
  return { byId, answered: new Set([...byId.values()].flatMap(({ key, failed }) => (failed ? [] : [key]))) }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isSamePair } from '../../evaluation/run/record/pair-name.ts'
import { isFailure } from '../../evaluation/run/record/row-record.ts'
import { type Pair, type RowStore, type RunEnvironment, type RunOptions, runPairs } from '../../evaluation/run/run-pairs.ts'
import { openRecords } from './records/records.ts'
import { readRunInfo } from './run-layout.ts'

/** The row numbers of each pair that resuming a run would reuse. Read-only: sends no requests, repairs and locks nothing. */
export async function keptRows(
  folder: string,
  pairs: readonly Pair[],
  environment: RunEnvironment,
  options: Pick<RunOptions, 'limit' | 'shard' | 'retryErrors'>,
): Promise<ReadonlyMap<Pair, ReadonlySet<number>>> {
  const { pairs: files } = readRunInfo(folder)
  const kept = new Map<Pair, Set<number>>()
  const storeFor = (pair: Pair): RowStore => {
    const predictions = files.find((one) => isSamePair(one, pair.name))?.predictions
    const known = predictions === undefined ? nothing : readKeys(join(folder, predictions))
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

const nothing: Keys = { byId: new Map(), answered: new Set() }

function readKeys(file: string): Keys {
  if (!existsSync(file)) return nothing
  const records = openRecords(file)
  const byId = new Map<number, { key: string; failed: boolean }>()
  for (let place = 0; place < records.count; place++) {
    for (const record of records.read(place, place + 1)) byId.set(record.id, { key: record.key, failed: isFailure(record) })
  }
  records.close()
  return { byId, answered: new Set([...byId.values()].flatMap(({ key, failed }) => (failed ? [] : [key]))) }
}

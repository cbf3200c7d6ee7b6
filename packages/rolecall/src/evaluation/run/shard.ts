import { PromptError } from '@rolecall/core/internal/errors'

/** A shard of the rows: every `count`-th, starting with the `index`-th (from 0). */
export type Shard = { index: number; count: number }

export const wholeRun: Shard = { index: 0, count: 1 }

/**
 * How many of `total` rows are in a shard.
 *
 * @example
 * shardSize(10, { index: 1, count: 4 }) // => 3
 */
export function shardSize(total: number, { index, count }: Shard): number {
  return Math.max(0, Math.ceil((total - index) / count))
}

/**
 * Reads `2/4`, the second of four shards.
 *
 * @example
 * readShard('2/4') // => { index: 1, count: 4 }
 */
export function readShard(text: string, where = '--shard'): Shard {
  const [, part, parts] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? []
  const shard = { index: Number(part) - 1, count: Number(parts) }
  if (part !== undefined && shard.index >= 0 && shard.index < shard.count) return shard
  throw new PromptError('bad-shard', {
    where,
    problem: `"${text}" is not a shard`,
    fix: 'write its number and how many there are, counted from 1: 1/4, 2/4, 3/4, 4/4',
  })
}

/** `shard-2-of-4`: a folder for the runs of each shard, so that shards can run concurrently. */
export function shardFolder({ index, count }: Shard): string {
  return `shard-${index + 1}-of-${count}`
}

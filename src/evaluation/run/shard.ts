import { PromptError } from '../../base/errors/prompt-error.ts'

/** One part of the rows: each `count`-th, from the `index`-th on (from 0). */
export type Shard = { index: number; count: number }

/**
 * Reads `2/4`, the second of four parts.
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
    problem: `"${text}" is not part of the rows`,
    fix: 'write the part and how many there are, counted from 1: 1/4, 2/4, 3/4, 4/4',
  })
}

/** `shard-2-of-4`: where the runs of a part are, so that the parts can be run side by side. */
export function shardFolder({ index, count }: Shard): string {
  return `shard-${index + 1}-of-${count}`
}

/**
 * Seeds for each row of a dataset, made of the run's seed, the dataset's name and the row's number: rows do not share random numbers, and
 * each row has the same ones in any order, shard or process.
 *
 * @example
 * const seedOfRow = rowSeeds(0, 'gsm8k')
 * seedOfRow(0) === seedOfRow(1) // => false
 * seedOfRow(0) === rowSeeds(0, 'gsm8k')(0) // => true
 */
export function rowSeeds(seed: number, dataset: string): (row: number) => number {
  let start = mixed(mixed(0x9e3779b9, seed), Math.floor(seed / 2 ** 32))
  for (let index = 0; index < dataset.length; index++) start = mixed(start, dataset.charCodeAt(index))
  return (row) => mixed(start, row)
}

/** The seed of one of several replies for the same row or chat: 31 bits, which every server accepts. */
export function replySeed(seed: number, reply: number): number {
  return mixed(mixed(seed, Math.floor(seed / 2 ** 32)), reply) >>> 1
}

/** A random seed. */
export function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1
}

/** A step of MurmurHash3 with its finalizer: adjacent numbers give uncorrelated seeds. */
function mixed(state: number, value: number): number {
  let block = Math.imul(value | 0, 0xcc9e2d51)
  block = Math.imul((block << 15) | (block >>> 17), 0x1b873593)
  let hash = state ^ block
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A snapshot of a JSON value, to find out later whether anything in it has changed. */
export type Snapshot = string | number | boolean | null | readonly Snapshot[] | { keys: readonly string[]; values: readonly Snapshot[] }

/** Takes a snapshot; undefined for a value that is not JSON (a Map, a class) or is too deep to compare each time. */
export function snapshotOf(value: unknown, depth = 0): Snapshot | undefined {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined
  if (depth > maxDepth) return undefined
  const isArray = Array.isArray(value)
  if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const items = isArray ? value : Object.values(value)
  const values: Snapshot[] = []
  // By index, since a list may have holes.
  for (let index = 0; index < items.length; index++) {
    const one = snapshotOf(items[index], depth + 1)
    if (one === undefined) return undefined
    values.push(one)
  }
  return isArray ? values : { keys: Object.keys(value), values }
}

/** Whether a value equals its snapshot, including the order of keys. Allocates nothing, since every prompt is checked. */
export function isSnapshotOf(snapshot: Snapshot, value: unknown): boolean {
  if (typeof snapshot !== 'object' || snapshot === null) return Object.is(snapshot, value)
  if (typeof value !== 'object' || value === null) return false
  if (isList(snapshot)) {
    if (!Array.isArray(value) || value.length !== snapshot.length) return false
    for (let index = 0; index < snapshot.length; index++) if (!isSnapshotOf(snapshot[index]!, value[index])) return false
    return true
  }
  if (Array.isArray(value) || Object.getPrototypeOf(value) !== Object.prototype) return false
  const { keys, values } = snapshot
  let index = 0
  for (const key in value) {
    if (key !== keys[index] || !isSnapshotOf(values[index]!, (value as Record<string, unknown>)[key])) return false
    index++
  }
  return index === keys.length
}

function isList(snapshot: Snapshot & object): snapshot is readonly Snapshot[] {
  return Array.isArray(snapshot)
}

const maxDepth = 30

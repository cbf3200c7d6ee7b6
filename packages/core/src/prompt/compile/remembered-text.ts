import { isSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts'

/**
 * Writes recurring values, such as the tools of an agent, and caches the last few texts. A cached text is used only for a deeply equal
 * value, so changing a tool in place has its effect.
 */
export function rememberedText<Value>(write: (value: Value) => string | undefined): (value: Value) => string | undefined {
  const past: { snapshot: Snapshot; text: string }[] = []
  let oldest = 0
  return (value) => {
    for (const { snapshot, text } of past) if (isSnapshotOf(snapshot, value)) return text
    const text = write(value)
    const snapshot = text === undefined ? undefined : snapshotOf(value)
    if (text === undefined || snapshot === undefined) return text
    past[oldest] = { snapshot, text }
    oldest = (oldest + 1) % remembered
    return text
  }
}

const remembered = 4

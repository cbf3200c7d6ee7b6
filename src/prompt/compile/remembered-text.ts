import { isSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts'

/**
 * Writes values that come again and again, such as the tools of an agent, and remembers the last few. What is remembered counts only for
 * a value that is the same down to its leaves: whoever changes a tool, or hands in an equal one of his own, gets what that one says.
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

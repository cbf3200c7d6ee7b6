import type { UnpackBudget } from '@rolecall/core/internal/errors'

type Unpacking = {
  budget: UnpackBudget
  /** The member of an archive, for the error. */
  member?: string
  /** The error for damaged data. */
  broken: () => Error
}

/** Unpacks data piece by piece, within a budget. */
export async function* unpacked(
  packed: Uint8Array,
  format: CompressionFormat | undefined,
  { budget, member, broken }: Unpacking,
): AsyncGenerator<Uint8Array> {
  const stored = new Blob([Uint8Array.from(packed)]).stream()
  // Not `for await`: Safari's streams cannot be iterated.
  const reader = (format === undefined ? stored : stored.pipeThrough(new DecompressionStream(format))).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw broken()
      })
      if (done) return
      budget.take(value.length, member)
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

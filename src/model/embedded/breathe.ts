/** How long the network may keep the thread for itself. */
const longest = 30

/**
 * Lets the surroundings work now and then: the network runs in this thread, and promises alone never let a key press, a
 * timer or a file through.
 */
export function breathing(now: () => number = () => performance.now()): () => Promise<void> {
  let last = now()
  return async () => {
    if (now() - last < longest) return
    await new Promise<void>((resolve) => setTimeout(resolve))
    last = now()
  }
}

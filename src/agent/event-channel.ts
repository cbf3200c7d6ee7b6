/**
 * Turns work that tells events through a function into a stream of them. Whoever stops reading stops the work: `stop` is called,
 * and the stream waits for the work to end.
 */
export async function* eventsOf<Event, Result>(
  work: (emit: (event: Event) => void) => Promise<Result>,
  stop: () => void,
): AsyncGenerator<Event, Result, undefined> {
  const waiting: Event[] = []
  let wake: (() => void) | undefined
  let isOver = false
  const emit = (event: Event) => {
    waiting.push(event)
    wake?.()
  }
  const working = work(emit).finally(() => {
    isOver = true
    wake?.()
  })
  // An error is handed on below, once everything before it has been told.
  working.catch(() => undefined)
  try {
    while (true) {
      while (waiting.length > 0) yield waiting.shift()!
      if (isOver) return await working
      await new Promise<void>((resolve) => {
        wake = resolve
        if (waiting.length > 0 || isOver) resolve()
      })
    }
  } finally {
    if (!isOver) {
      stop()
      await working.catch(() => undefined)
    }
  }
}

/** With this many events unread, the producer of the next one has to wait. */
const capacity = 64

/** Emits an event. Await the result where the work can pause: it settles once there is room for more. */
export type Emit<Event> = (event: Event) => void | Promise<void>

/**
 * Turns work that emits events through a callback into an async stream of them, which returns what the work returns. A slow reader
 * slows the work down; one who leaves aborts `left` and waits for the work to end.
 *
 * @example
 * const seen: number[] = []
 * for await (const number of eventQueue<number>(async (emit) => { for (const one of [1, 2, 3]) await emit(one) })) seen.push(number)
 * seen // => [1, 2, 3]
 */
export async function* eventQueue<Event, Result = void>(
  work: (emit: Emit<Event>, left: AbortSignal) => Promise<Result>,
): AsyncGenerator<Event, Result, undefined> {
  const reader = new AbortController()
  const left = reader.signal
  const [news, room] = [new Bell(), new Bell()]
  let events: Event[] = []
  let isDone = false
  const emit: Emit<Event> = (event) => {
    if (left.aborted) return undefined
    events.push(event)
    news.ring()
    return events.length >= capacity ? room.heard() : undefined
  }
  const working = work(emit, left).finally(() => {
    isDone = true
    news.ring()
  })
  // The reader below throws a failure after the events before it; until then nothing awaits it.
  working.catch(() => undefined)
  let isRead = false
  try {
    while (!isDone || events.length > 0) {
      if (events.length === 0) await news.heard()
      const batch = events
      events = []
      room.ring()
      yield* batch
    }
    isRead = true
    return await working
  } finally {
    if (!isRead) {
      reader.abort()
      room.ring()
      await working.catch((error: unknown) => {
        // Aborted work may report that by failing; any other failure has not reached the reader yet.
        if (!isAbort(error, left)) throw error
      })
    }
  }
}

function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError')
}

/** Wakes all waiters. */
class Bell {
  #waiting: Promise<void> | undefined
  #ring: (() => void) | undefined

  heard(): Promise<void> {
    this.#waiting ??= new Promise((resolve) => {
      this.#ring = resolve
    })
    return this.#waiting
  }

  ring(): void {
    this.#ring?.()
    this.#waiting = undefined
    this.#ring = undefined
  }
}

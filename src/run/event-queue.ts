/** Events beyond these make whoever tells them wait. */
const most = 64

/** Tells events until all are told, or nobody wants to hear more. */
type Teller<Event> = (emit: (event: Event) => void | Promise<void>, isWanted: () => boolean) => Promise<void>

/** Hands on what is told to whoever iterates: a slow reader slows down the teller, and one who leaves ends it. */
export async function* eventQueue<Event>(tell: Teller<Event>): AsyncGenerator<Event> {
  const reader = new Waiting()
  const teller = new Waiting()
  let events: Event[] = []
  let [isWanted, isTold] = [true, false]
  const told = tell(
    (event) => {
      events.push(event)
      reader.wake()
      return isWanted && events.length >= most ? teller.wait() : undefined
    },
    () => isWanted,
  ).finally(() => {
    isTold = true
    reader.wake()
  })
  // Thrown to the reader below; nobody may be waiting yet.
  told.catch(() => undefined)
  try {
    while (!isTold || events.length > 0) {
      if (events.length === 0) await reader.wait()
      const some = events
      events = []
      teller.wake()
      yield* some
    }
  } finally {
    isWanted = false
    teller.wake()
    await told
  }
}

class Waiting {
  #resolve: (() => void) | undefined

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  wake(): void {
    this.#resolve?.()
    this.#resolve = undefined
  }
}

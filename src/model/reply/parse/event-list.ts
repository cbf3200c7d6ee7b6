import type { ReplyEvent } from '../reply.ts'

/** What the current piece of a reply tells. */
export class EventList {
  #events: ReplyEvent[] | undefined

  tell(event: ReplyEvent): void {
    // Most pieces tell one thing; an array made with it costs a fraction of one that is pushed to.
    if (this.#events === undefined) this.#events = [event]
    else this.#events.push(event)
  }

  take(): ReplyEvent[] {
    const events = this.#events
    if (events === undefined) return []
    this.#events = undefined
    return events
  }
}

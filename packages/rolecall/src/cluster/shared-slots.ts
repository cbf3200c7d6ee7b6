type Member = {
  /** Starts a row if one is waiting; returns whether it did. */
  start(): boolean
  /** Whether rows wait or are in flight. */
  isBusy(): boolean
}

type Joined = Member & { running: number; lastTurn: number }

/**
 * The rows that a worker has in flight for one model, shared by its runs. A free slot goes to the run with the fewest rows in flight, then
 * to the one whose last turn is longest ago: runs take turns, however many rows each of them has. A run alone uses all slots.
 */
export class SharedSlots {
  readonly #limit: () => number
  readonly #members: Joined[] = []
  #running = 0
  #turns = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit()
  }

  /**
   * Adds a run. `end` is for a row that is no longer in flight, `leave` for a run that starts no more rows; `share` is how many rows it may
   * expect in flight, since other runs with rows take theirs.
   */
  join(member: Member): { end(): void; leave(): void; share(): number } {
    const joined: Joined = { start: () => member.start(), isBusy: () => member.isBusy(), running: 0, lastTurn: 0 }
    this.#members.push(joined)
    return {
      end: () => {
        joined.running--
        this.#running--
        this.fill()
      },
      leave: () => {
        const place = this.#members.indexOf(joined)
        if (place !== -1) this.#members.splice(place, 1)
      },
      share: () => Math.ceil(this.#limit() / (1 + this.#members.filter((one) => one !== joined && one.isBusy()).length)),
    }
  }

  /** Starts rows while there are free slots. */
  fill(): void {
    while (this.#running < this.#limit()) {
      const next = [...this.#members].sort(byTurn).find((one) => one.start())
      if (!next) return
      next.running++
      next.lastTurn = ++this.#turns
      this.#running++
    }
  }
}

function byTurn(one: Joined, other: Joined): number {
  return one.running - other.running || one.lastTurn - other.lastTurn
}

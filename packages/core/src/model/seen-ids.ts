/** A prompt that a model has really seen, with its replies: what a trainer learns from. */
export type SeenRow = {
  readonly ids: readonly number[]
  /** 1 for ids that were sampled in this row. */
  readonly mask: readonly (0 | 1)[]
  /** The log-probability of each sampled id and 0 for all others; absent if a reply came without. */
  readonly logprobs?: readonly number[] | undefined
  /** The number of ids in front of the first sampled one. */
  readonly promptLength: number
}

type Row = {
  ids: number[]
  mask: (0 | 1)[]
  logprobs: number[]
  hasLogprobs: boolean
  replies: number
  /** Its length at its last reply. */
  answered: number
}

/** Every id that was sent and sampled, row by row: a fork begins a new one. */
export class SeenIds {
  readonly #rows: Row[] = []

  /** A prompt that was rendered whole: replies in it are context. */
  rendered(ids: readonly number[]): void {
    this.#rows.push({ ids: [...ids], mask: ids.map(() => 0), logprobs: ids.map(() => 0), hasLogprobs: true, replies: 0, answered: 0 })
  }

  /** Forgets a prompt that got no reply: another one takes its place. */
  unanswered(): void {
    while (this.#rows.at(-1)?.replies === 0) this.#rows.pop()
    const row = this.#rows.at(-1)
    if (row) row.ids.length = row.mask.length = row.logprobs.length = row.answered
  }

  appended(ids: readonly number[]): void {
    this.#add(ids, 0)
  }

  sampled(ids: readonly number[], logprobs: readonly number[] | undefined): void {
    const row = this.#add(ids, 1, logprobs)
    if (row === undefined) return
    row.replies++
    row.answered = row.ids.length
    if (logprobs === undefined && ids.length > 0) row.hasLogprobs = false
  }

  rows(): SeenRow[] {
    return this.#rows.flatMap((row) => {
      if (row.replies === 0) return []
      // What was appended behind the last reply has not been answered.
      const end = row.mask.lastIndexOf(1) + 1
      if (end === 0) return []
      return [
        {
          ids: row.ids.slice(0, end),
          mask: row.mask.slice(0, end),
          logprobs: row.hasLogprobs ? row.logprobs.slice(0, end) : undefined,
          promptLength: row.mask.indexOf(1),
        },
      ]
    })
  }

  #add(ids: readonly number[], trained: 0 | 1, logprobs?: readonly number[]): Row | undefined {
    const row = this.#rows.at(-1)
    for (const [index, id] of ids.entries()) {
      row?.ids.push(id)
      row?.mask.push(trained)
      row?.logprobs.push(logprobs?.[index] ?? 0)
    }
    return row
  }
}

/** Seeded random numbers, so that findings are reproducible. */
export type Chance = {
  /** From 0 up to, but excluding, `below`. */
  number(below: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True once in this many times on average. */
  once(inTimes: number): boolean
}

/** The context of an attack: time and randomness, and how to report. */
export type Attempt = {
  chance: Chance
  /** How many times longer than promised something may take: tests run on machines of any speed. */
  slack: number
  /** Whether there is time for another attempt. */
  goesOn(): boolean
  /** Counts an attempt. */
  tried(): void
  /** Reports a success or a hang, with how to reproduce it. */
  gotThrough(how: string): void
}

/** One kind of attack: runs until its time is over. */
export type Attack = {
  name: string
  /** The guarantee, in words for the table. */
  holds: string
  /** Takes minutes, and is not among the tests. */
  isLong?: true
  run(attempt: Attempt): Promise<void>
}

export type Outcome = { name: string; holds: string; seed: number; tried: number; gotThrough: string[]; seconds: number }

/** Runs an attack for some seconds. An exception of the attack itself counts as a success: nothing may crash. */
export async function runAttack(attack: Attack, seed: number, seconds: number, slack = 1): Promise<Outcome> {
  const started = performance.now()
  const until = started + 1000 * seconds
  const outcome: Outcome = { name: attack.name, holds: attack.holds, seed, tried: 0, gotThrough: [], seconds: 0 }
  const attempt: Attempt = {
    chance: chanceOf(seed),
    slack,
    // At least once, on any machine.
    goesOn: () => outcome.tried === 0 || (performance.now() < until && outcome.gotThrough.length < 20),
    tried: () => void outcome.tried++,
    gotThrough: (how) => void outcome.gotThrough.push(how.length > 2000 ? `${how.slice(0, 2000)}…` : how),
  }
  try {
    await attack.run(attempt)
  } catch (error) {
    outcome.gotThrough.push(`the attack ended with ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  outcome.seconds = (performance.now() - started) / 1000
  return outcome
}

/** Mulberry32: small, and good enough to choose list entries. */
function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const number = (below: number) => Math.floor(next() * below)
  return { number, pick: (items) => items[number(items.length)]!, once: (inTimes) => number(inTimes) === 0 }
}

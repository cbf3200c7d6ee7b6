/** Numbers by a seed, so that what was found can be found again. */
export type Chance = {
  /** From 0 up to, and without, `below`. */
  number(below: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True once in so many times. */
  once(inTimes: number): boolean
}

/** What an attack is given, and what it tells. */
export type Attempt = {
  chance: Chance
  /** Whether there is time for another try. */
  goesOn(): boolean
  /** One more was tried. */
  tried(): void
  /** Something got through, or hung: how it is done again. */
  gotThrough(how: string): void
}

/** One kind of attack: it tries for as long as it may. */
export type Attack = {
  name: string
  /** What must hold, as a reader of the table understands it. */
  holds: string
  run(attempt: Attempt): Promise<void>
}

export type Outcome = { name: string; holds: string; seed: number; tried: number; gotThrough: string[]; seconds: number }

/** Runs an attack for some seconds. An error of the attack itself counts as got through: nothing is to break. */
export async function runAttack(attack: Attack, seed: number, seconds: number): Promise<Outcome> {
  const started = performance.now()
  const until = started + 1000 * seconds
  const outcome: Outcome = { name: attack.name, holds: attack.holds, seed, tried: 0, gotThrough: [], seconds: 0 }
  const attempt: Attempt = {
    chance: chanceOf(seed),
    // At least once, however slow the machine is.
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

/** Mulberry32: small, and good enough to choose from lists. */
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

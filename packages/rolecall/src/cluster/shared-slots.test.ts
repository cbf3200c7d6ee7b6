import { expect, test } from 'vitest'
import { SharedSlots } from './shared-slots.ts'

/** A run with some rows; `ends` are the ends of those in flight. */
function run(slots: SharedSlots, name: string, rows: number, started: string[]) {
  let [waiting, inFlight] = [rows, 0]
  const joined = slots.join({
    start() {
      if (waiting === 0) return false
      waiting--
      inFlight++
      started.push(name)
      return true
    },
    isBusy: () => waiting + inFlight > 0,
  })
  return {
    ...joined,
    end() {
      inFlight--
      joined.end()
    },
  }
}

test('a light run is served beside a heavy one: its rows alternate with the other rows', () => {
  const slots = new SharedSlots(() => 2)
  const started: string[] = []
  const heavy = run(slots, 'h', 1000, started)
  slots.fill()
  expect(started.join('')).toBe('hh')
  const light = run(slots, 'l', 3, started)
  slots.fill()
  // Both slots are taken: the next free one is for the light run.
  expect(started.join('')).toBe('hh')
  heavy.end()
  expect(started.join('')).toBe('hhl')
  light.end()
  light.end()
  heavy.end()
  expect(started.join('')).toBe('hhlllh')
  light.end()
  expect(started.join('')).toBe('hhlllhh')
})

test('runs with the same number of rows in flight take turns; each expects its share', () => {
  const slots = new SharedSlots(() => 1)
  const started: string[] = []
  const runs = ['a', 'b', 'c'].map((name) => run(slots, name, 3, started))
  const byName = new Map(runs.map((one, index) => ['abc'[index], one]))
  slots.fill()
  expect(runs.map((one) => one.share())).toEqual([1, 1, 1])
  for (let count = 0; count < 8; count++) byName.get(started.at(-1))!.end()
  expect(started.join('')).toBe('abcabcabc')
})

test('a run alone expects all slots, and one that has left starts no more', () => {
  let limit = 0
  const slots = new SharedSlots(() => limit)
  const started: string[] = []
  const [one, other] = [run(slots, 'a', 9, started), run(slots, 'b', 0, started)]
  slots.fill()
  expect(started).toEqual([])
  limit = 5
  expect([one.share(), other.share()]).toEqual([5, 3])
  slots.fill()
  expect(started).toHaveLength(5)
  one.leave()
  one.end()
  expect(started).toHaveLength(5)
})

import { expect, test, vi } from 'vitest'
import { hasPython, hasVocabularies, warnIfMissing } from '../on-demand.ts'
import { keepPythonSnapshot } from '../python-snapshot.ts'
import { sampleOf, seed, triesAll } from '../sampling.ts'
import { type Attack, runAttack } from './attack.ts'
import { attacks } from './attacks.ts'

vi.setConfig({ testTimeout: 300_000 })
keepPythonSnapshot()

warnIfMissing(hasVocabularies, 'attacks by injection', 'the vocabularies')
warnIfMissing(hasPython, 'attacks on the sandbox', 'deno and pyodide')

// `npm run attack -- --seconds 600` runs for longer.
const seconds = triesAll ? 1.5 : 0.5

// Six per commit: `npm run attack` runs them all.
test.for(
  sampleOf(
    attacks.filter(({ isLong }) => !isLong),
    6,
  ),
)('$name: $holds', async (attack, { skip }) => {
  if (attack.name.endsWith('injection') && !hasVocabularies) return skip('the vocabularies are not installed')
  if (['sandbox escapes', 'code cheats'].includes(attack.name) && !hasPython) return skip('deno and pyodide are not installed')
  const { tried, gotThrough } = await runAttack(attack, seed, seconds, 4)
  expect(gotThrough, `seed ${seed}`).toEqual([])
  expect(tried).toBeGreaterThan(0)
})

test('a successful attack is reported with its input; an exception counts as success; the same seed draws the same inputs', async () => {
  const drawn: number[] = []
  const attack: Attack = {
    name: 'a',
    holds: 'nothing',
    async run({ chance, goesOn, tried, gotThrough }) {
      for (; goesOn(); tried()) {
        drawn.push(chance.number(1000))
        gotThrough(`drew ${drawn.at(-1)}`)
      }
      throw new Error('broken')
    },
  }
  const first = await runAttack(attack, 7, 10)
  expect(first.gotThrough).toHaveLength(21)
  expect(first.gotThrough[0]).toBe(`drew ${drawn[0]}`)
  expect(first.gotThrough.at(-1)).toContain('broken')
  const count = drawn.length
  await runAttack(attack, 7, 10)
  expect(drawn.slice(count)).toEqual(drawn.slice(0, count))
})

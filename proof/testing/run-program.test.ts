import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const filesIn = (folder: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'))
const tests = [
  ...['proof/testing', 'proof/conformance'].flatMap(filesIn),
  ...['packages', 'docs', 'proof/cases', 'proof/bench'].flatMap(filesIn).filter((file) => file.endsWith('.test.ts')),
]

// `mount` of a fault and git of a command that a person runs do not hang a test.
const allowed = ['proof/testing/chaos/faults/faults.ts', 'proof/testing/claims/main.ts', 'proof/testing/mutation/main.ts']

test('a test that waits synchronously for a program has a timeout', () => {
  const waits = tests
    .filter((file) => !allowed.includes(file))
    .flatMap((file) => callsIn(readFileSync(`${root}${file}`, 'utf8')).map((call) => `${file}: ${call}`))
  expect(waits.length).toBeGreaterThan(15)
  expect(waits.filter((call) => !/timeout/i.test(call))).toEqual([])
})

/** Calls of `spawnSync` and the like, up to the parenthesis that closes them. */
function callsIn(source: string): string[] {
  return [...source.matchAll(/(?<!['\w.])(?:spawnSync|execFileSync|execSync)\(/g)].map(({ index, 0: opened }) => {
    let depth = 1
    let end = index + opened.length
    while (depth > 0 && end < source.length) depth += { '(': 1, ')': -1 }[source[end++]!] ?? 0
    return source.slice(index, end)
  })
}

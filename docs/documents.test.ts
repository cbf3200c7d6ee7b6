import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documents } from './documents.ts'

test('every statement names a test that there is', () => {
  const missing = documents.flatMap(({ tests }) =>
    tests
      .filter(({ file, test: name }) => !readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').includes(`'${name}'`))
      .map(({ test: name }) => name),
  )
  expect(missing).toEqual([])
})

test('every document has cases and tests', () => {
  expect(documents.map(({ number, tests }) => [number, tests.length > 0])).toEqual(
    ['000', '001', '002', '003', '004'].map((number) => [number, true]),
  )
})

import { afterAll, describe, expect, test } from 'vitest'
import { OwnClassTarget, ownClassAttacks } from '../../../../proof/testing/attack/own-classes.ts'

describe.skipIf(process.platform === 'win32')("the code of a config's classes", () => {
  const target = new OwnClassTarget()
  afterAll(() => target.close())

  test('reads what lies below the folder of the config', { timeout: 120_000 }, async () => {
    const { stdout, stderr, fell } = await target.attack(`open('data/ok.jsonl').read()`)
    expect(stdout, stderr).toContain('public words')
    expect(fell).toBeUndefined()
  })

  test.for(ownClassAttacks)('reads, writes and runs nothing else: %s', async (expression) => {
    const { fell, stderr } = await target.attack(expression)
    expect(fell, stderr).toBeUndefined()
    expect(stderr).not.toMatch(/ {4}at /)
  })
})

import { expect, test } from 'vitest'
import { runStudy } from './study.ts'

test('each of six set-ups of the embedded model is explained by the one thing that was changed', { timeout: 120_000 }, async () => {
  for (const { name, cause, report } of await runStudy()) {
    expect(
      report.causes.map((one) => one.cause),
      name,
    ).toEqual([cause])
    expect(report.causes[0]!.effect).toBeCloseTo(report.difference, 9)
  }
})

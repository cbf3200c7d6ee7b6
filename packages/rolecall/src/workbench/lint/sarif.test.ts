import { expect, test } from 'vitest'
import type { Finding } from './finding.ts'
import { lintRules } from './lint-rules.ts'
import { asSarif } from './sarif.ts'

const finding: Finding = {
  rule: 'text-trimmed',
  severity: 'note',
  subject: 'models/my template.jinja',
  place: { kind: 'template', line: 3, column: 7, code: 'm.content | trim' },
  problem: 'white space is cut off',
  fix: 'keep it',
}

test('SARIF lists every rule; each result has its rule, level, file and region', () => {
  const sarif = asSarif([finding], '1.2.3') as {
    version: string
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: object[] }]
  }
  const [{ tool, results }] = sarif.runs
  expect(sarif.version).toBe('2.1.0')
  expect(tool.driver).toMatchObject({ name: 'rolecall lint', version: '1.2.3' })
  expect(tool.driver.rules).toHaveLength(lintRules.length)
  const index = tool.driver.rules.findIndex(({ id }) => id === 'text-trimmed')
  expect(results).toEqual([
    {
      ruleId: 'text-trimmed',
      ruleIndex: index,
      level: 'note',
      message: { text: 'white space is cut off. Fix: keep it' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'models/my%20template.jinja' },
            region: { startLine: 3, startColumn: 7, snippet: { text: 'm.content | trim' } },
          },
        },
      ],
    },
  ])
})

test('lines within a part of a file and config paths are logical locations', () => {
  const locations = (more: Partial<Finding>) =>
    (asSarif([{ ...finding, ...more }], '1') as { runs: [{ results: [{ locations: [{ logicalLocations: object[] }] }] }] }).runs[0]
      .results[0].locations[0]
  expect(locations({ part: 'models[0].chat_template' })).toMatchObject({
    logicalLocations: [{ fullyQualifiedName: 'models[0].chat_template:3:7' }],
  })
  expect(locations({ place: { kind: 'config', path: 'datasets[1]' } })).toMatchObject({
    logicalLocations: [{ fullyQualifiedName: 'datasets[1]' }],
  })
  expect(locations({ part: 'x' })).not.toHaveProperty('physicalLocation.region')
})

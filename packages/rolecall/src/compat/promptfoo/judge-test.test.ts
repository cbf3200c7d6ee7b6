import { beforeAll, expect, test } from 'vitest'
import type { Assertion } from './assertions.ts'
import { verdictsIn } from './assertions-evaluator.ts'
import { callJavaScript, openJavaScript } from './call-javascript.ts'
import { evaluateTest, type PromptfooTest, type TestResult } from './judge-test.ts'

beforeAll(openJavaScript)

const code = (text: string) => ({ kind: 'body', code: text, parameters: ['output', 'context'] }) as const
const script = (text: string): Assertion => ({ type: 'javascript', value: text, javascript: code(`return ${text}`) })

function evaluated(given: PromptfooTest, output: string, verdicts: (boolean | undefined)[] = []): TestResult {
  const evaluation = evaluateTest(given, output, verdicts, { vars: { gold: 'a' }, prompt: '' })
  let step = evaluation.next()
  while (!step.done) step = evaluation.next(callJavaScript(step.value.javascript, step.value.args))
  return step.value
}

test.for([
  [{ assert: [script('output.length > 2')] }, 'abc', true],
  [{ assert: [script('output === context.vars.gold ? 1 : 0')] }, 'b', false],
  [{ assert: [{ ...script('0.4'), threshold: 0.5 }] }, 'b', false],
  [{ assert: [script('0.4')] }, 'b', true],
  [{ assert: [script('({ pass: true, score: 0.1, reason: "x" })')] }, 'b', true],
  [{ assert: [script('"yes"')] }, 'b', false],
  [{ assert: [script('JSON.parse(output)')] }, 'b', false],
  [{ assert: [{ ...script('false'), type: 'not-javascript' }] }, 'b', true],
  [{ assert: [{ ...script('false'), weight: 0 }] }, 'b', true],
  [{ assert: [script('output.a === 1')], transform: code('return JSON.parse(output)') }, '{"a": 1}', true],
  [{ assert: [script('output.a === 1')], isStructured: true }, '{"a": 1}', true],
  [{ assert: [], transform: code('return JSON.parse(output)') }, 'b', false],
  [{ assert: [{ type: 'contains', value: 'c', transform: code('return output.list') }], isStructured: true }, '{"list": ["c"]}', true],
  [
    {
      assert: [
        {
          type: 'assert-set',
          threshold: 0.5,
          assert: [
            { type: 'contains', value: 'b' },
            { type: 'contains', value: 'z' },
          ],
        },
      ],
    },
    'b',
    true,
  ],
  [
    {
      assert: [
        {
          type: 'assert-set',
          assert: [
            { type: 'contains', value: 'b' },
            { type: 'contains', value: 'z' },
          ],
        },
      ],
    },
    'b',
    false,
  ],
  [
    {
      assert: [
        { type: 'contains', value: 'b', weight: 3 },
        { type: 'contains', value: 'z' },
      ],
      threshold: 0.7,
    },
    'b',
    true,
  ],
  [
    {
      assert: [
        { type: 'contains', value: 'b' },
        { type: 'contains', value: 'z', weight: 3 },
      ],
      threshold: 0.7,
    },
    'b',
    false,
  ],
  [{ assert: [] }, 'b', true],
] as [PromptfooTest, string, boolean][])('%j of %s is %s', ([given, output, expected]) => {
  expect(evaluated(given, output).correct).toBe(expected)
})

test('rubrics take the verdicts in their order, in sets, too', () => {
  const rubric = (value: string): Assertion => ({ type: 'llm-rubric', value })
  const given = { assert: [rubric('1'), { type: 'assert-set', assert: [rubric('2')] }, { type: 'not-llm-rubric', value: '3' }] }
  expect(evaluated(given, 'x', [true, true, false]).correct).toBe(true)
  expect(evaluated(given, 'x', [true, false, false]).outcomes.map(({ passed }) => passed)).toEqual([true, false, true])
})

test.for([
  ['It is.\nPASS', 1, [true]],
  ['1: PASS\n2: FAIL', 2, [true, false]],
  ['**Rubric 2:** FAIL\nRubric 1: PASS', 2, [true, false]],
  ['- 1. PASS\n- 2) pass', 2, [true, true]],
  ['PASS', 2, [undefined, undefined]],
] as const)('verdicts in %j', ([said, count, expected]) => {
  expect(verdictsIn(said, count)).toEqual(expected)
})

test('a long reply of blank lines is read in linear time', () => {
  const begin = process.cpuUsage()
  expect(verdictsIn(`${'\n'.repeat(300_000)}1: PASS\n2: FAIL`, 2)).toEqual([true, false])
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(3000)
})

import { expect, test } from 'vitest'
import type { Trial } from '../suite.ts'
import { internlm2AgentFormat } from './internlm2-agent-format.ts'

const judge = (vector: object) => {
  const examined = internlm2AgentFormat.examine({ group: 'internlm2-agent-format', ...vector } as never, '') as Trial
  return examined.judge(examined.ours)
}
const turn = (role: string, content: string) => `<|im_start|>${role}\n${content}<|im_end|>\n`

test('the code of an interpreter step is its command, in lagent 0.2.4', () => {
  const code = "```python\nprint('é')\n```"
  const steps = (content: object) => [
    { role: 'user', content: 'x' },
    { role: 'language', content: 'So.' },
    { role: 'tool', name: 'interpreter', content },
    { role: 'environment', name: 'interpreter', content: '2' },
  ]
  const called = turn('assistant', `So.<|action_start|><|interpreter|>\n${code}<|action_end|>\n`)
  const prompt = `${turn('user', 'x')}${called}${turn('environment name=<|interpreter|>', '2')}<|im_start|>assistant\n`
  expect(judge({ steps: steps({ name: 'Python', parameters: { command: code } }), expected: { prompt } })).toEqual({ kind: 'identical' })
  expect(judge({ steps: steps({ command: code }), expected: { prompt } })).toEqual({ kind: 'identical' })
  expect(judge({ steps: steps({ name: 'Python' }), expected: { prompt } })).toMatchObject({ kind: 'failed' })
})

test('only calls that lagent re-serializes are a deviation', () => {
  const memory = (call: string) => [
    { sender: 'user', content: 'x' },
    { sender: 'me', content: `So.<|action_start|><|plugin|>\n${call}` },
    { sender: 'ActionExecutor', content: '22' },
  ]
  const prompt = (call: string) =>
    `${turn('user', 'x')}${turn('assistant', `So.<|action_start|><|plugin|>\n${call}<|action_end|>\n`)}${turn('environment name=<|plugin|>', '22')}<|im_start|>assistant\n`
  const written = '{"name": "f", "parameters": {"a": "é"}}'
  const judged = (call: string, expected = prompt(written)) => judge({ memory: memory(call), expected: { prompt: expected } })
  expect(judged(`${written}<|action_end|>\n`)).toEqual({ kind: 'identical' })
  const deviation = { kind: 'rule', rule: 'internlm2-call-rewritten' }
  expect(judged('{"name":"f","parameters":{"a":"é"}}<|action_end|>\n')).toEqual(deviation)
  expect(judged(`${written}<|action_end|>\nAnd more.`)).toEqual(deviation)
  expect(judged('{"name":"f","parameters":{"a":"é"}}<|action_end|>\n', prompt('{}'))).toMatchObject({ kind: 'failed' })
})

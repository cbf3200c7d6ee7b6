import { expect, test, vi } from 'vitest'
import { registerByName } from './register-by-name.ts'

test('without rolecall/opencompass, an unknown evaluator or postprocessor names the entry point to import', async () => {
  vi.resetModules()
  const { evaluatorOf } = await import('./evaluate/evaluators.ts')
  const { postprocessorOf } = await import('./postprocess/postprocessors.ts')
  expect(() => evaluatorOf({ type: 'MATHEvaluator' }, true, 'mine')).toThrow("Import 'rolecall/opencompass' if the name is OpenCompass's")
  expect(() => postprocessorOf('gsm8k', 'mine')).toThrow("Import 'rolecall/opencompass' if the name is OpenCompass's")
})

test('once it is imported, only the nearest name or the docs are suggested', async () => {
  await import('../../opencompass.ts')
  const { evaluatorOf } = await import('./evaluate/evaluators.ts')
  const fixOf = (type: string) => () => evaluatorOf({ type }, true, 'mine')
  expect(fixOf('AccEvaluatr')).toThrow('Did you mean "AccEvaluator"?')
  expect(fixOf('QuixoticBenchmarkEvaluator')).toThrow('Use an evaluator of docs/scoring.md')
  expect(fixOf('AccEvaluatr')).not.toThrow('rolecall/opencompass')
})

test('two entries with one name are refused; registering an entry again is not', () => {
  const registry = new Map<string, { names: string[] }>()
  const entry = { names: ['a', 'b'] }
  registerByName(registry, [entry])
  registerByName(registry, [entry])
  expect(() => registerByName(registry, [{ names: ['b'] }])).toThrow('"b" is registered twice')
})

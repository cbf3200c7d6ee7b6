import { expect, test } from 'vitest'
import { harnessModel, harnessServer, modelArguments } from './harness-model.ts'

const served = 'model=m,base_url=http://127.0.0.1:1/v1/completions'
const notesOf = (given: string) =>
  harnessModel({ model: 'local-completions', modelArgs: `${served},${given}` }).notes.map(({ where, text }) => `${where}: ${text}`)

test('an argument that is not read says what to write instead, and none that changes requests is called harmless', () => {
  expect(notesOf('revision=main,seed=7,max_gen_tok=5,num_concurrent=2,eos_string=</s>')).toEqual([
    '--model-args › revision: it is not read; it does not change prompts or scores here',
    '--model-args › seed: it is not read: no seed is sent with greedy replies; sampled ones have the seed of the model in a config',
    '--model-args › max_gen_tok: it is not known and not read: did you mean "max_gen_toks"?',
    '--model-args › eos_string: it is not read: with num_concurrent above 1, the harness does not send it either; write --gen_kwargs until=TEXT',
  ])
  expect(notesOf('max_gen_toks=512,eos_string=</s>')).toEqual([])
})

test('the default length and the text that ends replies reach the requests of tasks', () => {
  const server = (given: string) => harnessServer('local-completions', modelArguments(given))
  expect(server('max_gen_toks=512,eos_string=</s>,num_concurrent=1')).toMatchObject({ defaultLength: 512, stop: '</s>' })
  expect(server('eos_string=</s>,num_concurrent=4')).not.toHaveProperty('stop')
  expect(() => server('max_gen_toks=-1')).toThrow('--model-args › max_gen_toks: it is not a positive integer')
})

test('a key among the arguments is refused before it is recorded', () => {
  const modelArgs = `{"model": "m", "base_url": "http://127.0.0.1:1/v1/completions", "header": {"Authorization": "Bearer k"}}`
  expect(() => harnessModel({ model: 'local-completions', modelArgs })).toThrow(
    '--model-args › header: keys on the command line are not read, as arguments are recorded with the run.',
  )
})

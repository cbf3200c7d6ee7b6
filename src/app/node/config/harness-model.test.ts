import { expect, test } from 'vitest'
import { harnessModel, harnessServer, modelArguments } from './harness-model.ts'

const served = 'model=m,base_url=http://127.0.0.1:1/v1/completions'
const modelOf = (given: string) => harnessModel({ model: 'local-completions', modelArgs: `${served},${given}` })
const notesOf = async (given: string) => (await modelOf(given)).notes.map(({ where, text }) => `${where}: ${text}`)

test('an argument that is not read says what to write instead, and none that changes requests is called harmless', async () => {
  expect(await notesOf('revision=main,seed=7,max_gen_tok=5,num_concurrent=2,eos_string=</s>')).toEqual([
    '--model-args › revision: it is not read; it does not change prompts or scores here',
    '--model-args › seed: it is not read: no seed is sent with greedy replies; sampled ones have the seed of the model in a config',
    '--model-args › max_gen_tok: it is not known and not read: did you mean "max_gen_toks"?',
    '--model-args › eos_string: it is not read: with num_concurrent above 1, the harness does not send it either; write --gen_kwargs until=TEXT',
  ])
  expect(await notesOf('max_gen_toks=512,eos_string=</s>')).toEqual([])
})

test('the default length and the text that ends replies reach the requests of tasks', () => {
  const server = (given: string) => harnessServer('local-completions', modelArguments(given))
  expect(server('max_gen_toks=512,eos_string=</s>,num_concurrent=1')).toMatchObject({ defaultLength: 512, stop: '</s>' })
  expect(server('eos_string=</s>,num_concurrent=4')).not.toHaveProperty('stop')
  expect(() => server('max_gen_toks=-1')).toThrow('--model-args › max_gen_toks: it is not a positive integer')
})

test('a key among the arguments is refused before it is recorded', async () => {
  const modelArgs = `{"model": "m", "base_url": "http://127.0.0.1:1/v1/completions", "header": {"Authorization": "Bearer k"}}`
  await expect(harnessModel({ model: 'local-completions', modelArgs })).rejects.toThrow(
    '--model-args › header: keys on the command line are not read, as arguments are recorded with the run.',
  )
})

test('a tokenizer that is neither here nor on a hub is not ignored', async () => {
  await expect(modelOf('tokenizer=./nowhere')).rejects.toThrow('--model-args › tokenizer: there is no file or folder ./nowhere.')
  expect(await notesOf('tokenizer=owl/nowhere,add_bos_token=True')).toEqual([
    expect.stringMatching(/^--model-args › tokenizer: the tokenizer owl\/nowhere is not used: /),
    '--model-args › add_bos_token: it is not read without a tokenizer: the server adds BOS to text as its own tokenizer does',
  ])
})

test('prompts are sent as text without tokenized_requests, or with no tokenizer_backend', async () => {
  const tokenizer = 'tokenizer=embedded-model'
  expect((await modelOf(tokenizer)).config).toMatchObject({ tokenizer_path: expect.stringMatching(/embedded-model$/), truncate_to: 2047 })
  const asText = (await modelOf(`${tokenizer},tokenized_requests=False`)).config
  expect(asText).toMatchObject({ tokenizer_path: expect.stringMatching(/embedded-model$/), send: 'text' })
  expect(asText).not.toHaveProperty('truncate_to')
  expect((await modelOf(`${tokenizer},tokenizer_backend=None`)).config).not.toHaveProperty('tokenizer_path')
})

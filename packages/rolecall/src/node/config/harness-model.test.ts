import { expect, test } from 'vitest'
import { modelArguments } from './harness-arguments.ts'
import { harnessModel, harnessServer } from './harness-model.ts'

const served = 'model=m,base_url=http://127.0.0.1:1/v1/completions'
const modelOf = (given: string) => harnessModel({ model: 'local-completions', modelArgs: `${served},${given}` })
const shown = ({ notes }: Awaited<ReturnType<typeof modelOf>>) => notes.map(({ where, text }) => `${where}: ${text}`)
const notesOf = async (given: string) => shown(await modelOf(given))

test('an argument that is not read says what to write instead, and none that changes requests is called harmless', async () => {
  expect(await notesOf('dtype=float16,seed=7,max_images=2,max_gen_tok=5,num_concurrent=2,eos_string=</s>,max_length=9')).toEqual([
    '--model-args › dtype: it is not read; it does not change prompts or scores here',
    '--model-args › seed: it is not read: no seed is sent with greedy replies; sampled ones have the seed of the model in a config',
    '--model-args › max_images: it is not read: all images of a document are sent',
    '--model-args › max_gen_tok: it is not known and not read: did you mean "max_gen_toks"?',
    '--model-args › eos_string: it is not read: with num_concurrent above 1, the harness does not send it either; write --gen_kwargs until=TEXT',
    '--model-args › max_length: it is not read: only prompts that are sent as token ids are truncated',
  ])
  expect(await notesOf('tokenizer_backend=remote,add_bos_token=True')).toEqual([
    '--model-args › tokenizer_backend: it is not read: prompts are sent as text; tokenizer=PATH sends token ids',
    '--model-args › add_bos_token: it is not read without a tokenizer: the server adds BOS to text as its own tokenizer does',
  ])
  expect(await notesOf('max_gen_toks=512,eos_string=</s>,num_concurrent=0')).toEqual([])
  const chat = { model: 'local-chat-completions', applyChatTemplate: true, modelArgs: `${served},tokenizer=owl/nowhere` }
  expect(shown(await harnessModel(chat))).toEqual([
    '--model-args › tokenizer: it is not read: the server writes messages as its own template does',
  ])
})

test('the default length and the text that ends replies reach the requests of tasks', () => {
  const server = (given: string) => harnessServer('local-completions', modelArguments(given))
  expect(server('max_gen_toks=512,eos_string=</s>,num_concurrent=1')).toMatchObject({ defaultLength: 512, stop: '</s>' })
  expect(server('eos_string=</s>,num_concurrent=4')).not.toHaveProperty('stop')
  for (const wrong of ['max_gen_toks=-1', 'max_gen_toks=2.5', 'max_gen_toks=99999999999999999999', 'max_gen_toks=many'])
    expect(() => server(wrong)).toThrow('--model-args › max_gen_toks: it is not a positive integer')
  expect(() => server('eos_string=5')).toThrow('--model-args › eos_string: it is not a text')
})

test('a key or a login among the arguments is refused before it is recorded', () => {
  const secrets = ['{"header": {"Authorization": "Bearer k"}}', 'headers={"a": "k"}', 'api_key=k', 'auth_token=k', 'hf_token=k']
  for (const given of secrets)
    expect(() => modelArguments(given)).toThrow(/^--model-args › \w+: arguments are recorded with the run, so a key is refused/)
  expect(() => modelArguments('base_url=https://me:k@host/v1')).toThrow('so an address with a login is refused')
  expect(modelArguments('max_gen_toks=1,add_bos_token=True,custom_prefix_token_id=2').size).toBe(3)
})

test('a tokenizer that is neither here nor on a hub is an error', async () => {
  await expect(modelOf('tokenizer=./nowhere')).rejects.toThrow('--model-args › tokenizer: there is no file or folder ./nowhere.')
  await expect(modelOf('tokenizer=owl/nowhere')).rejects.toThrow(/owl\/nowhere/)
  await expect(modelOf('tokenizer=owl/nowhere,revision=v2')).rejects.toThrow(/owl\/nowhere@v2/)
  await expect(modelOf('tokenizer=')).rejects.toThrow('--model-args › tokenizer: it is not a text')
})

test('prompts are sent as text without tokenized_requests, or with no tokenizer_backend', async () => {
  const config = async (given: string) => (await modelOf(`tokenizer=packages/rolecall/embedded-model${given}`)).config
  const tokenizer = { tokenizer_path: expect.stringMatching(/embedded-model$/) }
  expect(await config('')).toMatchObject({ ...tokenizer, truncate_to: 2047, add_bos_token: false })
  expect(await config(',add_bos_token=yes,max_length=100')).toMatchObject({ ...tokenizer, truncate_to: 99, add_bos_token: true })
  for (const given of [',tokenized_requests=False', ',tokenized_requests=none']) {
    expect(await config(given)).toMatchObject({ ...tokenizer, send: 'text' })
    expect(await config(given)).not.toHaveProperty('truncate_to')
  }
  for (const backend of ['None', 'none', '"None"'])
    expect(await config(`,tokenizer_backend=${backend}`)).not.toHaveProperty('tokenizer_path')
})

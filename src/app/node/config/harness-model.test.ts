import { expect, test } from 'vitest'
import { harnessModel } from './harness-model.ts'

test('an argument that would change the length of replies is not called harmless', () => {
  const modelArgs = 'model=m,base_url=http://127.0.0.1:1/v1/completions,max_gen_toks=512,revision=main'
  const { notes } = harnessModel({ model: 'local-completions', modelArgs })
  expect(notes.map(({ where, text }) => `${where}: ${text}`)).toEqual([
    '--model-args › max_gen_toks: it is not read: a task without a length generates 256 tokens; write --gen_kwargs max_gen_toks=N',
    '--model-args › revision: it is not read; it does not change prompts or scores here',
  ])
})

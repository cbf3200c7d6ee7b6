import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecallProcess } from '../../../../../proof/testing/rolecall.ts'

test('a config shares the classes of the command, by either package', async () => {
  const folder = folderWith({
    'own.config.ts': `import { PromptError } from 'rolecall'
import { PromptError as OfCore } from '@rolecall/core'
if (PromptError !== OfCore) throw new Error('two copies')
throw new PromptError('mine', { where: 'row 3', problem: 'it is odd', fix: 'make it even' })
`,
  })
  const { code, stderr } = await rolecallProcess(['run', 'own.config.ts'], folder)
  // A mistake that the command recognises, with its parts, and not an unknown exception.
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^error own\.config\.ts:4:\d+ › row 3\n {2}it is odd\n {2}→ make it even/),
  })
})

test('a config shares the registries of the command: it sees evaluators that the command has registered, and one that it registers itself runs', async () => {
  const folder = folderWith({
    'own.config.ts': `import { evaluators } from 'rolecall/scores'
if (!evaluators.has('AccwithDetailsEvaluator')) throw new Error('another registry')
const isShort = ({ prediction }) => String(prediction).length < 100
export default {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 2 }],
  datasets: [{
    abbr: 'sums',
    rows: [{ question: '1+1=?', answer: '2' }],
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'GenInferencer' } },
    eval_cfg: { evaluator: { judge: isShort, metric: 'short' } },
  }],
}
`,
  })
  const { code, stdout, stderr } = await rolecallProcess(['run', 'own.config.ts', '--no-cache', '--json'], folder)
  expect({ code, stderr: stderr.split('\n').filter((line) => line.startsWith('error')) }).toEqual({ code: 0, stderr: [] })
  expect((JSON.parse(stdout) as { results: { metric: string; value: number }[] }).results).toMatchObject([{ metric: 'short', value: 100 }])
})

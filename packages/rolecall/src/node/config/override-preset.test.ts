import { expect, test } from 'vitest'
import { overridePreset } from './override-preset.ts'

const made = {
  infer_cfg: {
    prompt_template: { template: '{q}' },
    retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
    inferencer: { type: 'GenInferencer', max_out_len: 512, stopping_criteria: ['\nQ:'] },
  },
  eval_cfg: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: 'general' },
}
const use = (more: object) => overridePreset(made, 'p', { preset: 'p', path: '.', ...more }, 'datasets[0]')

test('generation settings of a preset are kept separate from those of the user', () => {
  expect(use({})).toEqual({
    infer_cfg: { ...made.infer_cfg, inferencer: { type: 'GenInferencer' } },
    eval_cfg: made.eval_cfg,
    preset_cfg: { name: 'p', max_out_len: 512, stop: ['\nQ:'] },
  })
  expect(use({ max_out_len: 64, stop: '\n' }).infer_cfg.inferencer).toEqual({
    type: 'GenInferencer',
    max_out_len: 64,
    stopping_criteria: ['\n'],
  })
  expect(use({ stop: [] }).infer_cfg.inferencer).toMatchObject({ stopping_criteria: [] })
})

test('infer_cfg and eval_cfg override the preset key by key, or as a whole if the type differs', () => {
  const given = use({
    infer_cfg: {
      prompt_template: { template: '{q}!' },
      retriever: { type: 'TopkRetriever', ice_num: 2 },
      inferencer: { temperature: 0.7 },
    },
    eval_cfg: { pred_postprocessor: 'last_number' },
    n: 4,
    k: [1, 4],
  })
  expect(given).toMatchObject({ n: 4, k: [1, 4] })
  expect(given.infer_cfg).toEqual({
    prompt_template: { template: '{q}!' },
    retriever: { type: 'TopkRetriever', ice_num: 2 },
    inferencer: { type: 'GenInferencer', temperature: 0.7 },
  })
  expect(given.eval_cfg).toEqual({ evaluator: { type: 'AccEvaluator' }, pred_postprocessor: 'last_number' })
  expect(use({ infer_cfg: { retriever: { fix_id_list: [3] } } }).infer_cfg.retriever).toEqual({ type: 'FixKRetriever', fix_id_list: [3] })
})

test('setting the same option twice is an error', () => {
  expect(() => use({ stop: '\n', infer_cfg: { inferencer: { stopping_criteria: ['x'] } } })).toThrow('datasets[0].stop')
  expect(() => use({ max_out_len: 1, infer_cfg: { inferencer: { max_out_len: 2 } } })).toThrow('datasets[0].max_out_len')
})

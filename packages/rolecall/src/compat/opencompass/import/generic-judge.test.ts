import { expect, test } from 'vitest'
import { importConfig } from './import-config.ts'

/** The datasets of a config beside modules of OpenCompass. */
function datasetsOf(dataset: string, modules: Record<string, string> = {}) {
  const files: Record<string, string> = { 'opencompass/configs/datasets/d.py': `datasets = [dict(${dataset})]`, ...modules }
  return importConfig('opencompass/configs/datasets/d.py', { read: (path) => files[path] }).config.datasets[0]!
}

const infer = "infer_cfg=dict(prompt_template=dict(template=dict(round=[dict(role='HUMAN', prompt='Q: {problem}')])))"
const gaokao = `abbr='g', type='MATHDataset', path='p', ${infer}, eval_cfg=dict(evaluator=dict(type='GaoKaoMATHEvaluator', model_name='q', url=['http://one/v1', 'http://two/v1']`

test("a judge whose prompt is in OpenCompass's code gets it from the checkout that the config belongs to", () => {
  const module = `
from opencompass.models import OpenAISDK
EVAL_PROMPT = """Yes is \\\\boxed{{yes}}.
{question} / {gold_answer} / {answer}
"""  # noqa
OTHER = open('/etc/passwd').read()
class GaoKaoMATHEvaluator(BaseEvaluator):
    def score(self, *, predictions): return {**predictions}
`
  const { evaluator } = datasetsOf(`${gaokao}))`, { 'opencompass/datasets/gaokao_math.py': module }).eval_cfg as never
  expect(evaluator).toMatchObject({
    type: 'GenericLLMEvaluator',
    judge_cfg: { type: 'openai', path: 'q', base_url: 'http://one/v1' },
    prompt_template: { template: { round: [{ prompt: 'Yes is \\boxed{yes}.\nQ: {problem} / {obj_gold} / {prediction}\n' }] } },
    dict_postprocessor: { type: 'boxed_yes' },
  })
  // Without the module, or where a second model extracts answers, the class stays, which is refused by name.
  for (const [entry, modules] of [
    [`${gaokao}))`, {}],
    [`${gaokao}, with_postprocess=True))`, { 'opencompass/datasets/gaokao_math.py': module }],
  ] as const)
    expect(datasetsOf(entry, modules).eval_cfg).toMatchObject({ evaluator: { type: 'GaoKaoMATHEvaluator' } })
})

test('the prompts of a dataset class become settings of the dataset', () => {
  const module = "single_v1 = {'system_prompt': 'S', 'prompt_template': 'P' 'Q'}\nCOLUMNS = ['x']\n"
  const entry = datasetsOf(`abbr='m', type='MTBenchDataset', path='p', name='n', ${infer}`, {
    'opencompass/datasets/subjective/mtbench.py': module,
  })
  expect(entry.wording).toEqual({ single_v1: { system_prompt: 'S', prompt_template: 'PQ' } })
})

test('of several judges that vote, one is asked like any other; more are refused by name', () => {
  const atlas = (judges: string) =>
    datasetsOf(
      `abbr='a', type='ATLASDataset', ${infer}, eval_cfg=dict(evaluator=dict(type='ATLASLLMEvaluator', judge_cfg=dict(judgers=[${judges}]), prompt_template=dict(template='{prediction}'), pred_postprocessor=dict(type='atlas_pred_postprocess')))`,
    ).eval_cfg
  expect(atlas("dict(type='OpenAISDK', path='j', openai_api_base='http://one/v1')")).toMatchObject({
    evaluator: { type: 'GenericLLMEvaluator', judge_cfg: { path: 'j' }, pred_postprocessor: { only_answers: true } },
  })
  // A placeholder is no judge: it is the default one, or that of --judge.
  expect(atlas("dict(type='OpenAISDK', path='xxx', openai_api_base='xxx')")).toMatchObject({ evaluator: { judge_cfg: {} } })
  expect(atlas("dict(path='j'), dict(path='k')")).toMatchObject({ evaluator: { type: 'ATLASLLMEvaluator' } })
})

test('a model that is asked several times gives several answers per row, and their vote', () => {
  const given = (inferencer: string) =>
    datasetsOf(
      `abbr='s', type='GSM8KDataset', path='p', infer_cfg=dict(inferencer=dict(type='${inferencer}', sc_size=20, max_out_len=9, generation_kwargs=dict(do_sample=True, temperature=0.7, top_k=40))), eval_cfg=dict(evaluator=dict(type='Gsm8kEvaluator'), sc_size=20)`,
    )
  expect(given('SCInferencer')).toMatchObject({
    n: 20,
    k: [20],
    infer_cfg: { inferencer: { type: 'GenInferencer', max_out_len: 9, temperature: 0.7, top_k: 40 } },
    eval_cfg: { evaluator: { type: 'Gsm8kEvaluator' } },
  })
  expect(given('GenInferencer')).not.toHaveProperty('n')
  const source =
    "datasets = [dict(infer_cfg=dict(inferencer=dict(type='SCInferencer', sc_size=2, generation_kwargs=dict(do_sample=True, num_beams=3))))]"
  const { notes } = importConfig('c.py', { read: (path) => (path === 'c.py' ? source : undefined) })
  expect(notes.map(({ text }) => text)).toContain('generation_kwargs of SCInferencer: num_beams is not used')
})

import { describe, expect, test } from 'vitest'
import { judgeOf } from '../../../evaluation/config/judge-of.ts'
import { importConfig } from './import-config.ts'

const imported = (text: string) => importConfig('c.py', { read: (path) => (path === 'c.py' ? text : undefined) })
const infer = "infer_cfg=dict(prompt_template=dict(template='{question}'))"
const dataset = (evaluator: string, abbr = 'd') => `dict(abbr='${abbr}', ${infer}, eval_cfg=dict(evaluator=${evaluator}))`
const judges = (...models: string[]) => `eval = dict(partitioner=dict(judge_models=[${models.join()}]))`

describe('a judge on an OpenAI-compatible server', () => {
  const streaming =
    "dict(type='OpenAISDKStreaming', abbr='j', path='big', key='ENV', openai_api_base='http://127.0.0.1:9/v1', temperature=0)"
  const asModel = { type: 'openai', abbr: 'j', path: 'big', stream: true, openai_api_base: 'http://127.0.0.1:9/v1', temperature: 0 }

  test('is read like a model there, also inside a cascade', () => {
    const [plain, cascade] = imported(
      `datasets = [${dataset(`dict(type='GenericLLMEvaluator', judge_cfg=${streaming})`)}, ${dataset(`dict(type='CascadeEvaluator', llm_evaluator=dict(judge_cfg=${streaming}))`, 'e')}]`,
    ).config.datasets
    expect(judgeOf(plain!)).toEqual({ judge: asModel, place: 'eval_cfg.evaluator.judge_cfg' })
    expect(judgeOf(cascade!)).toEqual({ judge: asModel, place: 'eval_cfg.evaluator.llm_evaluator.judge_cfg' })
  })

  test('samples with 0.7 if its class does and the config says nothing', () => {
    const { config } = imported(`datasets = [${dataset("dict(type='GenericLLMEvaluator', judge_cfg=dict(type='OpenAI', path='big'))")}]`)
    expect(judgeOf(config.datasets[0]!)!.judge).toMatchObject({ type: 'openai', temperature: 0.7 })
  })
})

describe('judge_models of the partitioner', () => {
  const [one, two] = ["dict(type='OpenAISDK', abbr='one', path='p1', temperature=0)", "dict(type='VLLM', abbr='two', path='p2')"]

  test('is the judge of the datasets whose evaluators query one and name none', () => {
    const { config, unused } = imported(
      `judge_models = [${one}]\ndatasets = [${dataset("dict(type='LMEvaluator')")}, ${dataset("dict(type='AccEvaluator')", 'e')}, ${dataset("dict(type='LMEvaluator', judge_cfg=dict(type='embedded'))", 'f')}]\n${judges(one)}`,
    )
    expect(config.datasets.map((each) => judgeOf(each)?.judge.path ?? judgeOf(each)?.judge.type)).toEqual(['p1', undefined, 'embedded'])
    expect(unused).toEqual(['eval'])
  })

  test('gives a dataset for each of several judges, named as OpenCompass names their results', () => {
    const { config, notes } = imported(`datasets = [${dataset("dict(type='LMEvaluator')")}]\n${judges(one, two)}`)
    expect(config.datasets.map((each) => [each.abbr, judgeOf(each)!.judge.path])).toEqual([
      ['d_judged-by--one', 'p1'],
      ['d_judged-by--two', 'p2'],
    ])
    expect(notes).toContainEqual({
      code: 'several-judges',
      where: 'd',
      text: 'its answers are judged by 2 models: it runs once for each of them',
    })
  })

  test.each(['eval = dict(partitioner=None)', 'eval = 3', judges('7'), judges()])('%s names no judge', (text) => {
    const { config } = imported(`datasets = [${dataset("dict(type='LMEvaluator')")}]\n${text}`)
    expect(judgeOf(config.datasets[0]!)).toBeUndefined()
  })
})

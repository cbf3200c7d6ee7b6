import { expect, test } from 'vitest'
import { judgeOf } from '../../evaluation/config/judge-of.ts'
import { readServers, withServers } from './server-flags.ts'

const url = 'http://127.0.0.1:9/v1'
const local = { abbr: 'local', type: 'VLLM', path: 'org/j' }
const hosted = { abbr: 'hosted', type: 'OpenAISDK', path: 'gpt', openai_api_base: 'http://127.0.0.1:8/v1' }
const judged = (judge_cfg: object) => ({ eval_cfg: { evaluator: { type: 'LMEvaluator', judge_cfg } } })
const config = {
  models: [{ abbr: 'm', type: 'VLLM', path: 'org/m' }],
  datasets: [judged(local), judged(hosted), { eval_cfg: { evaluator: 'AccEvaluator' } }],
}

function judgesWith(flags: Parameters<typeof readServers>[0]) {
  const { config: given } = withServers(config, readServers(flags).servers, '.')
  return (given as typeof config).datasets.map((dataset) => judgeOf(dataset)?.judge)
}

test('--base-url also serves judges of local classes; judges on a server stay there', () => {
  expect(judgesWith({ baseUrl: url })).toEqual([
    { abbr: 'local', type: 'openai', endpoint: 'completions', path: 'org/j', base_url: url },
    hosted,
    undefined,
  ])
})

test('--models NAME=URL may name a judge of any class', () => {
  const [first, second] = judgesWith({ models: `hosted=mine@${url},m=${url}` })
  expect(first).toEqual(local)
  expect(second).toMatchObject({ path: 'mine', base_url: url })
})

test('a config without datasets, or whose datasets or entries are no lists or objects, is left to the checks', () => {
  const odd = { models: [null, 'm'], datasets: [null, 3] }
  for (const flags of [{ baseUrl: url }, { judge: `j@${url}` }])
    expect(withServers(odd, readServers(flags).servers, '.').config).toEqual(odd)
  for (const datasets of [undefined, 3]) {
    const given = { models: config.models, ...(datasets === undefined ? {} : { datasets }) }
    expect(withServers(given, readServers({ baseUrl: url }).servers, '.').config).toMatchObject(datasets === undefined ? {} : { datasets })
  }
})

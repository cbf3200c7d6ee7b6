import { describe, expect, test } from 'vitest'
import { checkConfig } from './check-config.ts'
import { ignoredKeys } from './ignored-keys.ts'
import { keysOfModel, knownKeys } from './known-keys.ts'
import { otherNames } from './other-names.ts'

const infer_cfg = { prompt_template: { template: '{q}' } }
const model = (more: object) => ({ models: [{ type: 'openai', path: 'm', ...more }] })
const dataset = (more: object) => ({ datasets: [{ infer_cfg, ...more }] })
const mistake = (where: string, fix: string) => expect.objectContaining({ code: 'unknown-key', where, fix })

describe("another program's name for a key is an error that suggests the right name", () => {
  test.each([
    ['url', 'base_url'],
    ['api_base', 'base_url'],
    ['apiBase', 'base_url'],
    ['base-url', 'base_url'],
    ['host', 'base_url'],
    ['host_ip', 'base_url'],
    ['api_key', 'key_env'],
    ['OPENAI_API_KEY', 'key_env'],
    ['model', 'path'],
    ['model_name', 'path'],
    ['max_tokens', 'max_out_len'],
    ['maxTokens', 'max_out_len'],
    ['max_token', 'max_out_len'],
    ['max_new_tokens', 'max_out_len'],
    ['context_length', 'max_seq_len'],
    ['temprature', 'temperature'],
    ['temp', 'temperature'],
    ['rpm', 'requests_per_minute'],
    ['workers', 'concurrency'],
    ['tokenizer', 'tokenizer_path'],
  ])('of a model: %s', (key, meant) => {
    expect(() => checkConfig(model({ [key]: 'x' }))).toThrow(
      mistake(`config.models[0]${key.includes('-') ? `["${key}"]` : `.${key}`}`, `did you mean "${meant}"?`),
    )
  })

  test.each<[string, object, string, string]>([
    [
      'generation_kwargs',
      model({ generation_kwargs: { max_tokens: 5 } }),
      'models[0].generation_kwargs.max_tokens',
      'write it as max_out_len of the model',
    ],
    [
      'generation_kwargs',
      model({ generation_kwargs: { temprature: 1 } }),
      'models[0].generation_kwargs.temprature',
      'did you mean "temperature"?',
    ],
    ['a dataset', dataset({ file: 'x' }), 'datasets[0].file', 'did you mean "path"?'],
    ['a dataset', dataset({ output_column: 'x' }), 'datasets[0].output_column', 'write it as reader_cfg.output_column'],
    ['reader_cfg', dataset({ reader_cfg: { target: 'x' } }), 'datasets[0].reader_cfg.target', 'did you mean "output_column"?'],
    [
      'infer_cfg',
      { datasets: [{ infer_cfg: { ...infer_cfg, max_tokens: 5 } }] },
      'datasets[0].infer_cfg.max_tokens',
      'write it as inferencer.max_out_len',
    ],
    [
      'the retriever',
      { datasets: [{ infer_cfg: { ...infer_cfg, retriever: { shots: 5 } } }] },
      'datasets[0].infer_cfg.retriever.shots',
      'did you mean "ice_num"?',
    ],
    [
      'the inferencer',
      { datasets: [{ infer_cfg: { ...infer_cfg, inferencer: { stop: ['x'] } } }] },
      'datasets[0].infer_cfg.inferencer.stop',
      'did you mean "stopping_criteria"?',
    ],
    ['eval_cfg', dataset({ eval_cfg: { metric: 'x' } }), 'datasets[0].eval_cfg.metric', 'did you mean "evaluator"?'],
    [
      'judge_cfg',
      dataset({ eval_cfg: { evaluator: { judge_cfg: { type: 'openai', path: 'm', url: 'http://x' } } } }),
      'datasets[0].eval_cfg.evaluator.judge_cfg.url',
      'did you mean "base_url"?',
    ],
    ['summarizer', { summarizer: { groups: [] } }, 'summarizer.groups', 'did you mean "summary_groups"?'],
  ])('of %s: $2', (_, config, where, fix) => {
    expect(() => checkConfig(config)).toThrow(mistake(`config.${where}`, fix))
  })

  test('also if the model has another type, which does not read it', () => {
    expect(() => checkConfig({ models: [{ type: 'gguf', path: 'm', url: 'x' }] })).toThrow(
      mistake('config.models[0].url', 'write it as base_url, for models of type "openai"'),
    )
  })
})

describe('a key that nothing reads is listed with the reason', () => {
  test('because it is for another program', () => {
    const { unused } = checkConfig({ models: [{ type: 'HuggingFaceCausalLM', model_kwargs: {}, generation_kwargs: { typical_p: 0.5 } }] })
    expect(unused).toEqual([
      { where: 'config.models[0].model_kwargs', why: 'Rolecall does not load the weights: a server or llama.cpp does' },
      {
        where: 'config.models[0].generation_kwargs.typical_p',
        why: 'Rolecall does not sample with it; for a server, write it in extra_body of the model',
      },
    ])
  })

  test('because it is for another type, or unknown', () => {
    expect(checkConfig({ models: [{ type: 'gguf', retries: 3, favourite_colour: 1 }] }).unused).toEqual([
      { where: 'config.models[0].retries', why: 'it is for models of type "openai"' },
      { where: 'config.models[0].favourite_colour', why: 'nothing here reads it' },
    ])
  })

  test("and a class of OpenCompass has its own keys, which may be other programs' names", () => {
    const config = {
      models: [{ type: 'opencompass.models.LightllmAPI', url: 'http://x', max_tokens: 3 }],
      datasets: [{ type: 'SomeOtherDataset', num_samples: 5, infer_cfg }],
    }
    expect(checkConfig(config).unused.map(({ where }) => where)).toEqual([
      'config.models[0].url',
      'config.models[0].max_tokens',
      'config.datasets[0].num_samples',
    ])
  })

  test('and an imported config may have any key', () => {
    const config = model({ url: 'x', abr: 'y' })
    expect(checkConfig(config, 'config', { foreignKeys: true }).unused).toHaveLength(2)
  })

  test('and single letters are not similar to anything', () => {
    expect(checkConfig(dataset({ x: 1 })).unused).toHaveLength(1)
  })
})

test('other names are not keys, and the keys they map to exist', () => {
  const places = { ...knownKeys, model: { ...keysOfModel({ type: 'openai' }), otherNames: otherNames.model } }
  for (const [place, { known, otherNames: names }] of Object.entries(places)) {
    expect({ place, both: Object.keys(names).filter((name) => known.includes(name)) }).toEqual({ place, both: [] })
    const lost = Object.values(names).filter((meant) => !/[ .]/.test(meant) && !known.includes(meant))
    expect({ place, lost }).toEqual({ place, lost: [] })
  }
  for (const keys of Object.values(ignoredKeys)) for (const why of Object.values(keys)) expect(why.length).toBeGreaterThan(10)
})

test('the embedded model says that add_bos_token has no effect on it, and models with files read it', () => {
  const unused = (type: string) => checkConfig({ models: [{ abbr: 'm', type, path: 'm', add_bos_token: true }] }).unused
  expect(unused('embedded')).toEqual([
    { where: 'config.models[0].add_bos_token', why: expect.stringContaining('only where the format writes it') },
  ])
  expect(unused('openai')).toEqual([])
})

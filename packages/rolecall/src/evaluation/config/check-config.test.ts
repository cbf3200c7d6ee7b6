import { describe, expect, test } from 'vitest'
import { checkConfig } from './check-config.ts'

const mistake = (details: object) => expect.objectContaining(details)
const placesOf = (unused: readonly { where: string }[]) => unused.map(({ where }) => where)
const infer_cfg = { prompt_template: { template: '{question}' } }

test('an empty config has no models and no datasets', () => {
  expect(checkConfig({})).toEqual({ models: [], datasets: [], warnings: [], unused: [] })
})

test('a config is returned complete, including keys that are only passed through', () => {
  const model = { abbr: 'a', type: 'x', meta_template: { round: [] }, batch_size: 8 }
  const dataset = { abbr: 'd', infer_cfg, eval_cfg: { evaluator: {} }, name: 'all' }
  expect(checkConfig({ models: [model], datasets: [dataset] })).toMatchObject({ models: [model], datasets: [dataset] })
})

describe('keys', () => {
  test('that other systems use are listed with their places', () => {
    const config = { models: [{}, { temperature: 0, batch_size: 8 }], datasets: [{ infer_cfg, name: 'all', num_splits: 1 }] }
    expect(placesOf(checkConfig(config).unused)).toEqual([
      'config.models[1].batch_size',
      'config.datasets[0].name',
      'config.datasets[0].num_splits',
    ])
  })

  test('that are about servers are listed if the model runs locally', () => {
    const model = { base_url: 'http://127.0.0.1/v1', batch_size: 8, retry: 2 }
    const { unused } = checkConfig({
      models: [
        { type: 'openai', ...model },
        { type: 'HuggingFaceCausalLM', ...model },
      ],
    })
    expect(placesOf(unused)).toEqual(['config.models[1].base_url', 'config.models[1].batch_size', 'config.models[1].retry'])
  })

  test('of servers are removed with a warning', () => {
    const models = ['ENV', 'sk-1234', ['sk-1', 'sk-2']].map((key) => ({ type: 'OpenAI', path: 'gpt', key }))
    const checked = checkConfig({ models })
    expect(checked.models).toEqual([models[0], { type: 'OpenAI', path: 'gpt' }, { type: 'OpenAI', path: 'gpt' }])
    expect(checked.warnings.map(({ where }) => where)).toEqual(['config.models[1].key', 'config.models[2].key'])
    expect(JSON.stringify(checked)).not.toContain('sk-')
  })

  test('that are unknown are listed, too, unless they are similar to a known one', () => {
    expect(placesOf(checkConfig({ models: [{ favourite_colour: 'blue', '1 2': 3 }] }).unused)).toEqual([
      'config.models[0].favourite_colour',
      'config.models[0]["1 2"]',
    ])
  })

  test('that are similar to a known one are refused', () => {
    expect(() => checkConfig({ models: [{ abr: 'x' }] })).toThrow(
      mistake({ code: 'unknown-key', where: 'config.models[0].abr', fix: expect.stringContaining('did you mean "abbr"?') }),
    )
    expect(() => checkConfig({ models: [{ metaTemplate: {} }] })).toThrow(mistake({ where: 'config.models[0].metaTemplate' }))
    expect(() => checkConfig({ datasets: [{ infer_cfg, reader_cgf: {} }] })).toThrow(
      mistake({ where: 'config.datasets[0].reader_cgf', fix: expect.stringContaining('did you mean "reader_cfg"?') }),
    )
    expect(() => checkConfig({ datasets: [{ infer_cfg, reader_cfg: { input_column: ['a'] } }] })).toThrow(
      mistake({ where: 'config.datasets[0].reader_cfg.input_column', fix: expect.stringContaining('did you mean "input_columns"?') }),
    )
    expect(() => checkConfig({ datasets: [{ infer_cfg: { prompt_templates: {} } }] })).toThrow(
      mistake({ where: 'config.datasets[0].infer_cfg.prompt_templates', fix: expect.stringContaining('did you mean "prompt_template"?') }),
    )
  })

  test('of the retriever and the inferencer are checked, too', () => {
    expect(() => checkConfig({ datasets: [{ infer_cfg: { retriever: { ice_seperator: '' } } }] })).toThrow(
      mistake({ code: 'unknown-key', where: 'config.datasets[0].infer_cfg.retriever.ice_seperator' }),
    )
    expect(() => checkConfig({ datasets: [{ infer_cfg: { inferencer: { label: [] } } }] })).toThrow(
      mistake({ code: 'unknown-key', where: 'config.datasets[0].infer_cfg.inferencer.label' }),
    )
    const config = {
      datasets: [{ reader_cfg: { train_split: 'dev' }, infer_cfg: { retriever: { ice_num: 5 }, inferencer: { max_out_len: 9 } } }],
    }
    expect(placesOf(checkConfig(config).unused)).toEqual(['config.datasets[0].reader_cfg.train_split'])
  })

  test('of the config itself must be known', () => {
    expect(() => checkConfig({ model: [] })).toThrow(
      mistake({ code: 'unknown-key', where: 'config.model', fix: expect.stringContaining('did you mean "models"?') }),
    )
    expect(() => checkConfig({ runner: {} })).toThrow(mistake({ code: 'unknown-key', where: 'config.runner' }))
  })
})

describe('mistakes are reported with their place', () => {
  test('in models and datasets', () => {
    expect(() => checkConfig({ models: {} })).toThrow(mistake({ code: 'wrong-type', where: 'config.models' }))
    expect(() => checkConfig({ models: [{ abbr: 3 }] })).toThrow(mistake({ code: 'wrong-type', where: 'config.models[0].abbr' }))
    expect(() => checkConfig({ models: [{ max_seq_len: 0 }] })).toThrow(
      mistake({ code: 'wrong-value', where: 'config.models[0].max_seq_len', fix: 'use a number above 0, such as 1' }),
    )
    expect(() => checkConfig({ datasets: [{ infer_cfg, compat: 'openCompass' }] })).toThrow(
      mistake({ code: 'wrong-value', where: 'config.datasets[0].compat', fix: expect.stringContaining('"opencompass"') }),
    )
    expect(() => checkConfig({ datasets: [{}] })).toThrow(mistake({ code: 'missing', where: 'config.datasets[0].infer_cfg' }))
    expect(() => checkConfig({ datasets: [{ infer_cfg: { retriever: { fix_id_list: [1.5] } } }] })).toThrow(
      mistake({ where: 'config.datasets[0].infer_cfg.retriever.fix_id_list[0]' }),
    )
  })

  test('under the name of the file', () => {
    expect(() => checkConfig({ models: 3 }, 'rolecall.config.json')).toThrow(mistake({ where: 'rolecall.config.json.models' }))
  })

  test('except in templates and formats, which are checked when they are compiled', () => {
    expect(checkConfig({ models: [{ meta_template: 'nonsense' }], datasets: [{ infer_cfg: { prompt_template: 3 } }] }).unused).toEqual([])
  })
})

test('two models or two datasets cannot have the same name', () => {
  expect(() => checkConfig({ models: [{ abbr: 'a' }, { abbr: 'b' }, { abbr: 'a' }] })).toThrow(
    mistake({ code: 'duplicate-name', where: 'config.models[2].abbr', problem: '"a" is already the name of config.models[0]' }),
  )
  expect(() =>
    checkConfig({
      datasets: [
        { abbr: 'a', infer_cfg },
        { abbr: 'a', infer_cfg },
      ],
    }),
  ).toThrow(mistake({ code: 'duplicate-name' }))
  expect(checkConfig({ models: [{ abbr: 'a' }, {}, {}], datasets: [{ abbr: 'a', infer_cfg }] }).models).toHaveLength(3)
})

test('a key that JavaScript would swallow is reported at any depth', () => {
  const places = [
    ['models', 0],
    ['datasets', 0, 'reader_cfg'],
    ['datasets', 0, 'rows', 0],
    ['models', 0, 'headers'],
  ] as const
  for (const place of places) {
    const config = { models: [{ headers: {} }], datasets: [{ infer_cfg, reader_cfg: {}, rows: [{}] }] }
    const at = place.reduce((value: unknown, key) => (value as Record<string | number, unknown>)[key], config)
    Object.defineProperty(at, '__proto__', { value: { b: 1 }, enumerable: true })
    expect(() => checkConfig(config)).toThrow(mistake({ code: 'unknown-key', where: expect.stringMatching(/\.__proto__$/) }))
  }
  expect('b' in {}).toBe(false)
})

describe('a value that contains itself', () => {
  test('is refused with its place', () => {
    const model: Record<string, unknown> = { abbr: 'a' }
    model.generation_kwargs = { list: [model] }
    expect(() => checkConfig({ models: [model] })).toThrow(
      mistake({ code: 'circular', where: 'config.models[0].generation_kwargs.list[0]', problem: 'an object contains itself' }),
    )
    const list: unknown[] = []
    list.push(list)
    expect(() => checkConfig({ models: list })).toThrow(
      mistake({ code: 'circular', where: 'config.models[0]', problem: 'a list contains itself' }),
    )
  })

  test('is different from a value that is used twice', () => {
    expect(checkConfig({ models: [{ abbr: 'a', gen_config: infer_cfg }], datasets: [{ infer_cfg }, { infer_cfg }] }).datasets).toHaveLength(
      2,
    )
  })
})

test('fields outside the declared columns are warnings', () => {
  const dataset = {
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: '{qestion} {answer}' } },
  }
  expect(checkConfig({ datasets: [{ infer_cfg }, dataset] }).warnings).toEqual([
    {
      code: 'undeclared-field',
      where: 'config.datasets[1].infer_cfg.prompt_template.template',
      text: '{qestion} is not among the declared columns (question, answer); did you mean {question}?',
    },
  ])
})

test('a file of rows that is ignored because the config contains rows is a warning', () => {
  const { warnings } = checkConfig({ datasets: [{ infer_cfg, rows: [{ question: 'a' }], path: 'rows.jsonl' }] })
  expect(warnings).toMatchObject([{ code: 'two-sources', where: 'config.datasets[0].path' }])
  expect(checkConfig({ datasets: [{ infer_cfg, rows: [], train_path: 'rows.jsonl' }] }).warnings).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { choosePairs } from './choose-pairs.ts'

const config = {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
  datasets: [
    { abbr: 'sums', rows: [{ q: '1+1' }], infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'GenInferencer' } } },
  ],
}
const names = (selection: object) => choosePairs(config, selection).map(({ name }) => name)

test('every model runs in each named format', () => {
  expect(names({ formats: 'chatml, plain' })).toEqual([
    { model: 'tiny', format: 'chatml', dataset: 'sums' },
    { model: 'tiny', format: 'plain', dataset: 'sums' },
  ])
  expect(names({})).toEqual([{ model: 'tiny', dataset: 'sums' }])
})

test.for([',', '', ' , '])('--formats %j names none, which is an error', (formats) => {
  expect(() => names({ formats })).toThrow('--formats: it names no format. Write e.g. --formats chatml,plain')
})

test('a name that is given twice is an error: both would be recorded under one name', () => {
  expect(() => names({ formats: 'plain,chatml,plain' })).toThrow('--formats: "plain" is named twice. Name it once')
  expect(() => names({ models: 'tiny,tiny' })).toThrow('--models: "tiny" is named twice')
  expect(() => names({ datasets: 'sums, sums' })).toThrow('--datasets: "sums" is named twice')
})

describe('combinations of models and datasets', () => {
  const infer_cfg = { prompt_template: { template: '{q}' } }
  const config = {
    models: ['a', 'b'].map((abbr) => ({ abbr, type: 'embedded' })),
    datasets: ['x', 'y'].map((abbr) => ({ abbr, rows: [{ q: '1' }], infer_cfg })),
  }
  const named = (combinations: { models: string[]; datasets: string[] }[], selection = {}) =>
    choosePairs({ ...config, model_dataset_combinations: combinations }, selection).map(({ name }) => `${name.model}-${name.dataset}`)

  test('only these pairs run, each once', () => {
    const combinations = [
      { models: ['a'], datasets: ['x'] },
      { models: ['b', 'a'], datasets: ['y'] },
      { models: ['a'], datasets: ['x', 'y'] },
    ]
    expect(named(combinations)).toEqual(['a-x', 'a-y', 'b-y'])
    expect(named(combinations, { models: 'b' })).toEqual(['b-y'])
  })

  test('an unknown name is refused with its place', () => {
    expect(() => named([{ models: ['a'], datasets: ['z'] }])).toThrow(/model_dataset_combinations\[0\]\.datasets.*"z"/s)
  })
})

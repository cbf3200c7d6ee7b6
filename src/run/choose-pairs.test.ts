import { expect, test } from 'vitest'
import { choosePairs } from './choose-pairs.ts'

const config = {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
  datasets: [
    { abbr: 'sums', rows: [{ q: '1+1' }], infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'GenInferencer' } } },
  ],
}
const names = (selection: object) => choosePairs(config, selection).map(({ name }) => name)

test('every model is asked in each format that is named', () => {
  expect(names({ formats: 'chatml, plain' })).toEqual([
    { model: 'tiny', format: 'chatml', dataset: 'sums' },
    { model: 'tiny', format: 'plain', dataset: 'sums' },
  ])
  expect(names({})).toEqual([{ model: 'tiny', dataset: 'sums' }])
})

test.for([',', '', ' , '])('--formats %j names none, which is an error', (formats) => {
  expect(() => names({ formats })).toThrow('--formats: it names no format. Write e.g. --formats chatml,plain')
})

test('what is named twice is an error: both would be kept under one name', () => {
  expect(() => names({ formats: 'plain,chatml,plain' })).toThrow('--formats: "plain" is named twice. Name it once')
  expect(() => names({ models: 'tiny,tiny' })).toThrow('--models: "tiny" is named twice')
  expect(() => names({ datasets: 'sums, sums' })).toThrow('--datasets: "sums" is named twice')
})

import { expect, test } from 'vitest'
import { folderWith } from '../proof/testing/folder-with.ts'
import { openCompassConfigs, openCompassFolder } from '../proof/testing/opencompass-folder.ts'
import { checkoutLines, openCompassTable } from './opencompass-configs.ts'

test('the table says what preparing the configs of a checkout says', async () => {
  const lines = await checkoutLines(folderWith(openCompassFolder))
  expect(lines.map(({ config }) => config).toSorted()).toEqual(openCompassConfigs.toSorted())
  expect(lines.find(({ config }) => config === 'mmlu_gen')).toMatchObject({
    datasets: 2,
    loader: ['MMLUDataset'],
    evaluator: ['AccEvaluator'],
  })
  expect(new Set(lines.map(({ word }) => word))).toEqual(new Set(['not checked']))
})

test('the page names the commit and its counts', () => {
  expect(openCompassTable('en')).toMatch(/^OpenCompass \d[\d.]*, commit `[0-9a-f]{12}`: of \d+ dataset configs, \d+ are prepared/)
  expect(openCompassTable('zh')).toMatch(/^OpenCompass \d[\d.]*，提交 `[0-9a-f]{12}`/)
})

test('a folder that is not OpenCompass is reported', async () => {
  await expect(checkoutLines(folderWith({}))).rejects.toThrow('has no opencompass/configs/datasets')
})

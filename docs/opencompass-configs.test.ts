import { expect, test } from 'vitest'
import { folderWith } from '../testing/folder-with.ts'
import { openCompassConfigs, openCompassFolder } from '../testing/opencompass-folder.ts'
import { configLines, mostUsedConfigs } from './opencompass-configs.ts'

test("with OpenCompass's files the table is made from them, and they name what the table says without them", () => {
  const fromFiles = configLines(folderWith(openCompassFolder))
  const fromNames = configLines(undefined)
  expect(Object.keys(mostUsedConfigs)).toHaveLength(40)
  for (const name of openCompassConfigs) {
    const ofFiles = fromFiles.find(({ config }) => config === name)!
    const ofNames = fromNames.find(({ config }) => config === name)!
    expect({ name, evaluator: ofFiles.evaluator.toSorted(), loader: ofFiles.loader, runs: ofFiles.runsAsItIs }).toEqual({
      name,
      evaluator: ofNames.evaluator.toSorted(),
      loader: ofNames.loader,
      runs: true,
    })
  }
  expect(fromFiles.find(({ config }) => config === 'mmlu_gen')!.datasets).toBe(2)
})

test('a folder that is not OpenCompass is told', () => {
  expect(() => configLines(folderWith({}))).toThrow('has no opencompass/configs/datasets')
})

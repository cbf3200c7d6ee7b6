import { expect, test } from 'vitest'
import { settingsThatDiffer } from './settings.ts'

test('settings of models are distinguished from those of datasets with the same name', () => {
  const models = ['small', 'large'].map((path) => ({ name: path, config: { abbr: path, path, max_out_len: 8 } }))
  const datasets = [{ name: 'sums', config: { path: 'sums.jsonl', infer_cfg: {} } }]
  const pairs = models.map(({ name }, modelIndex) => ({ model: name, dataset: 'sums', modelIndex, datasetIndex: 0 }))
  const site = {
    runs: [{ name: 'run', started: '', folder: '', place: '', config: 0, pairs }],
    configs: [{ name: 'config', models, datasets, warnings: [], unused: [] }],
  }
  expect(settingsThatDiffer(site, [0, 0], [0, 1])).toEqual(['model.path'])
})

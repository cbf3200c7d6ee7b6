import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { loadConfig } from './load-config.ts'

test('a misspelt DATASET_SOURCE is ignored, with a note if an OpenCompass class loads rows', async () => {
  const dataset = (more: object) => ({ infer_cfg: { prompt_template: { template: '{q}' } }, ...more })
  const folder = folderWith({
    'class.json': JSON.stringify({ models: [], datasets: [dataset({ abbr: 'g', type: 'GSM8KDataset', path: 'opencompass/gsm8k' })] }),
    'own.json': JSON.stringify({ models: [], datasets: [dataset({ abbr: 'o', rows: [{ q: 1 }] })] }),
  })
  const codes = async (name: string) => (await loadConfig(join(folder, name))).config.warnings.map(({ code }) => code)
  vi.stubEnv('DATASET_SOURCE', 'modelscope')
  expect(await codes('class.json')).toContain('dataset-source')
  expect(await codes('own.json')).not.toContain('dataset-source')
  vi.stubEnv('DATASET_SOURCE', 'ModelScope')
  expect(await codes('class.json')).not.toContain('dataset-source')
  vi.unstubAllEnvs()
  expect(await codes('class.json')).not.toContain('dataset-source')
})

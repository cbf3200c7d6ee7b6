import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

// `ctypes` is a module that only a real Python has.
const code = `
import ctypes, os
class Sums:
    @staticmethod
    def load(size):
        return [{'question': f'{i}+{i}=?', 'answer': 2 * i} for i in range(size)]
def right(prediction, reference, row):
    if row['answer'] == 2:
        os._exit(3)
    return {'score': 1, 'pid': os.getpid()}
def trim(text, to=3):
    print('trimming')
    return text[:to]
`
const dataset = {
  abbr: 'sums',
  type: 'own.py:Sums',
  size: 3,
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'GenInferencer' } },
  eval_cfg: { evaluator: { type: 'own.py:right' }, pred_postprocessor: { type: 'own.py:trim', to: 2 } },
}
const config = { models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 4 }], datasets: [dataset] }

describe("a config whose classes run in the user's own Python", () => {
  test('is run where it or a flag asks for that, and a class that ends the process costs one row', async () => {
    const folder = folderWith({ 'own.py': code, 'eval.json': JSON.stringify({ ...config, with_python: true }) })
    const { stderr, stdout } = await rolecall(['run', 'eval.json', '-w', 'out', '--json'], folder)
    expect(stderr).toContain('with your rights')
    const summary = JSON.parse(stdout) as { results: unknown[] }
    expect(summary.results).toMatchObject([
      { dataset: 'sums', rows: 3, failed: 1, notes: expect.arrayContaining([expect.objectContaining({ code: 'failed', rows: 1 })]) },
    ])
    const [time = ''] = readdirSync(`${folder}/out`)
    expect(JSON.parse(readFileSync(`${folder}/out/${time}/configs/programs.json`, 'utf8'))).toMatchObject({
      python: { python: expect.stringMatching(/^3\./) },
    })
    expect(readFileSync(`${folder}/out/${time}/configs/config.json`, 'utf8')).not.toContain('with_python')
  })

  test('is not executed otherwise', async () => {
    const folder = folderWith({ 'own.py': `open('executed', 'w')\n${code}`, 'eval.json': JSON.stringify(config) })
    const { code: exitCode, stderr } = await rolecall(['run', 'eval.json', '-w', 'out'], folder)
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('--with-python')
    expect(existsSync(`${folder}/executed`)).toBe(false)
  })
})

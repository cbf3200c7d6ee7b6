import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const round = (answer: string) => ({
  round: [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: answer },
  ],
})
const config = {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ question: '12+30=?', answer: '42' }],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { '42': round('42'), '7': round('7') } }, inferencer: { type: 'PPLInferencer' } },
    },
  ],
}

test('--log-probabilities sets how much is recorded; score reports what is missing', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const scores: unknown[] = []
  for (const kept of ['all', 'labels', 'none']) {
    const { code } = await rolecall(['run', '-w', kept, '--no-cache', '--log-probabilities', kept], folder)
    expect(code).toBe(0)
    const { stdout, stderr } = await rolecall(['score', kept, '--json'], folder)
    expect(stderr).toBe('')
    const [result] = JSON.parse(stdout).results
    expect(result.value).toBe(100)
    expect(result.notes.map(({ code: name }: { code: string }) => name)).toEqual(kept === 'all' ? [] : ['log-probabilities'])
    const [time] = readdirSync(join(folder, kept))
    const record = JSON.parse(readFileSync(join(folder, kept, time!, 'predictions/tiny/sums.jsonl'), 'utf8'))
    scores.push(record.scores?.map((one: object) => Object.keys(one)))
  }
  const labelled = ['label', 'value']
  expect(scores).toEqual([
    [
      [...labelled, 'log_probabilities'],
      [...labelled, 'log_probabilities'],
    ],
    [labelled, labelled],
    undefined,
  ])
})

test('a resumed run keeps the setting', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  await rolecall(['run', '-w', 'out', '--no-cache', '--log-probabilities', 'labels'], folder)
  const [time] = readdirSync(join(folder, 'out'))
  rmSync(join(folder, 'out', time!, 'predictions'), { recursive: true })
  const { code, stderr } = await rolecall(['run', '-w', 'out', '-r'], folder)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'out', time!, 'predictions/tiny/sums.jsonl'), 'utf8')).not.toContain('log_probabilities')
})

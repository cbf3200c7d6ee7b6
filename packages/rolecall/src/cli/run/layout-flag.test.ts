import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

const rows = [
  { question: '1+1=?', answer: 'A' },
  { question: '2+2=?', answer: 'B' },
  { question: '3+3=?', answer: 'C' },
]
const infer = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } }
const dataset = (abbr: string) => ({
  abbr,
  path: 'rows.jsonl',
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: infer,
  eval_cfg: { pred_postprocessor: { type: 'first_capital_postprocess' } },
})

async function ran(args: readonly string[] = []) {
  const server = await scriptedServer(({ body }) => ({
    json: {
      choices: [
        {
          message: {
            content: JSON.stringify(body).includes('3+3') ? 'D or Z' : JSON.stringify(body).includes('2+2') ? 'B or Z' : 'A or Z',
          },
          finish_reason: 'stop',
        },
      ],
    },
  }))
  const config = {
    models: [{ abbr: 'zoo/owl', type: 'openai', path: 'owl', base_url: server.url, max_out_len: 8 }],
    datasets: [dataset('sums'), dataset('more')],
    summarizer: { summary_groups: [{ name: 'all', subsets: ['sums', 'more'] }] },
  }
  const folder = folderWith({ 'eval.json': JSON.stringify(config), 'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') })
  const run = await rolecall(['run', 'eval.json', '--no-cache', '-w', 'out', ...args], folder)
  const [time = ''] = existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : []
  return { server, folder, run, time, path: join(folder, 'out', time) }
}
const json = (...parts: string[]) => JSON.parse(readFileSync(join(...parts), 'utf8'))

test("--layout opencompass writes OpenCompass's predictions, results and summary; own records are in rolecall/", async () => {
  const { server, folder, run, time, path } = await ran(['--layout', 'opencompass'])
  expect(run.code, run.stderr).toBe(0)
  const predictions = json(path, 'predictions/zoo_owl/sums.json')
  expect(Object.keys(predictions)).toEqual(['0', '1', '2'])
  expect(predictions['2']).toEqual({ origin_prompt: [{ role: 'HUMAN', prompt: '3+3=?' }], prediction: 'D or Z', gold: 'C' })
  const { details, ...metrics } = json(path, 'results/zoo_owl/sums.json')
  expect(metrics.accuracy).toBeCloseTo(200 / 3)
  expect(details.type).toBe('GEN')
  expect(details['2']).toMatchObject({ origin_prediction: 'D or Z', predictions: 'D', references: 'C', correct: false })
  expect(readdirSync(join(path, 'predictions/zoo_owl')).sort()).toEqual(['more.json', 'sums.json'])
  const summary = readFileSync(join(path, `summary/summary_${time}.csv`), 'utf8').split('\n')
  expect(summary[0]).toBe('dataset,version,metric,mode,zoo/owl')
  expect(summary[1]).toMatch(/^sums,[0-9a-f]{6},accuracy,gen,66\.67$/)
  expect(summary[3]).toBe('all,-,naive_average,gen,66.67')
  expect(readFileSync(join(path, `summary/summary_${time}.md`), 'utf8')).toContain('| all | - | naive_average | gen | 66.67 |')
  expect(readdirSync(join(path, 'rolecall/predictions/zoo_owl'))).toContain('sums.jsonl')

  // It is still a run of ours: nothing is sent again, and another rule rewrites OpenCompass's results, too.
  const asked = server.seen.length
  const again = await rolecall(['run', 'eval.json', '--no-cache', '-w', 'out', '-r'], folder)
  expect(again.code, again.stderr).toBe(0)
  expect(server.seen).toHaveLength(asked)
  const scored = await rolecall(['score', path, '--postprocessor', 'last_capital_postprocess'], folder)
  expect(scored.code, scored.stderr).toBe(0)
  expect(json(path, 'results/zoo_owl/sums.json').accuracy).toBe(0)

  // Without our own files it reads as a work dir of OpenCompass.
  for (const part of ['predictions', 'results']) cpSync(join(path, part), join(folder, 'work', time, part), { recursive: true })
  const read = await rolecall(
    ['score', join('work', time), '--postprocessor', 'first_capital_postprocess', '--evaluator', 'AccEvaluator', '--json'],
    folder,
  )
  expect(read.code, read.stderr).toBe(0)
  expect(JSON.parse(read.stdout).results.map(({ value }: { value: number }) => Math.round(value))).toEqual([67, 67])
  await server.close()
})

test('answers without a score are predictions, without results; a run keeps the layout that it was started with', async () => {
  const { server, folder, run, path } = await ran(['--layout', 'opencompass', '--no-score'])
  expect(run.code, run.stderr).toBe(0)
  expect(json(path, 'predictions/zoo_owl/more.json')['0'].prediction).toBe('A or Z')
  expect(existsSync(join(path, 'results'))).toBe(false)
  const plain = await rolecall(['run', 'eval.json', '--no-cache', '-w', 'plain'], folder)
  expect(plain.code, plain.stderr).toBe(0)
  const changed = await rolecall(['run', 'eval.json', '--no-cache', '-w', 'plain', '-r', '--layout', 'opencompass'], folder)
  expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('--export-format opencompass') })
  await server.close()
})

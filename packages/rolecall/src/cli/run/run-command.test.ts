import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const config = {
  models: [{ abbr: '小模型', type: 'embedded', format: 'internlm2', max_out_len: 6 }],
  datasets: [
    {
      abbr: '加法',
      path: 'sums.csv',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template: {
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
      },
    },
  ],
}
const files = { 'rolecall.config.json': JSON.stringify(config), 'sums.csv': 'question,answer\n12+30=?,42\n1+1=?,2\n2+2=?,5\n' }

describe('rolecall run', () => {
  test('runs the models and writes config, predictions and summary', async () => {
    const folder = folderWith(files)
    const { code, stdout, stderr } = await rolecall(['run', '-w', 'results'], folder)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '\nnext  rolecall view results    the wrong row first\n',
    })
    expect(stdout).toMatch(
      /^加法 · 3 rows · accuracy % \[95 % interval\]\n\n小模型 {2}█████▍·· {2}66\.7 {2}\[20\.8, 93\.9\]\n\n3 rows in .* · results\/\d+_\d+\n$/,
    )
    const [run] = readdirSync(join(folder, 'results'))
    expect(run).toMatch(/^\d{8}_\d{6}$/)
    const written = (name: string) => readFileSync(join(folder, 'results', run!, name), 'utf8')
    const lines = written('predictions/小模型/加法.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { id: 0, prediction: '42', gold: '42', score: 1, finish: 'stop' },
      { id: 1, prediction: '2', score: 1 },
      { id: 2, prediction: '4', gold: '5', score: 0 },
    ])
    expect(JSON.parse(written('summary/summary.json'))).toMatchObject({ results: [{ model: '小模型', dataset: '加法', rows: 3 }] })
    expect(written('summary/summary.md')).toContain('| 小模型 | 66.7 \\[20.8, 93.9\\] |')
    expect(JSON.parse(written('configs/config.json'))).toMatchObject({ datasets: [{ path: 'sums.csv' }] })
  })

  test('prints the summary as JSON, and limits the rows', async () => {
    const { code, stdout } = await rolecall(['run', '--limit', '1', '--json', '--prompts'], folderWith(files))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ value: 100, rows: 1, tokens: { reply: 2 } }] })
  })

  test('--dry-run shows the requests without sending them', async () => {
    const folder = folderWith(files)
    const { code, stdout } = await rolecall(['run', '--dry-run'], folder)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `model   dataset  rows  prompts  tokens  longest  generated ≤
小模型  加法        3        3      41       15           18

settings: max_out_len 6 (model) · temperature 0 (default)
`,
    })
    expect(existsSync(join(folder, 'outputs'))).toBe(false)
    expect(JSON.parse((await rolecall(['run', '--dry-run', '--json'], folder)).stdout)).toMatchObject([{ rows: 3, prompts: 3, tokens: 41 }])
  })
})

describe('mistakes are reported before the first request', () => {
  const refusal = async (change: (config: { models: object[]; datasets: Record<string, unknown>[] }) => void, args: string[] = []) => {
    const changed = structuredClone(config)
    change(changed)
    const folder = folderWith({ ...files, 'rolecall.config.json': JSON.stringify(changed) })
    const { code, stderr } = await rolecall(['run', ...args], folder)
    expect(existsSync(join(folder, 'outputs'))).toBe(false)
    return { code, stderr }
  }

  test('a model without a runtime', async () => {
    expect(await refusal(({ models }) => void models.push({ abbr: 'opus', type: 'Claude', format: 'messages' }))).toEqual({
      code: 2,
      stderr: `error opus › type
  nothing here can run a model of type "Claude"
  → set type to "embedded" or "gguf" or "openai" or "anthropic" or "google", or look at its prompts with \`rolecall render\`
`,
    })
  })

  test('a judge without a runtime, or with an invalid setting', async () => {
    const judgedBy = (judge_cfg: object) =>
      refusal(
        ({ datasets }) => {
          datasets[0]!.eval_cfg = { evaluator: { type: 'GenericLLMEvaluator', prompt_template: { template: '{prediction}' }, judge_cfg } }
        },
        ['--dry-run'],
      )
    const untyped = await judgedBy({})
    expect(untyped.code).toBe(2)
    expect(untyped.stderr).toContain('eval_cfg.evaluator.judge_cfg › type\n  the model has no type')
    expect((await judgedBy({ type: 'openai', temperature: 'hot' })).stderr).toContain('eval_cfg.evaluator.judge_cfg.temperature')
    expect((await judgedBy({ type: 'openai', pth: 'm' })).stderr).toContain('did you mean "path"?')
  })

  test('unknown names', async () => {
    expect(await refusal(() => undefined, ['--datasets', '减法'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no "减法"'),
    })
    expect(await refusal(() => undefined, ['--limit', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected a number of rows'),
    })
  })

  test('no models', async () => {
    expect(await refusal(({ models }) => void models.splice(0))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the config has no models'),
    })
  })
})

test('a bad row is reported with its file and line, before any request', async () => {
  const folder = folderWith({ ...files, 'sums.csv': 'question,answer\n1+1=?,2\n2+2=?,4,5\n' })
  const { code, stderr } = await rolecall(['run'], folder)
  expect(code).toBe(2)
  expect(stderr).toContain('sums.csv:3')
})

test('a dataset without rows is an error that names its file; a shard may be empty', async () => {
  const folder = folderWith({ ...files, 'sums.csv': 'question,answer\n' })
  const { code, stdout, stderr } = await rolecall(['run'], folder)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(
    'error sums.csv (dataset 加法)\n  the file has no rows\n  → give it rows, or choose other datasets with --datasets',
  )
  expect((await rolecall(['run', '--shard', '9/9'], folderWith(files))).code).toBe(0)
  expect(await rolecall(['run', '--dry-run'], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('skipped, no rows: 小模型 on 加法 (sums.csv)'),
  })
}, 30_000)

test('a dry run of a shard counts only its rows', async () => {
  const rows = async (...flags: string[]) => {
    const { stdout } = await rolecall(['run', '--dry-run', '--json', ...flags], folderWith(files))
    return (JSON.parse(stdout) as { rows: number }[])[0]!.rows
  }
  const all = await rows()
  expect(all).toBeGreaterThan(1)
  expect((await rows('--shard', '1/2')) + (await rows('--shard', '2/2'))).toBe(all)
  expect(await rows('--shard', '1/2')).toBe(Math.ceil(all / 2))
}, 30_000)

test('a config after -r is not mistaken for a run', async () => {
  const { code, stderr } = await rolecall(['run', '-r', 'q.yaml'], folderWith(files))
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('the config comes first: rolecall run q.yaml -r') })
})

test('--retry-errors needs a run to resume', async () => {
  const { code, stderr } = await rolecall(['run', '--retry-errors'], folderWith(files))
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('a new run has no rows that failed before') })
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { runEvaluation } from './run-evaluation.ts'
import { openRun } from './run-reader.ts'

const pair = (model: string, dataset: string, format?: string) => ({
  ...{ model, format, dataset },
  predictions: `predictions/${model}-${format}/${dataset}.jsonl`,
  results: `results/${model}-${format}/${dataset}.json`,
})
const info = {
  ...{ version: 2, name: 'r', started: '2026-01-01T00:00:00.000Z', rolecall: '1.0.0', folder: '/', options: {} },
  pairs: [pair('tiny', 'sums'), pair('tiny', 'sums', 'chatml'), pair('tiny', 'mmlu'), pair('qwen-8b', 'mmlu'), pair('qwen-1b', 'mmlu')],
}
const runWith = (files: Readonly<Record<string, string>>) => openRun(folderWith({ 'configs/run.json': JSON.stringify(info), ...files }))

test('nothing is read before it is asked for', async () => {
  const run = runWith({ 'configs/config.json': '{', 'summary/summary.json': '{', 'configs/setup.json': '{' })
  expect(run.pairs).toHaveLength(5)
  expect(run.pairs[0]!.result()).toBeUndefined()
  expect(() => run.pairs[0]!.rows().next()).toThrow(expect.objectContaining({ code: 'no-row' }))
  const missing = openRun(join(run.folder, 'none'))
  expect(() => missing.info).toThrow(expect.objectContaining({ code: 'no-run', problem: 'there is no such folder' }))
  await expect(missing.config()).rejects.toMatchObject({ code: 'no-run' })
})

describe('a choice of pairs', () => {
  const run = runWith({})
  const chosen = (choice: object) => run.select(choice).map((one) => [one.model, one.format, one.dataset].filter(Boolean).join(' '))

  test('names models and datasets as they are shown, or with patterns; a name is not a pattern', () => {
    expect(chosen({})).toHaveLength(5)
    expect(chosen({ model: 'tiny' })).toEqual(['tiny sums', 'tiny mmlu'])
    expect(chosen({ model: 'tiny as chatml' })).toEqual(['tiny chatml sums'])
    expect(chosen({ model: 'qwen*', dataset: 'm?lu' })).toEqual(['qwen-8b mmlu', 'qwen-1b mmlu'])
    expect(chosen({ model: 'qwen' })).toEqual([])
    expect(chosen({ dataset: 'mmlu', pair: 3 })).toEqual(['qwen-8b mmlu'])
  })

  test('must be one pair where one is read; the error lists them', () => {
    expect(run.pair({ model: '*1b' }).model).toBe('qwen-1b')
    expect(() => run.pair({ model: 'qwen*' }, 'mine')).toThrow(
      expect.objectContaining({ code: 'several-pairs', where: 'mine', fix: expect.stringContaining('mine#NAME: tiny on sums') }),
    )
    expect(() => run.pair({ dataset: 'gsm8k' })).toThrow(expect.objectContaining({ code: 'no-pair' }))
  })

  test('with all parts of a name is exact', () => {
    expect(run.find({ model: 'tiny', format: 'chatml', dataset: 'sums' })).toBe(run.pairs[1])
    expect(run.find({ model: 'tiny', dataset: 's*' })).toBeUndefined()
  })
})

test('damaged files are errors with their path and a remedy', async () => {
  const damaged = (name: string, fix: RegExp) =>
    expect.objectContaining({ code: 'bad-run', where: expect.stringMatching(new RegExp(`${name}$`)), fix: expect.stringMatching(fix) })
  const broken = ['configs/config.json', 'configs/setup.json', 'summary/summary.json', info.pairs[0]!.results]
  const run = runWith(Object.fromEntries(broken.map((name) => [name, '{"a": 1'])))
  await expect(run.config()).rejects.toEqual(damaged('config.json', /rolecall run CONFIG -r/))
  expect(() => run.foreign).toThrow(damaged('setup.json', /remove the folder/))
  expect(() => run.summary()).toThrow(damaged('summary.json', /rolecall score/))
  expect(() => run.pairs[0]!.result()).toThrow(damaged('sums.json', /rolecall score/))
  writeFileSync(join(run.folder, 'configs/run.json'), '[')
  expect(() => openRun(run.folder).info).toThrow(damaged('run.json', /move the run folder away/))
})

describe('a pair', async () => {
  const questions = ['1+1=?', '2+2=?', '3+3=?']
  const rows = (given: readonly string[]) => given.map((question) => `${JSON.stringify({ question, answer: '4' })}\n`).join('')
  const home = folderWith({ 'rows.jsonl': rows(questions) })
  const { folder } = await runEvaluation(
    {
      models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 2 }],
      datasets: [
        {
          abbr: 'sums',
          path: join(home, 'rows.jsonl'),
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
        },
      ],
    },
    { workDir: join(home, 'runs'), cache: false },
  )
  const promptsOf = async (ids: readonly number[]) => {
    const [opened, notes] = [openRun(folder).pair({}), [] as string[]]
    const wanted = [...opened.rows()].filter(({ id }) => ids.includes(id))
    const found: [number, string | undefined][] = []
    for await (const { record, sent } of opened.prompts((text) => notes.push(text), wanted)) found.push([record.id, sent?.text])
    return { found, notes }
  }
  const shown = (question: string) => `<s><|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`

  test('has rows, metrics, a set-up, and a plan of how it was run', async () => {
    const opened = openRun(folder).pair({ dataset: 'sums' })
    expect([...opened.rows()].map(({ id }) => id)).toEqual([0, 1, 2])
    expect(opened.result()).toMatchObject({ model: 'tiny', rows: 3 })
    expect(await opened.setup()).toMatchObject({ harness: 'rolecall', sampling: { max_tokens: 2 } })
    expect(await opened.planned()).toMatchObject({ name: { model: 'tiny', dataset: 'sums' } })
    expect(openRun(folder).isLive).toBe(false)
    expect(openRun(folder).notes()).toEqual([])
  })

  test('renders the prompts of some rows again, or of all', async () => {
    expect(await promptsOf([2])).toEqual({ found: [[2, shown('3+3=?')]], notes: [] })
    expect((await promptsOf([0, 1, 2])).found).toEqual(questions.map((question, id) => [id, shown(question)]))
  })

  test('has no prompts where the dataset has changed, and says so', async () => {
    writeFileSync(join(home, 'rows.jsonl'), rows(['1+1=?', '2 + 2 =?']))
    const { found, notes } = await promptsOf([0, 1, 2])
    expect(found).toEqual([
      [0, shown('1+1=?')],
      [1, undefined],
      [2, undefined],
    ])
    expect(notes).toEqual([expect.stringContaining('2 rows without their prompts')])
    rmSync(join(home, 'rows.jsonl'))
    expect((await promptsOf([0])).notes[0]).toContain('the rows of the dataset cannot be read again')
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { runCommand } from '../../../../docs/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-preset-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const part of ['dev', 'test']) mkdirSync(join(folder, 'mmlu', part), { recursive: true })
for (const subject of ['anatomy', 'virology']) {
  writeFileSync(join(folder, `mmlu/dev/${subject}_dev.csv`), 'What is the smallest number?,1,2,3,4,A\n')
  writeFileSync(join(folder, `mmlu/test/${subject}_test.csv`), 'What is the largest number?,1,2,3,4,D\n')
}
writeFileSync(join(folder, 'rolecall.config.yaml'), 'models:\n  - { abbr: tiny, type: embedded, format: internlm2, max_out_len: 4 }\n')
const run = (...words: string[]) => runCommand(words, folder)

test('presets lists the benchmarks and their files', async () => {
  expect(await run('presets')).toMatch(/^mmlu +[\d.]+ MB +5 {2}multiple choice in 57 subjects$/m)
  expect(await run('presets', 'mmlu')).toMatch(
    /^mmlu · MMLU: multiple choice in 57 subjects\n\nasked {2}by generation or perplexity, with 5 examples\nfrom {3}cais\/mmlu on Hugging Face, about [\d.]+ MB, MIT\nfiles {2}test\/\{subject\}_test\.csv\n/,
  )
  const blobs = join(folder, 'cache/hub/datasets--openai--gsm8k/blobs')
  mkdirSync(blobs, { recursive: true })
  writeFileSync(join(blobs, '0'.repeat(40)), 'x'.repeat(2000))
  vi.stubEnv('HF_HOME', join(folder, 'cache'))
  vi.stubEnv('HF_HUB_CACHE', undefined)
  expect(await run('presets', 'gsm8k')).toContain('openai/gsm8k on Hugging Face, about 2.7 MB (2 kB in the cache), MIT')
  vi.unstubAllEnvs()
  const list = JSON.parse(await run('presets', '--json'))
  expect(list.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['mmlu', 'ceval', 'gsm8k', 'bbh', 'humaneval']))
})

test('render shows the prompts of a preset', async () => {
  const words = ['render', '--preset', 'mmlu', '--data', 'mmlu', '--shots', '1', '--datasets', 'mmlu_virology', '--text']
  expect(await run(...words)).toContain('A. 1\nB. 2\nC. 3\nD. 4\nAnswer: <|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n')
})

test('render with a preset does not mention the built-in example, and shows the number of examples', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'rolecall-preset-alone-'))
  const words = ['render', '--preset', 'mmlu', '--data', join(folder, 'mmlu'), '--datasets', 'mmlu_virology']
  const shown = await runCommand([...words, '--shots', '1'], alone)
  expect(shown).toContain('What is the largest number?')
  expect(shown).not.toContain('This is the shipped example')
  expect(await runCommand(words, alone)).toMatch(/fix_id_list\[1\][\s\S]*show 1 example: `--shots 1` with a preset/i)
  rmSync(alone, { recursive: true })
})

test('run evaluates it, and shows the subjects as one metric', async () => {
  const { results, groups } = JSON.parse(await run('run', '--preset', 'mmlu', '--data', 'mmlu', '--mode', 'ppl', '--shots', '0', '--json'))
  expect(results).toMatchObject([
    { model: 'tiny', dataset: 'mmlu_anatomy_ppl', rows: 1 },
    { dataset: 'mmlu_virology_ppl', rows: 1 },
  ])
  expect(groups).toMatchObject([{ model: 'tiny', group: 'mmlu_ppl', datasets: ['mmlu_anatomy_ppl', 'mmlu_virology_ppl'] }])
}, 60_000)

test('an error names the flag', async () => {
  await expect(run('run', '--preset', 'mlu', '--data', 'mmlu')).resolves.toMatch(/--preset\n.*there is no preset "mlu"/)
  await expect(run('run', '--preset', 'mmlu', '--data', 'none')).resolves.toMatch(/--data\n.*there is no folder none/)
  await expect(run('run', '--data', 'mmlu')).resolves.toMatch(/--data\n.*this flag needs a preset/)
  await expect(run('render', '--shots', '3')).resolves.toMatch(/--shots\n.*this flag needs a preset/)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { ggufFile } from '../../../../../proof/testing/gguf-file.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const turns =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'

test('lint FILE prints findings with place, prompt and fix, and their count', async () => {
  const folder = folderWith({ 'own.jinja': turns })
  const { stdout, code } = await rolecall(['lint', 'own.jinja'], folder)
  expect(code).toBe(0)
  expect(stdout).toContain('warning  1:1  tools-dropped\n  the list of tools is silently dropped\n  → ')
  expect(stdout).toContain('→ write `tools` if they are given, or raise_exception')
  expect(stdout).toMatch(/^own\.jinja · 1 warning, 3 notes\n/)
})

test('a model folder is checked with its tokenizer settings', async () => {
  const folder = folderWith({
    'model/tokenizer_config.json': JSON.stringify({
      chat_template: `{{ bos_token }}${turns}`,
      bos_token: '<s>',
      eos_token: '</s>',
      add_bos_token: true,
    }),
  })
  const { stdout } = await rolecall(['lint', 'model', '--json', '--rule', 'bos-twice', 'stop-never-written'], folder)
  expect(JSON.parse(stdout).findings).toMatchObject([
    { rule: 'bos-twice', subject: 'model/tokenizer_config.json', part: 'chat_template', place: { line: 1, column: 4, code: 'bos_token' } },
    { rule: 'stop-never-written', problem: expect.stringContaining('"<|im_end|>", but generation stops at "</s>"') },
  ])
})

test('a GGUF file is checked with its own tokens', async () => {
  const folder = folderWith({})
  const metadata = {
    'tokenizer.chat_template': `{{ bos_token }}${turns}`,
    'tokenizer.ggml.tokens': ['<s>', '</s>', '<|im_start|>'],
    'tokenizer.ggml.token_type': [3, 3, 3],
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 1,
    'tokenizer.ggml.add_bos_token': true,
  }
  writeFileSync(join(folder, 'model.gguf'), ggufFile(metadata))
  const { stdout } = await rolecall(
    ['lint', 'model.gguf', '--json', '--rule', 'bos-twice', 'stop-never-written', 'marker-not-token'],
    folder,
  )
  expect(JSON.parse(stdout).findings).toMatchObject([
    { rule: 'bos-twice', subject: 'model.gguf', part: 'chat_template' },
    { rule: 'stop-never-written' },
    { rule: 'marker-not-token', problem: '"<|im_end|>" is not a token of the tokenizer' },
  ])
})

test('the exit code depends on the severity given by --fail-on', async () => {
  const folder = folderWith({ 'own.jinja': turns, 'bad.jinja': '{% for %}' })
  const codes = async (...args: string[]) => (await rolecall(['lint', ...args], folder)).code
  expect(await codes('own.jinja')).toBe(0)
  expect(await codes('own.jinja', '--fail-on', 'warning')).toBe(3)
  expect(await codes('bad.jinja')).toBe(3)
  expect(await codes('bad.jinja', '--fail-on', 'never')).toBe(0)
  expect(await codes('none.jinja')).toBe(2)
})

test('--sarif is SARIF 2.1.0', async () => {
  const folder = folderWith({ 'own.jinja': turns })
  const { stdout } = await rolecall(['lint', 'own.jinja', '--sarif'], folder)
  expect(JSON.parse(stdout)).toMatchObject({ version: '2.1.0', runs: [{ results: expect.arrayContaining([]) }] })
})

test('an unknown rule is an error in flags and configs', async () => {
  const config = { models: [], datasets: [], lint: { rules: { 'prefix-cash': 'off' } } }
  const folder = folderWith({ 'own.jinja': turns, 'rolecall.config.json': JSON.stringify(config) })
  const flag = await rolecall(['lint', 'own.jinja', '--rule', 'prefix-cash'], folder)
  expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('prefix-cache') })
  const key = await rolecall(['lint'], folder)
  expect(key).toMatchObject({ code: 2, stderr: expect.stringMatching(/lint\.rules[\s\S]*prefix-cache/) })
})

test('the templates of a config are checked, and disabled rules listed; other formats are named', async () => {
  const config = {
    models: [
      { abbr: 'one', type: 'embedded', chat_template: 'own.jinja' },
      { abbr: 'two', type: 'embedded', format: 'chatml' },
    ],
    lint: { rules: { 'tools-dropped': 'off', 'name-dropped': 'error' } },
  }
  const folder = folderWith({ 'own.jinja': turns, 'rolecall.config.json': JSON.stringify(config) })
  const { stdout, stderr, code } = await rolecall(['lint', '--json'], folder)
  const { findings, ignored } = JSON.parse(stdout)
  expect(code).toBe(3)
  expect(findings).toContainEqual(expect.objectContaining({ rule: 'name-dropped', severity: 'error', part: 'models[0].chat_template' }))
  expect(ignored).toMatchObject([{ rule: 'tools-dropped' }])
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'not-checked', severity: 'note', place: { kind: 'config', path: 'models[1]' } }),
  )
  expect(stderr).toBe('')
})

test('warnings about the config are findings: one count, and --fail-on applies', async () => {
  const dataset = {
    abbr: 'sums',
    rows: [{ q: '1+1=?' }],
    path: 'x.jsonl',
    colour: 'red',
    infer_cfg: { prompt_template: { template: '{q} {nope}' } },
  }
  const config = { models: [{ abbr: 'm', format: 'chatml' }], datasets: [dataset] }
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const { stdout, stderr, code } = await rolecall(['lint', '--fail-on', 'warning'], folder)
  const warnings = stdout.match(/^(?:warning| {9}) +\S/gm)?.length ?? 0
  expect(warnings).toBeGreaterThan(1)
  expect(stdout).toContain(`rolecall.config.json · ${warnings} warnings\n`)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^\nnext {2}rolecall lint --rule two-sources --full/)
})

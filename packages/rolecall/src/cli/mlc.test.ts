import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../../../docs/run-command.ts'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-mlc-'))
afterAll(() => rmSync(folder, { recursive: true }))

mkdirSync(join(folder, 'dist/vicuna'), { recursive: true })
mkdirSync(join(folder, 'dist/empty'))
writeFileSync(
  join(folder, 'dist/vicuna/mlc-chat-config.json'),
  '{ // compiled by MLC\n  "conv_template": "vicuna_v1.1",\n  "conv_config": { "system": "Be brief." },\n  "temperature": 0.7\n}',
)
writeFileSync(join(folder, 'dist/broken.json'), '{ "conv_template": }')
const dataset = `datasets:
  - abbr: sums
    rows: [{ question: 1+1=?, answer: "2" }]
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "{question}" }] } } }
`
writeFileSync(join(folder, 'rolecall.config.yaml'), `models:\n  - { abbr: own, mlc_config: dist/vicuna }\n${dataset}`)
writeFileSync(join(folder, 'wrong.yaml'), `models:\n  - { abbr: own, mlc_config: dist/empty }\n${dataset}`)
const run = (...words: string[]) => runCommand(words, folder)

describe('rolecall render with a conversation template', () => {
  test('by name', async () => {
    expect(await run('render', '--conv-template', 'redpajama_chat', '--text')).toBe('<human>: 1+1=?\n<bot>:')
  })

  test('uses an mlc-chat-config.json, given by file or folder, on the command line and in a config', async () => {
    const prompt = 'Be brief. USER: 1+1=? ASSISTANT:'
    expect(await run('render', '--mlc-config', 'dist/vicuna', '--text')).toBe(prompt)
    expect(await run('render', '--mlc-config', 'dist/vicuna/mlc-chat-config.json', '--text')).toBe(prompt)
    expect(await run('render', '--text')).toBe(prompt)
  })

  test('shows the leading BOS, and the source of each part', async () => {
    const [{ prompt }] = JSON.parse(await run('render', '--json'))
    expect(prompt.pieces.slice(0, 2)).toMatchObject([
      { ids: [1], source: { by: 'tokenizer', path: 'own › mlc_config.conv_template.add_bos' } },
      { text: 'Be brief.', source: { by: 'format', path: 'own › mlc_config.conv_config.system' } },
    ])
  })

  test('reports an invalid name, path or file', async () => {
    expect(await run('render', '--conv-template', 'vicuna')).toBe(
      'error --conv-template\n  there is no conversation template "vicuna"\n  → did you mean "vicuna_v1.1"? (`rolecall list formats` lists them all)\n',
    )
    expect(await run('render', '--mlc-config', 'nowhere')).toBe(
      'error --mlc-config\n  there is no file or folder nowhere\n  → give the path of a mlc-chat-config.json or of the folder it is in\n',
    )
    expect(await run('render', 'wrong.yaml')).toBe(
      'error own › mlc_config\n  the folder dist/empty has no mlc-chat-config.json\n  → give the path of a mlc-chat-config.json or of the folder it is in\n',
    )
    expect(await run('render', '--mlc-config', 'dist/broken.json')).toMatch(
      /^error dist\/broken\.json\n {2}this is not JSON \(.*line 1.*\)\n/,
    )
  })
})

describe('a conversation template is accepted wherever a format is', () => {
  test('run --formats and --mlc-config, with the settings of the file', async () => {
    const runnable = folderWith({
      'rolecall.config.yaml': `models:\n  - { abbr: tiny, type: embedded, format: internlm2, max_out_len: 4 }\n${dataset}`,
      'vicuna/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1", "temperature": 0.2, "max_gen_len": 7 }',
    })
    const compared = await rolecall(['run', '--dry-run', '--formats', 'vicuna_v1.1,llama-2', '--json'], runnable)
    expect(JSON.parse(compared.stdout).map((plan: { format: string }) => plan.format)).toEqual(['vicuna_v1.1', 'llama-2'])
    const { stdout, stderr } = await rolecall(['run', '--dry-run', '--mlc-config', 'vicuna'], runnable)
    expect([stderr.trim(), stdout]).toEqual([
      'next  rolecall run rolecall.config.yaml --limit 20',
      expect.stringMatching(/temperature 0\.2/),
    ])
    const both = await rolecall(['run', '--formats', 'chatml', '--mlc-config', 'vicuna'], runnable)
    expect(both.stderr).toContain('error --formats, --mlc-config\n  formats are set in two ways')
  })

  test('render and view --format, and a config of init', async () => {
    expect(await run('render', '--format', 'redpajama_chat', '--text')).toBe('<human>: 1+1=?\n<bot>:')
    expect(await run('render', '--format', 'llama3')).toMatch(
      /^error --format\n {2}there is no format "llama3", and no file or folder of this name\n {2}→ did you mean "llama-3"/,
    )
    const { stderr } = await rolecall(['view', '--format', 'llama3', '--no-open'], folder)
    expect(stderr).toMatch(/^error --format\n {2}there is no format "llama3"/)
    const fresh = folderWith({})
    await rolecall(['init', '--yes', '--model', 'none', '--format', 'vicuna_v1.1'], fresh)
    expect((await rolecall(['render', '--models', 'my-model', '--text'], fresh)).stdout).toMatch(
      /^Answer briefly\. USER: 1\+1=\? ASSISTANT:$/,
    )
  })

  test('two formats are rejected', async () => {
    expect(await run('render', '--format', 'chatml', '--mlc-config', 'dist/vicuna')).toMatch(/^error --format, --mlc-config\n/)
  })
})

describe('tokenizer_files of a mlc-chat-config.json', () => {
  const tokenizer = fileURLToPath(new URL('../../embedded-model/tokenizer.json', import.meta.url))

  test('are used for the ids, also where only a tokenizer.json stands beside it', async () => {
    for (const listed of ['', ', "tokenizer_files": ["tokenizer.model", "tokenizer.json"]']) {
      const there = folderWith({ 'vicuna/mlc-chat-config.json': `{ "conv_template": "vicuna_v1.1"${listed} }` })
      copyFileSync(tokenizer, join(there, 'vicuna/tokenizer.json'))
      const { stdout } = await rolecall(['tokens', '--mlc-config', 'vicuna', '--models', 'moss', '--datasets', 'sums', '--json'], there)
      expect(JSON.parse(stdout)[0].tokenizer).toMatch(/vicuna\/tokenizer\.json$/)
    }
  })

  test('missing files are reported', async () => {
    const there = folderWith({
      'vicuna/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1", "tokenizer_files": ["tokenizer.model"] }',
    })
    const { stdout } = await rolecall(['tokens', '--mlc-config', 'vicuna', '--models', 'moss', '--datasets', 'sums', '--json'], there)
    expect(JSON.parse(stdout)[0].tokenizer).toMatch(/^the shipped tokenizer \(there is no .*vicuna\/tokenizer\.model here\)$/)
  })
})

describe('rolecall list formats', () => {
  test('lists the named templates with generation, roles and system text', async () => {
    const list = await run('formats', '--kind', 'old')
    expect(list).toMatch(/^vicuna_v1\.1 +old +"USER" "ASSISTANT" +A chat between a curious user and an ar…$/m)
    expect(await run('formats', '--kind', 'new')).toMatch(/^new\/llama-2 +new +"<s>\[IN… +You are a helpful/m)
    expect((await run('formats', '--kind', 'new')).split('\n')).toHaveLength(55)
  })

  test('prints one template, bare or with its metadata', async () => {
    expect(JSON.parse(await run('formats', 'vicuna_v1.1'))).toMatchObject({
      roles: ['USER', 'ASSISTANT'],
      seps: [' ', '</s>'],
      prefix_tokens: [],
    })
    expect(JSON.parse(await run('formats', 'new/llama-2', '--json'))).toMatchObject({
      generation: 'new',
      conv_template: { name: 'llama-2' },
    })
    expect(Object.keys(JSON.parse(await run('formats', '--json'))).length).toBeGreaterThan(90)
  })
})

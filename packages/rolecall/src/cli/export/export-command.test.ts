import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../../../docs/run-command.ts'
import { main } from '../../../../../proof/testing/rolecall.ts'
import { programTimeout, succeeds } from '../../../../../proof/testing/run-program.ts'
import { readRows } from '../../node/rows/read-rows.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolecall-export-'))
afterAll(() => rmSync(folder, { recursive: true }))
const chats = Array.from({ length: 5 }, (_, index) => ({
  messages: [
    { role: 'user', content: `${index}+1=?` },
    { role: 'assistant', content: String(index + 1) },
  ],
}))
const lines = chats.map((chat) => `${JSON.stringify(chat)}\n`)
writeFileSync(join(folder, 'chats.jsonl'), lines.join(''))
const run = (...words: string[]) => runCommand(['export', ...words], folder)

test('JSON Lines and Parquet have the same rows, with a manifest next to them', async () => {
  expect(await run('chats.jsonl', '-o', 'a.jsonl')).toMatch(
    /^5 of 5 conversations in internlm2[\s\S]*trained \(.*%\): everything the model writes/,
  )
  await run('chats.jsonl', '-o', 'a.parquet')
  const rows = readFileSync(join(folder, 'a.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const read = []
  for await (const row of readRows(join(folder, 'a.parquet'))) read.push(JSON.parse(JSON.stringify(row)))
  expect(read).toEqual(rows.map((row) => ({ ...row, weights: null })))
  expect(rows.map(({ text, spans: [[start, end]] }) => text.slice(start, end))).toEqual([1, 2, 3, 4, 5].map((sum) => `${sum}<|im_end|>`))
  const manifest = JSON.parse(readFileSync(join(folder, 'a.jsonl.manifest.json'), 'utf8'))
  expect(manifest).toMatchObject({ format: 'internlm2', isComplete: true, counts: { conversations: 5, written: 5 } })
})

const weighted = [
  { conversations: chats[0]!.messages.map(({ role, content }) => ({ from: role === 'user' ? 'human' : 'gpt', value: content })) },
  {
    conversations: [
      { from: 'human', value: '2+2=?' },
      { from: 'gpt', value: '4', weight: 0.5 },
    ],
  },
]
const pyarrow = succeeds('python3', '-c', 'import pyarrow')

test('weights of single conversations are kept in Parquet and in packed rows', async () => {
  writeFileSync(join(folder, 'weighted.jsonl'), weighted.map((chat) => JSON.stringify(chat)).join('\n'))
  await run('weighted.jsonl', '-o', 'weighted.parquet')
  await run('weighted.jsonl', '--pack', '100', '-o', 'packed.parquet')
  const rowsOf = async (file: string) => {
    const rows = []
    for await (const row of readRows(join(folder, file))) rows.push(JSON.parse(JSON.stringify(row)))
    return rows
  }
  const [plain, half] = await rowsOf('weighted.parquet')
  expect(plain.weights).toBe(null)
  expect(half.weights).toEqual(half.mask.map((one: number) => one / 2))
  expect(await rowsOf('packed.parquet')).toMatchObject([{ row: [0, 1], weights: [...plain.mask, ...half.weights] }])
})

test.skipIf(!pyarrow)('pyarrow reads the same (skipped where Python has no pyarrow)', async () => {
  await run('chats.jsonl', '--origins', '-o', 'py.parquet')
  const read = spawnSync(
    'python3',
    ['-c', 'import json, pyarrow.parquet as p; print(json.dumps(p.read_table("py.parquet").to_pylist()))'],
    { cwd: folder, encoding: 'utf8', timeout: programTimeout },
  )
  await run('chats.jsonl', '--origins', '-o', 'py.jsonl')
  const rows = readFileSync(join(folder, 'py.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(read.stdout)).toEqual(
    rows.map((line) => ({ ...JSON.parse(line), weights: null, origins: JSON.stringify(JSON.parse(line).origins) })),
  )
})

test('an interrupted export resumes after its last complete file', async () => {
  const words = ['chats.jsonl', '--rows-per-file', '2', '-o', 'parts']
  await run(...words, '--limit', '3')
  const manifest = join(folder, 'parts/manifest.json')
  const stopped = JSON.parse(readFileSync(manifest, 'utf8'))
  // Simulates a kill during the second file.
  const atFirst = {
    ...stopped,
    files: stopped.files.slice(0, 1),
    rowsRead: 2,
    isComplete: false,
    counts: { ...stopped.counts, conversations: 2, written: 2 },
  }
  writeFileSync(manifest, JSON.stringify(atFirst))
  await run(...words, '-r')
  const rows = ['00000', '00001', '00002'].flatMap((part) =>
    readFileSync(join(folder, `parts/part-${part}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).row),
  )
  expect(rows).toEqual([0, 1, 2, 3, 4])
  expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ isComplete: true, rowsRead: 5, counts: { written: 5 } })
})

test('Ctrl-C removes the incomplete file, lists the complete ones, and exits with 130', async () => {
  writeFileSync(join(folder, 'many.jsonl'), lines.join('').repeat(60_000))
  const child = spawn(process.execPath, [main, 'export', 'many.jsonl', '-o', 'stopped.jsonl'], { cwd: folder })
  let told = ''
  child.stderr.on('data', (chunk) => (told += chunk))
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  await expect.poll(() => existsSync(join(folder, 'stopped.jsonl.part')), { timeout: 60_000, interval: 10 }).toBe(true)
  child.kill('SIGINT')
  expect(await ended).toEqual({ code: 130, signal: null })
  expect(told).toMatch(/stopped\.jsonl\n +stopped after \d+ rows; no file is complete\n.*start again; with --rows-per-file/)
  expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([])
}, 120_000)

test('errors name place, problem and fix, and leave no partial files', async () => {
  writeFileSync(join(folder, 'bad.jsonl'), `${lines[0]}{"question": "?"}\n`)
  expect(await run('bad.jsonl', '-o', 'bad-out.jsonl')).toMatch(
    /bad\.jsonl › row 1\s+this row has no conversation\s+→ use one of: messages/,
  )
  expect(existsSync(join(folder, 'bad-out.jsonl.part'))).toBe(false)
  expect(await run('bad.jsonl', '-o', 'good.jsonl', '--skip-bad-rows')).toMatch(/^1 of 2 conversations[\s\S]*1 skipped: no conversation/)
  expect(await run('chats.jsonl', '-o', 'a.jsonl')).toMatch(/an export already exists[\s\S]*--resume/)
  expect(await run('chats.jsonl', '-o', 'out')).toMatch(/unknown file type[\s\S]*\.jsonl or \.parquet/)
  writeFileSync(join(folder, 't.jinja'), '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}')
  expect(await run('chats.jsonl', '--chat-template', 't.jinja', '-o', 'x.jsonl')).toMatch(
    /tokenizer of this format is unknown[\s\S]*--tokenizer/,
  )
})

const sums = {
  abbr: 'sums',
  rows: chats.map(({ messages }) => ({ question: messages[0]!.content, answer: messages[1]!.content })),
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
}
const labels = {
  ...sums,
  abbr: 'labels',
  infer_cfg: {
    prompt_template: { template: Object.fromEntries(['1', '2', '3', '4', '5'].map((sum) => [sum, `{question} ${sum}`])) },
    inferencer: { type: 'PPLInferencer' },
  },
}
const models = [
  { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
  { abbr: 'server', type: 'openai', path: 'm', base_url: 'http://127.0.0.1:9' },
]

test('a dataset of a config is exported with its answers, in the format of a model', async () => {
  writeFileSync(join(folder, 'eval.json'), JSON.stringify({ models, datasets: [sums, labels] }))
  const trained = (file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ text, spans: [[start, end]] }) => text.slice(start, end))
  const answers = ['1', '2', '3', '4', '5']
  await run('eval.json', '--models', 'tiny', '--datasets', 'sums', '-o', 'sums.jsonl')
  expect(trained('sums.jsonl')).toEqual(answers.map((sum) => `${sum}<|im_end|>`))
  // Selects the label that is the row's answer.
  await run('eval.json', '--models', 'tiny', '--datasets', 'labels', '-o', 'labels.jsonl')
  expect(trained('labels.jsonl').map((text) => text.trim())).toEqual(answers)
  await run(
    'eval.json',
    '--format',
    'chatml',
    '--datasets',
    'sums',
    '--limit',
    '1',
    '--tokenizer',
    join(root, 'packages/rolecall/embedded-model'),
    '-o',
    'chatml.jsonl',
  )
  expect(trained('chatml.jsonl')).toEqual(['1<|im_end|>'])
  expect(await run('eval.json', '--models', 'tiny', '-o', 'x.jsonl')).toMatch(
    /eval\.json › datasets\s+the config has several: sums, labels\s+→ choose one: --datasets sums/,
  )
  expect(await run('chats.jsonl', '--datasets', 'sums', '-o', 'x.jsonl')).toMatch(
    /--datasets\s+chats\.jsonl contains conversations, not a config/,
  )
  expect(
    await run(
      'eval.json',
      '--models',
      'server',
      '--datasets',
      'sums',
      '--tokenizer',
      join(root, 'packages/rolecall/embedded-model'),
      '-o',
      'x.jsonl',
    ),
  ).toMatch(/not text to train on/)
})

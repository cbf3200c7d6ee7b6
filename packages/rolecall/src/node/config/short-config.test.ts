import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { loadConfig } from './load-config.ts'

const rows = [
  { question: '1+1?', answer: '2' },
  { question: 'Say {answer} and </E>', answer: '4' },
]
const qa = rows.map((row) => JSON.stringify(row)).join('\n')

/** It says the right sum if it is told to think. */
const answering = () =>
  scriptedServer(({ body }) => {
    const { messages = [] } = JSON.parse(body || '{}') as { messages?: { content: string }[] }
    const isCareful = messages.some(({ content }) => content.includes('Think'))
    return { json: { choices: [{ message: { content: isCareful ? 'It is 2, or 4.' : 'No idea.' }, finish_reason: 'stop' }] } }
  })

const evalYaml = (url: string) => `
data: qa.jsonl
prompts: { short: "{question}", careful: prompts/careful.txt, chat: [{ system: Think. }, { user: "{question}" }] }
models: ["openai:m@${url}"]
gold: answer
check: contains
`
const files = (url: string) => ({ 'qa.jsonl': qa, 'prompts/careful.txt': 'Think.\n{question}\n', 'eval.yaml': evalYaml(url) })

test('ten lines run: a dataset for each prompt, and what is printed as the full form runs the same', async () => {
  const server = await answering()
  const folder = folderWith(files(server.url))
  const run = async (config: string) => {
    const { code, stdout, stderr } = await rolecall(['run', config, '--json', '--no-cache'], folder)
    expect(code, stderr).toBe(0)
    const { results } = JSON.parse(stdout) as { results: Record<string, unknown>[] }
    return results.map(({ dataset, model, value }) => [dataset, model, value])
  }
  const results = await run('eval.yaml')
  expect(results).toEqual([
    ['qa-short', 'm', 0],
    ['qa-careful', 'm', 100],
    ['qa-chat', 'm', 100],
  ])
  const { stdout } = await rolecall(['run', 'eval.yaml', '--print-config'], folder)
  expect(stdout).toContain('prompt: |-\n              Think.\n              {question}'.replaceAll('              ', '                '))
  const full = folderWith({ ...files(server.url), 'full.yaml': stdout })
  const again = await rolecall(['run', 'full.yaml', '--json', '--no-cache'], full)
  expect(JSON.parse(again.stdout).results).toMatchObject(results.map(([dataset, model, value]) => ({ dataset, model, value })))
  await server.close()
  // What a row says is data: it fills no field and is no place for examples.
  const sent = server.seen.map(({ body }) => (JSON.parse(body) as { messages: unknown }).messages)
  expect(sent).toContainEqual([{ role: 'user', content: 'Say {answer} and </E>' }])
  expect(sent).toContainEqual([
    { role: 'system', content: 'Think.' },
    { role: 'user', content: '1+1?' },
  ])
})

test('every command that takes a config takes the short form, also in JSON and TypeScript', async () => {
  const config = { data: 'qa.jsonl', prompt: 'Q: {question}', model: 'embedded', gold: 'answer', check: 'number' }
  const folder = folderWith({
    'qa.jsonl': qa,
    'eval.json': JSON.stringify(config),
    'eval.ts': `import { defineConfig } from 'rolecall'\nexport default defineConfig(${JSON.stringify(config)})\n`,
  })
  for (const file of ['eval.json', 'eval.ts']) {
    const rendered = await rolecall(['render', file, '--json'], folder)
    expect(rendered.code, rendered.stderr).toBe(0)
    const [view] = JSON.parse(rendered.stdout) as { prompt: { pieces: { text: string }[] } }[]
    expect(view?.prompt.pieces.map(({ text }) => text).join('')).toContain('<|im_start|>user\nQ: 1+1?<|im_end|>')
  }
  for (const command of [
    ['tokens', 'eval.json'],
    ['lint', 'eval.json'],
    ['run', 'eval.json', '--dry-run'],
    ['list', 'models', 'eval.json'],
  ]) {
    const { code, stderr } = await rolecall(command, folder)
    expect(code, `${command.join(' ')}: ${stderr}`).toBeLessThan(2)
  }
})

test('functions in TypeScript and Python files score, alone and beside other checks', async () => {
  const server = await answering()
  const folder = folderWith({
    ...files(server.url),
    'score.ts':
      'export const short = ({ prediction }: { prediction: string }) => prediction.length < 10\nexport const own = { judge: short, metric: "shortness" }\n',
    'score.py': 'def named(prediction, reference):\n    return reference in prediction\n',
  })
  const run = async (check: string) => {
    const path = join(folder, 'eval.yaml')
    const config = readFileSync(path, 'utf8').replace('check: contains', `check: ${check}`)
    const { code, stdout, stderr } = await rolecall(
      ['run', '--json', '--no-cache', 'own.yaml'],
      folderWith({ ...contents(folder), 'own.yaml': config }),
    )
    expect(code, stderr).toBe(0)
    return (JSON.parse(stdout) as { results: { metric: string; value: number }[] }).results.map(({ metric, value }) => [metric, value])
  }
  expect(await run('{ ts: "score.ts:short" }')).toEqual([
    ['score', 100],
    ['score', 0],
    ['score', 0],
  ])
  expect(await run('"score.ts:own"')).toMatchObject([
    ['shortness', 100],
    ['shortness', 0],
    ['shortness', 0],
  ])
  expect(await run('{ python: "score.py:named" }')).toEqual([
    ['score', 0],
    ['score', 100],
    ['score', 100],
  ])
  expect(await run('[contains, "score.ts:short", { python: "score.py:named", weight: 2 }]')).toEqual([
    ['score', 25],
    ['score', 75],
    ['score', 75],
  ])
  await server.close()
})

const contents = (folder: string) =>
  Object.fromEntries(
    ['qa.jsonl', 'prompts/careful.txt', 'score.ts', 'score.py'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

test.each([
  ['score.ts:missing', /score\.ts exports no function "missing" \(it exports: mine\)/],
  ['score.ts:mien', /did you mean score\.ts:mine/i],
  ['nowhere.ts:mine', /there is no file nowhere\.ts/],
])('%s is an error that says what is there', async (name, error) => {
  const config = { data: [{ a: 1 }], prompt: '{a}', model: 'embedded', check: { ts: name } }
  const folder = folderWith({ 'eval.json': JSON.stringify(config), 'score.ts': 'export const mine = () => true\n' })
  await expect(loadConfig(join(folder, 'eval.json'))).rejects.toThrow(error)
})

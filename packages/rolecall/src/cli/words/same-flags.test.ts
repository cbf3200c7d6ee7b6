import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { addingServer, sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { commands } from '../commands.ts'
import { withSameFlags } from './same-flags.ts'

let server: Awaited<ReturnType<typeof addingServer>>
let talking: ScriptedServer
let folder = ''

beforeAll(async () => {
  server = await addingServer(0)
  talking = await scriptedServer(({ path }) =>
    path.endsWith('/models')
      ? { json: { data: [{ id: 'first' }, { id: 'second' }] } }
      : { events: [{ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }] }, '[DONE]'] },
  )
  folder = sumsFolder(server.url, 4)
  expect((await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache'], folder)).code).toBe(0)
}, 120_000)
afterAll(() => Promise.all([server.close(), talking.close()]))

test('where a result is written has one name in every command', async () => {
  const run = async (...args: string[]) => {
    const { code, stderr } = await rolecall(args, folder)
    expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('error')])
  }
  await run('compare', 'runs', 'runs', '-o', 'compared.json')
  expect(JSON.parse(readFileSync(join(folder, 'compared.json'), 'utf8'))).toMatchObject([{ comparison: { rows: 4 } }])
  await run('why', 'runs', 'runs', '--output', 'why.html')
  await run('init', '--yes', '--data', 'rows.jsonl', '--output', 'own.yaml')
  await run('convert', 'chatml', '--to', 'jinja', '--output-path', 'chatml.jinja')
  await run('export', 'results', 'runs', '--as', 'opencompass', '--out', 'exported')
  await run('run', 'eval.json', '--out', 'elsewhere', '--no-cache')
  for (const file of ['why.html', 'own.yaml', 'chatml.jinja', 'exported', 'elsewhere'])
    expect([file, existsSync(join(folder, file))]).toEqual([file, true])
}, 60_000)

test('a config of init is written into its folder, in the kind of its ending', async () => {
  const refused = async (...flags: string[]) => {
    const { code, stderr } = await rolecall(['init', '--yes', ...flags], folderWith({}))
    expect(code).toBe(2)
    return stderr
  }
  expect(await refused('--out', '../own.yaml')).toContain('the config is written into this folder')
  expect(await refused('-o', 'own.toml')).toContain('its ending is no kind of config')
  expect(await refused('-o', 'own.json', '--kind', 'yaml')).toContain('--kind yaml is another kind')
})

test('--model and --models choose a model of a config', async () => {
  for (const flag of ['--model', '--models']) {
    const { code, stdout, stderr } = await rolecall(['render', 'eval.json', flag, 'adder'], folder)
    expect([flag, code, stderr, stdout]).toEqual([flag, 0, expect.anything(), expect.stringContaining('sums · row 0 · adder')])
  }
})

test('chat finds the model of a server, which --model names where there are several', async () => {
  const asked = () =>
    talking.seen.filter(({ path }) => path.endsWith('/completions')).map(({ body }) => (JSON.parse(body) as { model: string }).model)
  const found = await rolecall(['chat', '--base-url', talking.url, '--no-tools', 'Hi'], folder)
  expect([found.code, found.stdout, found.stderr]).toEqual([
    0,
    expect.stringContaining('Hello.'),
    expect.stringContaining('first, the first of 2 models there'),
  ])
  expect((await rolecall(['chat', '--base-url', talking.url, '--model', 'second', '--no-tools', 'Hi'], folder)).code).toBe(0)
  expect(asked()).toEqual(['first', 'second'])
  const both = await rolecall(['chat', '--base-url', talking.url, '--model', `openai:a@${talking.url}`, 'Hi'], folder)
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--model names a server, too')])
})

test('a flag that a command cannot have is answered with what is meant', async () => {
  const answer = async (...args: string[]) => {
    const { code, stderr } = await rolecall(args, folder)
    return [code, stderr.split('→ ')[1]?.trim()]
  }
  expect(await answer('lint', '--data', 'rows.jsonl')).toEqual([
    2,
    expect.stringMatching(/^a config names its data: rolecall init --data FILE/),
  ])
  expect(await answer('compare', 'runs', '--models', 'a')).toEqual([
    2,
    'name the models behind the run: rolecall compare RUN#MODEL RUN#MODEL',
  ])
  expect(await answer('serve', '--base-url', 'http://127.0.0.1:9/v1')).toEqual([2, '--model openai:NAME@URL'])
  expect(await answer('run', '--repeat', '3')).toEqual([2, 'here it is --epochs'])
  for (const [word, ours] of [
    ['eval', 'run'],
    ['test', 'run'],
    ['report', 'export report'],
    ['tasks', 'list tasks'],
  ])
    expect(await answer(word ?? '')).toEqual([2, `here it is: rolecall ${ours}`])
})

test('what follows --, values, and flags that a command has stay as they are', async () => {
  const commandOf = async (name: string) => await commands.find((one) => one.name === name)!.load()
  expect(withSameFlags(['chat', '--', '--output', 'x'], await commandOf('chat'))).toEqual(['chat', '--', '--output', 'x'])
  expect(withSameFlags(['export', 'a.yaml', '--as', 'parquet', '--model=x', '-o', 'y'], await commandOf('export'))).toEqual([
    'export',
    'a.yaml',
    '--as',
    'parquet',
    '--model=x',
    '-o',
    'y',
  ])
  expect(withSameFlags(['publish', 'runs', '--as=hub'], await commandOf('publish'))).toEqual(['publish', 'runs', '--export-format=hub'])
})

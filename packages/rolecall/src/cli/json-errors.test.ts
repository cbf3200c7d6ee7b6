import { afterAll, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../proof/testing/scripted-server.ts'
import { commands } from './commands.ts'

const infer_cfg = { prompt_template: { template: '{q}' } }
const folder = folderWith({
  'bad.json': '{"models": 3}',
  'empty.json': JSON.stringify({ models: [{ abbr: 't', type: 'embedded' }], datasets: [{ abbr: 'd', path: 'none.jsonl', infer_cfg }] }),
  'none.jsonl': '',
  'sums.json': JSON.stringify({
    models: [{ abbr: 't', type: 'embedded', max_out_len: 2 }],
    datasets: [{ abbr: 'd', rows: [{ q: '1+1=?', a: 'x' }], reader_cfg: { output_column: 'a' }, infer_cfg }],
  }),
  'own.jinja': '{% for m in messages %}{{ m.content }}{% endfor %}',
  'other.jinja': '{% for m in messages %}> {{ m.content }}{% endfor %}',
  'notes.txt': 'hello',
  'broken.py': 'models = [',
})

async function failed(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await rolecall([...args, '--json'], folder, { ROLECALL_CACHE: 'off' }, input)
  const printed: unknown = JSON.parse(stdout)
  const holder = Array.isArray(printed) ? (printed.at(-1) as unknown) : printed
  return { code, stderr, error: (holder as { error?: unknown }).error, printed }
}

/** A mistake for each command that has `--json`. */
const mistakes: Record<string, readonly string[]> = {
  run: ['run', 'bad.json'],
  ctl: ['ctl', 'no-run'],
  annotations: ['annotations', 'no-run'],
  compare: ['compare', 'no-run', 'no-other'],
  score: ['score', 'no-run'],
  merge: ['merge', 'no-run'],
  publish: ['publish', 'no-run', '--export-format', 'opencompass'],
  why: ['why', 'no-run', 'no-other'],
  queue: ['queue', '--queue', 'nonsense'],
  render: ['render', 'bad.json'],
  chat: ['chat', '--model', 'gtp4'],
  tokens: ['tokens', 'bad.json'],
  export: ['export', 'none.jsonl', '--format', 'nope'],
  diff: ['diff', 'nope', 'chatml'],
  lint: ['lint', 'nope.jinja'],
  init: ['init', '--yes', '--data', 'nope.jsonl'],
  import: ['import', 'notes.txt'],
  list: ['list', 'evaluators', 'nope'],
  formats: ['formats', 'nope'],
  convert: ['convert', 'nope', '--to', 'jinja'],
  verify: ['verify', 'http://127.0.0.1:9'],
  presets: ['presets', '--nope'],
  doctor: ['doctor', '--nope'],
}

test('every command with --json is in the list', async () => {
  const withJson: string[] = []
  for (const { name, load } of commands) if ((await load()).options.some(({ long }) => long === '--json')) withJson.push(name)
  expect(Object.keys(mistakes).sort()).toEqual(withJson.sort())
})

test.each(Object.entries(mistakes))('%s prints a mistake as an object, exit code 2', async (_, args) => {
  const { code, error } = await failed(args)
  expect(error).toMatchObject({ code: expect.any(String), problem: expect.any(String), exit_code: code })
  expect(code).toBe(2)
})

test.each([['run', '--nope'], ['nope'], ['run', '--limit', 'x']])('usage errors are objects: %s %s', async (...args) => {
  const { code, error } = await failed(args)
  expect({ code, error }).toMatchObject({
    code: 2,
    error: { code: 'usage', exit_code: 2, where: expect.any(String), fix: expect.any(String) },
  })
})

test('a run without rows, exit code 1', async () => {
  expect(await failed(['run', 'empty.json', '-w', 'empty'])).toMatchObject({
    code: 1,
    error: { code: 'no-rows', exit_code: 1 },
    printed: { results: [{ rows: 0 }] },
  })
  expect(await failed(['run', 'empty.json', '--dry-run'])).toMatchObject({ code: 1, error: { code: 'no-rows', exit_code: 1 } })
})

test('a check that fails, exit code 3', async () => {
  expect(await failed(['run', 'sums.json', '-w', 'checked', '--fail-under', 'accuracy=0.9'])).toMatchObject({
    code: 3,
    error: { code: 'worse', where: '--fail-under', exit_code: 3 },
  })
  expect(await failed(['score', 'checked', '--fail-under', 'accuracy=0.9'])).toMatchObject({ code: 3, error: { code: 'worse' } })
})

test('findings and differences, exit code 3', async () => {
  expect(await failed(['lint', 'own.jinja', '--fail-on', 'note'])).toMatchObject({ code: 3, error: { code: 'findings', exit_code: 3 } })
  expect(await failed(['diff', 'own.jinja', 'other.jinja', '--exit-code'])).toMatchObject({
    code: 3,
    error: { code: 'differs', exit_code: 3 },
  })
})

const server = await scriptedServer(({ path }) =>
  path === '/v1/models' ? { json: { data: [{ id: 'm' }] } } : { status: 400, json: { error: { message: 'this prompt is refused' } } },
)
afterAll(() => server.close())

test('rows without an answer, exit code 4, whatever --allow-failed allows if they are all of a dataset', async () => {
  const config = {
    models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: server.url, format: 'messages' }],
    datasets: [{ abbr: 'd', rows: [{ q: '1+1=?', a: 'x' }], reader_cfg: { output_column: 'a' }, infer_cfg }],
  }
  const here = folderWith({ 'config.json': JSON.stringify(config) })
  const { code, stdout } = await rolecall(['run', 'config.json', '--json'], here, { ROLECALL_CACHE: 'off' })
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ failed: 1 }], error: { code: 'failed-rows', exit_code: 4 } })
  expect(code).toBe(4)
  const again = await rolecall(['run', 'config.json', '--json', '--allow-failed', '50'], here, { ROLECALL_CACHE: 'off' })
  expect(again).toMatchObject({ code: 4, stdout: expect.stringContaining('never allows all of a dataset') })
})

test('rows that --allow-failed allows, exit code 0', async () => {
  const rows = Array.from({ length: 4 }, (_, id) => ({ q: '1+1=? '.repeat(id === 3 ? 400 : 1), a: '2' }))
  const model = { abbr: 'm', type: 'embedded', format: 'plain', max_out_len: 2 }
  const config = { models: [model], datasets: [{ abbr: 'd', rows, reader_cfg: { output_column: 'a' }, infer_cfg }] }
  const here = folderWith({ 'config.json': JSON.stringify(config) })
  const run = (allowed: string) => rolecall(['run', 'config.json', '--allow-failed', allowed], here, { ROLECALL_CACHE: 'off' })
  expect(await run('25%')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 4 rows have no answer or no score, which') })
  expect(await run('24%')).toMatchObject({ code: 4 })
  expect(await run('some')).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a share such as 1%') })
})

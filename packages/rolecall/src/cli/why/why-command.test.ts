import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { widthOf } from '../screen/fit-text.ts'
import { nothingText } from './show-why.ts'

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const row = (id: number, prediction: string, score: number) => ({ id, prompt: `Q${id}?`, prediction, gold: 'A', score })

const folder = folderWith({
  'first.jsonl': lines(row(0, 'A', 1), row(1, 'A', 1), row(2, '<b>&', 0)),
  'second.jsonl': lines(row(0, 'A', 1), row(1, 'B', 0), row(2, '<b>&', 0)),
  'elsewhere.jsonl': lines({ id: 'x', prompt: 'Something else?', prediction: 'A', gold: 'A', score: 1 }),
  'shuffled.jsonl': lines(row(2, '<b>&', 0), row(1, 'B', 0), row(3, 'C', 1), row(0, 'A', 1)).replaceAll(/"id":\d,/g, ''),
  'unnumbered.jsonl': lines(row(0, 'A', 1), row(1, 'A', 1), row(2, 'C', 1)).replaceAll(/"id":\d,/g, ''),
  'failed.jsonl': lines(
    row(0, 'A', 1),
    { id: 1, prompt: 'Q1?', gold: 'A', error: 'GET http://host/v1?api_key=hunter2: 401' },
    row(2, '<b>&', 0),
  ),
  'cache/.keep': '',
})
const [first, second] = [join(folder, 'first.jsonl'), join(folder, 'second.jsonl')]
const why = (...given: string[]) => rolecall(['why', ...given], folder, { ROLECALL_CACHE: join(folder, 'cache') })

test('prints the waterfall, the rows of a cause, and one page to publish', async () => {
  const page = join(folder, 'why.html')
  const { stdout, code } = await why(first, second, '--rows', 'sampling', '--export', page)
  expect(code).toBe(0)
  expect(stdout).toMatch(/second − first +−33\.3 +\[.*\] {2}may be chance/)
  expect(stdout).toMatch(/sampling +−33\.3 +0 +1 {2}the same prompt and settings/)
  expect(stdout).toMatch(/same prompt, another reply +row 1\n/)
  expect(stdout).toMatch(/row 1: worse.*\n.*A .*→ .*\n.*B/)
  const html = readFileSync(page, 'utf8')
  expect(html).toContain('<h3 id="cause-0">sampling</h3>')
  expect(html).not.toContain('<b>&')
  expect(html).not.toMatch(/<script|src=/)
})

test('--json has the causes with their rows', async () => {
  const { stdout } = await why(first, second, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    join: { matched: 3 },
    causes: [{ cause: 'sampling', lost: [1], changed: [1] }],
    samePromptOtherAnswer: [1],
  })
})

test('rows are shown with their partners, which may have other numbers', async () => {
  const page = join(folder, 'shuffled.html')
  const { stdout } = await why(join(folder, 'unnumbered.jsonl'), join(folder, 'shuffled.jsonl'), '--rows', 'all', '--export', page)
  expect(stdout).toMatch(/row 1: worse.*\n.*A .*\n.*B/)
  expect(stdout).toMatch(/row 2: worse.*\n.*C .*\n.*<b>&/)
  expect(stdout).toMatch(/row 2: one side only.*\n.*- not there\n.*C/)
  expect(readFileSync(page, 'utf8')).not.toContain(folder)
})

test('errors are shown without keys', async () => {
  const page = join(folder, 'failed.html')
  const { stdout, code } = await why(first, join(folder, 'failed.jsonl'), '--rows', 'all', '--export', page)
  expect(code).toBe(0)
  expect(stdout).toContain('GET http://host/v1?api_key=*** 401')
  const { stdout: json } = await why(first, join(folder, 'failed.jsonl'), '--json')
  expect(stdout + json + readFileSync(page, 'utf8')).not.toContain('hunter2')
})

test('--ask-rows without --ask is refused', async () => {
  expect(await why(first, first, '--ask-rows', '3')).toMatchObject({ code: 2, stderr: expect.stringContaining('this flag needs --ask') })
})

test('the same scores are no chance', async () => {
  expect((await why(first, first)).stdout).toMatch(/second − first +0\.0 +no common row has another score/)
  expect((await why(first, first, '--verbose')).stdout).toContain('noise: none; all 3 common rows have the same score in both')
})

test('what is not scored is never the same', () => {
  const side = { name: 'first', model: 'm', dataset: 'd', metric: 'score', harness: 'other', rows: 3 }
  const common = { rows: 0, changed: 0, difference: 0 }
  expect(nothingText({ first: { ...side, scored: 0 }, second: { ...side, scored: 3 }, common })).toContain('first has no scored row')
  expect(nothingText({ first: { ...side, scored: 3 }, second: { ...side, scored: 3 }, common })).toContain('no row has a score in both')
})

test.each([60, 80, 100, 160])('at %d columns, why and compare fit their screens, and no line wraps', async (width) => {
  const names = { 通义千问: 'A', '书生·浦语-a-model-with-a-long-name': 'B' }
  const rows = (letter: string) =>
    Array.from({ length: 30 }, (_, id) =>
      JSON.stringify({
        id,
        question: `第 ${id} 题：长江流入哪个海，全长大约多少公里？`,
        prediction: id % 3 ? 'A' : letter,
        gold: 'A',
        score: id % 3 || letter === 'A' ? 1 : 0,
      }),
    ).join('\n')
  const at = folderWith({
    ...Object.fromEntries(Object.entries(names).map(([name, letter]) => [`${name}/rows.jsonl`, rows(letter)])),
    'cache/.keep': '',
  })
  const files = Object.keys(names).map((name) => `${name}/rows.jsonl`)
  for (const [command, most] of [
    ['why', 25],
    ['compare', 25],
  ] as const) {
    const { code, stdout, stderr } = await rolecall([command, ...files], at, { ROLECALL_CACHE: join(at, 'cache'), COLUMNS: String(width) })
    const lines = `${stdout}${stderr}`.trimEnd().split('\n')
    expect(code, stderr).toBe(0)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(most)
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width)
  }
})

test('mistakes: no common rows, an unknown cause or metric', async () => {
  expect(await why(first, join(folder, 'elsewhere.jsonl'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no row of one is in the other'),
  })
  expect(await why(first, second, '--rows', 'weather')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('choose one of sampling'),
  })
  expect(await why(first, second, '--metric', 'bleu')).toMatchObject({ code: 2, stderr: expect.stringContaining('choose one of score') })
})

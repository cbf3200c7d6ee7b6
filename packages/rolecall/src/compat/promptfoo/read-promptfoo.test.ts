import { beforeAll, expect, test } from 'vitest'
import { callJavaScript, openJavaScript } from './call-javascript.ts'
import { testsOfCsv } from './csv-tests.ts'
import type { PromptfooFields, PromptfooHost } from './promptfoo-host.ts'
import { readPromptfoo } from './read-promptfoo.ts'

beforeAll(openJavaScript)

const files: Readonly<Record<string, string>> = {
  'tests.csv': 'q, gold ,__expected,__expected2\n1+1,2,contains: 2,"javascript: output.length < 5"\n"a, b",x,x,\n',
  'tests.jsonl': '{"vars": {"q": "l1"}}\n\n{"vars": {"q": "l2"}}\n',
  'more/a.yaml': '- vars: { q: y1 }\n',
  'more/b.yaml': 'vars: { q: y2 }\n',
  'defaults.yaml': 'assert: [{ type: contains, value: "2" }]\n',
  'two.txt': 'First {{q}}\n---\nSecond {{q}}\n',
  'chat.json': '[{"role": "system", "content": "Be {{style}}."}, {"role": "user", "content": "{{q}}"}]',
  'article.txt': 'Long text\n',
  'write.js': 'module.exports = ({ vars }) => [{ role: "user", content: "Q: " + vars.q }]',
}

function host(allowExec = false): PromptfooHost {
  return {
    allowExec,
    readText: (path) => files[path] ?? '',
    readScript: (path) => files[path] ?? '',
    matching: (pattern) => Object.keys(files).filter((name) => name === pattern || (pattern === 'more/*.yaml' && name.startsWith('more/'))),
  }
}

type Dataset = {
  abbr: string
  rows: Record<string, unknown>[]
  infer_cfg: { prompt_template: { template?: { round: { prompt: string }[] } } }
}

async function read(given: PromptfooFields, allowExec = false) {
  const run = async (...call: Parameters<typeof callJavaScript>) => callJavaScript(...call)
  const { config, notes } = await readPromptfoo({ providers: ['openai:gpt'], ...given }, { host: host(allowExec), run })
  return { datasets: config.datasets as Dataset[], notes }
}

const promptsOf = ({ infer_cfg }: Dataset) => infer_cfg.prompt_template.template?.round.map(({ prompt }) => prompt)

test.for([
  ['file://tests.csv', ['1+1', 'a, b']],
  ['file://tests.jsonl', ['l1', 'l2']],
  ['file://more/*.yaml', ['y1', 'y2']],
  [
    ['file://tests.jsonl', { vars: { q: 'here' } }],
    ['l1', 'l2', 'here'],
  ],
  [[{ vars: { q: ['a', 'b'] } }], ['a', 'b']],
  [[{ vars: { q: ['a', 'b'] }, options: { disableVarExpansion: true } }], [['a', 'b']]],
  [[{ vars: { q: 'file://article.txt' } }], ['Long text']],
  [[{ vars: { name: 'Bo', q: 'Hi {{name}}' } }], ['Hi Bo']],
] as const)('tests: %j', async ([tests, expected]) => {
  const { datasets } = await read({ prompts: ['{{q}}'], tests })
  expect(datasets[0]?.rows.map(({ q }) => q)).toEqual(expected)
})

test('a column __expected is an assertion; the others are variables', async () => {
  const { datasets } = await read({ prompts: ['{{q}}'], tests: 'tests.csv' })
  const [first, second] = (datasets[0]?.rows ?? []).map((row) => JSON.parse(String(row.promptfoo_test)))
  expect(first.assert).toMatchObject([
    { type: 'contains', value: '2' },
    { type: 'javascript', value: 'output.length < 5' },
  ])
  expect(second.assert).toEqual([{ type: 'equals', value: 'x' }])
  expect(datasets[0]?.rows[0]).toMatchObject({ gold: '2' })
})

test('prompts come from files, several in one; defaults from a file', async () => {
  const { datasets } = await read({
    prompts: ['file://two.txt', 'chat.json', 'Plain {{q}}'],
    defaultTest: 'file://defaults.yaml',
    tests: [{ vars: { q: 'a', style: 'brief' } }],
  })
  expect(datasets.map((one) => [one.abbr, promptsOf(one)])).toEqual([
    ['two', ['First {q}']],
    ['two-2', ['Second {q}']],
    ['chat', ['Be {style}.', '{q}']],
    ['prompt-3', ['Plain {q}']],
  ])
  expect(datasets[0]?.rows[0]?.promptfoo_test).toContain('"contains"')
})

test('templates with more than variables are written for each row; literal braces are no fields', async () => {
  const { datasets } = await read({
    prompts: ['{% for x in list %}<{{ x }}>{% endfor %} {q} {{ q | upper }}{{ missing }}'],
    tests: [{ vars: { list: [1, 2], q: 'a' } }],
  })
  expect(datasets.map(promptsOf)).toEqual([['{promptfoo_prompt}']])
  expect(datasets[0]?.rows[0]?.promptfoo_prompt).toBe('<1><2> {q} A')
})

test('a prompt may be a function in a file, with --allow-exec only', async () => {
  const given = { prompts: ['file://write.js', '{{q}}'], tests: [{ vars: { q: 'a' } }] }
  const allowed = await read(given, true)
  expect(allowed.datasets[0]?.rows[0]?.promptfoo_prompt).toBe('Q: a')
  const refused = await read(given)
  expect(refused.datasets).toHaveLength(1)
  expect(refused.notes).toContainEqual({ code: 'left-out', where: 'prompts[0]', text: expect.stringContaining('pass --allow-exec') })
})

test('tests and prompts know each other by labels; scenarios are tests with common variables', async () => {
  const { datasets } = await read({
    prompts: [
      { label: 'a', raw: 'A {{q}}' },
      { label: 'b', id: 'other', raw: 'B {{q}}' },
    ],
    tests: [{ vars: { q: '1' }, prompts: ['a'] }, { vars: { q: '2' } }, { vars: { q: '3' }, prompts: ['other'] }],
    scenarios: [{ config: [{ vars: { p: 'x' } }, { vars: { p: 'y' } }], tests: [{ vars: { q: '4' } }] }],
  })
  expect(datasets.map(({ rows }) => rows.map(({ q }) => q))).toEqual([
    ['1', '2', '4', '4'],
    ['2', '3', '4', '4'],
  ])
})

test('content with an image is a list of parts', async () => {
  const parts = [
    { type: 'text', text: '{{q}}' },
    { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
  ]
  const { datasets } = await read({ prompts: [JSON.stringify([{ role: 'user', content: parts }])], tests: [{ vars: { q: 'What?' } }] })
  expect(datasets[0]?.rows[0]?.promptfoo_prompt).toEqual([{ type: 'text', text: 'What?' }, parts[1]])
})

test.for([
  [{ vars: { q: '../../secret.txt' } }, undefined],
  [{ vars: { q: 'file:///etc/passwd' }, options: { disableVarExpansion: true } }, 'outside the folder of the config'],
  [{ vars: { q: 'file://../x.txt' }, options: { disableVarExpansion: true } }, 'outside the folder of the config'],
  [{ vars: { q: 'file://none-*.txt' } }, 'names no file'],
  [{ vars: { q: '{{ env.OPENAI_API_KEY }} {{q}}' } }, undefined],
  [{ vars: { q: 'a' }, options: { storeOutputAs: 'x' } }, 'later tests use its output'],
  [{ vars: { q: 'a' }, providers: ['x'] }, 'it is for some providers only'],
  [{ vars: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`v${i}`, Array(10).fill('x')])) }, 'more than 10000 combinations'],
] as const)('the test %j is left out by name: %s', async ([test, reason]) => {
  const { notes } = await read({ prompts: ['{{q}}', 'x'], tests: [test, { vars: { q: 'b' } }] })
  const texts = notes.map(({ text }) => text).join('\n')
  if (reason === undefined) expect(texts).not.toContain('outside')
  else expect(texts).toContain(reason)
})

test('a threshold of a CSV file that is no number is refused: every answer would pass', () => {
  for (const column of ['__threshold', '__config:__expected:threshold'])
    expect(() => testsOfCsv(`q,__expected,${column}\n1+1,contains: 2,50%\n`, 'tests.csv')).toThrow('"50%" is not a number')
})

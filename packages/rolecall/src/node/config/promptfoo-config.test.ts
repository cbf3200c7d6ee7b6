import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall, rolecallProcess } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

const configFor = (url: string, more = '') => `
prompts:
  - 'Question: {{question}}'
  - label: chat
    raw: '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{{ question }}"}]'
providers:
  - id: openai:chat:mock
    config: { apiBaseUrl: '${url}', temperature: 0, max_tokens: 20 }
defaultTest:
  assert: [{ type: not-icontains, value: sorry }]
tests:
  - vars: { question: ['1+1?', '2+2?'], gold: '2' }
    assert: [{ type: contains, value: '{{gold}}' }]
  - vars: { question: '3+3?' }
    threshold: 0.5
    assert: [{ type: regex, value: '^[0-9]+$', weight: 2 }, { type: equals, value: '7' }]
${more}`

test('prompts, providers, tests and assertions of a promptfoo config run', async () => {
  const server = await scriptedServer(() => ({ json: { choices: [{ message: { content: '2' }, finish_reason: 'stop' }] } }))
  const folder = folderWith({ 'promptfooconfig.yaml': configFor(server.url) })
  const { code, stdout, stderr } = await rolecall(['run', 'promptfooconfig.yaml', '--json', '--no-cache'], folder)
  await server.close()
  expect(code, stderr).toBe(0)
  // 1+1 and 2+2 have the same gold; 3+3 reaches 3 of 4 by weight.
  expect(JSON.parse(stdout).results).toMatchObject([
    { dataset: 'prompt-1', metric: 'pass_rate', value: 100, rows: 3 },
    { dataset: 'chat', value: 100, rows: 3 },
  ])
  const bodies = server.seen.map(({ body }) => JSON.parse(body).messages)
  expect(bodies).toContainEqual([{ role: 'user', content: 'Question: 1+1?' }])
  expect(bodies).toContainEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '2+2?' },
  ])
})

test('a command waits for the JavaScript of a config; files of code run with --allow-exec', async () => {
  const server = await scriptedServer(() => ({ json: { choices: [{ message: { content: 'gold1' }, finish_reason: 'stop' }] } }))
  const given = `
prompts: ['What is {{q}}?']
providers: [{ id: 'openai:chat:mock', config: { apiBaseUrl: '${server.url}' } }]
tests:
  - vars: { q: n1 }
    assert: [{ type: javascript, value: "output.includes('gold1')" }]
  - vars: { q: n2 }
    assert: [{ type: javascript, value: file://check.ts }]
`
  const check = 'export default (output: string, context: { vars: { q: string } }): boolean => output.endsWith(context.vars.q.slice(1))'
  const folder = folderWith({ 'p.yaml': given, 'check.ts': check })
  const results: unknown[] = []
  for (const flags of [[], ['--allow-exec']]) {
    const { code, stdout, stderr } = await rolecallProcess(['run', 'p.yaml', '--json', '--no-cache', ...flags], folder)
    expect(code, stderr).toBe(0)
    results.push(...JSON.parse(stdout).results)
  }
  await server.close()
  expect(results).toMatchObject([
    { value: 100, rows: 1 },
    { value: 50, rows: 2 },
  ])
})

test('what cannot run is left out and listed with its line; JavaScript runs in the sandbox', async () => {
  const more = `  - vars: { question: 'x' }
    assert: [{ type: javascript, value: 'output.length > 1' }]
  - vars: { question: 'y' }
    assert:
      - type: contains
        value: a
      - type: similar
        value: b
  - vars: { question: 'z' }
    assert: [{ type: javascript, value: file://check.js }]
`
  const given = configFor('http://127.0.0.1:1/v1', more)
    .replace('prompts:', "prompts:\n  - '{{ question | nothing }}'\n  - 'exec:write.sh'")
    .replace('providers:', 'providers:\n  - cohere:command-r')
  const { stderr, stdout } = await rolecall(['run', 'p.yaml', '--dry-run'], folderWith({ 'p.yaml': given }))
  const text = (stdout + stderr).replaceAll(/\s+/g, ' ')
  for (const reason of [
    'similar is not supported',
    "No filter named 'nothing'",
    'a program writes it, which is not run',
    '"cohere:command-r" is not a provider that runs here',
    '(check.js) runs code of another file: pass --allow-exec',
  ])
    expect(text).toContain(reason)
  const line = given.split('\n').findIndex((one) => one.includes('type: similar')) + 1
  expect(text).toContain(`p.yaml:${line} › tests[3].assert[1]`)
  expect(text).not.toContain('tests[2]')
})

test.for([
  ['prompts:', 'promts:', 'error p.yaml:3 › promts\n  "promts" is not known here\n  → did you mean "prompts"?'],
  ['threshold:', 'treshold:', 'tests[1].treshold\n  "treshold" is not known here\n  → did you mean "threshold"?'],
  ['weight:', 'wieght:', 'tests[1].assert[0].wieght'],
])('%s misspelt as %s is refused', async ([key, misspelt, problem]) => {
  const given = configFor('http://127.0.0.1:1/v1').replace(key!, misspelt!)
  const { code, stderr } = await rolecall(['run', 'p.yaml', '--dry-run'], folderWith({ 'p.yaml': given }))
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem!)])
})

test('keys that are not read are listed', async () => {
  const given = configFor('http://127.0.0.1:1/v1', 'evaluateOptions: { repeat: 3 }\n')
  const { code, stderr } = await rolecall(['run', 'p.yaml', '--dry-run'], folderWith({ 'p.yaml': given }))
  expect([code, stderr]).toEqual([0, expect.stringMatching(/left out: it is not read.*evaluateOptions/s)])
})

test('a config of which nothing can run is an error with the reasons', async () => {
  const given = { prompts: ['{{q}}'], providers: ['openai:gpt'], tests: [{ vars: { q: 1 }, assert: [{ type: 'regex', value: '(' }] }] }
  const { code, stderr } = await rolecall(['run', 'p.json', '--dry-run'], folderWith({ 'p.json': JSON.stringify(given) }))
  expect(code).toBe(2)
  expect(stderr).toContain('none of the tests can run: tests[0].assert[0] is left out: ( is not a regular expression')
})

test('a judge reads rubrics: --judge, or the provider of the config', async () => {
  const server = await scriptedServer(({ body }) => {
    const { model, messages } = JSON.parse(body)
    const content = model !== 'judge' ? 'Hello!' : messages[0].content.includes('polite') ? 'It greets.\nPASS' : 'I cannot tell.'
    return { json: { choices: [{ message: { content }, finish_reason: 'stop' }] } }
  })
  const tests = ['polite', 'rude'].map((value) => ({
    vars: { q: value },
    assert: [
      { type: 'llm-rubric', value },
      { type: 'contains', value: 'o' },
    ],
  }))
  const plain = { vars: { q: 'plain' }, assert: [{ type: 'contains', value: 'x' }] }
  const provider = (name: string) => ({ id: `openai:chat:${name}`, config: { apiBaseUrl: server.url } })
  const given = { prompts: ['{{q}}'], providers: [provider('mock')], tests: [...tests, plain] }
  const folder = folderWith({
    'p.json': JSON.stringify(given),
    'q.json': JSON.stringify({ ...given, defaultTest: { options: { provider: provider('judge') } } }),
  })
  for (const args of [['p.json', '--judge', `judge@${server.url}`], ['q.json']]) {
    const { stdout, stderr } = await rolecall(['run', ...args, '--json', '--no-cache'], folder)
    expect(JSON.parse(stdout).results, stderr).toMatchObject([{ value: 50, rows: 3, answers: { notDecided: 1 } }])
  }
  await server.close()
  const without = await rolecall(['run', 'p.json', '--no-cache'], folder)
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('--judge MODEL@URL')
})

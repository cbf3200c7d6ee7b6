import { expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { rolecall } from '../../../../testing/rolecall.ts'
import { scriptedServer } from '../../../../testing/scripted-server.ts'

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

test('what cannot run is left out and listed', async () => {
  const more = `  - vars: { question: 'x' }
    assert: [{ type: javascript, value: 'output.length > 1' }]
  - vars: { question: 'y' }
    assert: [{ type: llm-rubric, value: polite }]
`
  const given = configFor('http://127.0.0.1:1/v1', more)
    .replace('prompts:', "prompts:\n  - '{% if question %}x{% endif %}'\n  - '{question} {{question}}'\n  - '{{missing}}'")
    .replace('providers:', 'providers:\n  - anthropic:messages:claude')
  const { stderr, stdout } = await rolecall(['run', 'p.yaml', '--dry-run'], folderWith({ 'p.yaml': given }))
  const text = (stdout + stderr).replaceAll(/\s+/g, ' ')
  for (const reason of [
    'javascript would run code of the config outside a sandbox',
    'llm-rubric needs a judge',
    'only {{ variable }} is read',
    'it has {question} in single braces',
    'no test has the variable missing',
    '"anthropic:messages:claude" is not a provider of the OpenAI kind',
  ])
    expect(text).toContain(reason)
})

test('a config of which nothing can run is an error with the reasons', async () => {
  const given = { prompts: ['{{q}}'], providers: ['openai:gpt'], tests: [{ vars: { q: 1 }, assert: [{ type: 'regex', value: '(' }] }] }
  const { code, stderr } = await rolecall(['run', 'p.json', '--dry-run'], folderWith({ 'p.json': JSON.stringify(given) }))
  expect(code).toBe(2)
  expect(stderr).toContain('none of the tests can run: tests[0] is left out: the regular expression ( is not supported')
})

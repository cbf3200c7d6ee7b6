import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { type Scripted, type ScriptedServer, type Seen, scriptedServer } from '../../../../proof/testing/scripted-server.ts'
import { promptText } from '../../../core/src/prompt/format/prompt-text.ts'
import { askAgent } from '../model/agent/run-agent.ts'
import { createApp } from '../server/create-app.ts'

// A template of an unknown family without reply settings: every command infers the reply syntax from the template.

const chat_template = `{% if tools %}<@tools@>{{ tools | tojson }}<@end@>{% endif %}{% for m in messages %}<@{{ m.role }}@>{% if m.reasoning_content %}<muse>{{ m.reasoning_content }}</muse>{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}<do name="{{ c.function.name }}">{% for k, v in c.function.arguments.items() %}<with name="{{ k }}">{{ v if v is string else v | tojson }}</with>{% endfor %}</do>{% endfor %}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}`
const tool = {
  name: 'weather',
  description: 'Weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}
const calls = '<muse>Ask.</muse><do name="weather"><with name="city">007</with><with name="days">3</with></do>'
const answers = '<muse>Is it 41? No.</muse>42'

test('the agent calls the tool, separates reasoning, and sends both back', async () => {
  const prompts: string[] = []
  const model = scriptedModel({
    says: (prompt) => {
      prompts.push(promptText(prompt))
      return [...(prompts.length === 1 ? calls : answers)]
    },
  })
  const given: unknown[] = []
  const run = (one: unknown) => {
    given.push(one)
    return 'sunny'
  }
  const { text, messages } = await askAgent({
    model,
    format: { chat_template },
    messages: [{ role: 'user', content: 'Q' }],
    tools: [{ ...tool, run }],
  })
  expect(given).toEqual([{ city: '007', days: 3 }])
  expect(text).toBe('42')
  expect(messages.map(({ reasoning_content: thought }) => thought)).toEqual([undefined, 'Ask.', undefined, 'Is it 41? No.'])
  expect(prompts[1]).toContain(`<@assistant@>${calls}<@end@><@tool@>sunny<@end@><@assistant@>`)
})

test('serve returns reasoning as reasoning_content and calls as tool_calls', async () => {
  const app = createApp({ models: [{ model: scriptedModel({ says: () => [...calls] }), config: { chat_template } }] })
  const body = { messages: [{ role: 'user', content: 'Q' }], tools: [{ type: 'function', function: tool }] }
  const response = await app.request('/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })
  expect(await response.json()).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { reasoning_content: 'Ask.', tool_calls: [{ function: { name: 'weather', arguments: '{"city": "007", "days": 3}' } }] },
      },
    ],
  })
})

let server: ScriptedServer
const prompts: string[] = []
beforeAll(async () => {
  server = await scriptedServer((seen) => completion(seen))
})
afterAll(() => server?.close())
beforeEach(() => {
  prompts.length = 0
  for (const name of ['OPENAI_BASE_URL', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, undefined)
})

function completion({ body, path }: Seen): Scripted {
  if (!path.endsWith('/completions')) return { json: { data: [{ id: 'm' }] } }
  const { prompt, stream } = JSON.parse(body) as { prompt: string; stream?: boolean }
  prompts.push(prompt)
  const choice = { index: 0, text: answers, finish_reason: 'stop' }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return stream ? { events: [{ choices: [choice] }, { choices: [], usage }, '[DONE]'] } : { json: { choices: [choice], usage } }
}

const config = () => ({
  models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: server.url, endpoint: 'completions', key: 'x', chat_template }],
  datasets: [
    {
      abbr: 'd',
      rows: [{ q: '6*7', a: '42' }],
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      infer_cfg: { prompt_template: { template: '{q}' } },
      eval_cfg: { evaluator: { type: 'AccEvaluator' } },
    },
  ],
})

test('run scores the answer without the reasoning, and records both', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config()) })
  const { code, stderr } = await rolecall(['run', '--work-dir', 'out'], folder)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  const files = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const [record] = files.flatMap((name) =>
    readFileSync(join(folder, 'out', name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"prediction"'))
      .map((line) => JSON.parse(line) as object),
  )
  expect(record).toMatchObject({ prediction: '42', reasoning: 'Is it 41? No.' })
})

test('chat distinguishes reasoning from text, and saves them separately', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config()) })
  const { code, stdout, stderr } = await rolecall(
    ['chat', '--config', 'rolecall.config.json', '--no-tools', '--json'],
    folder,
    {},
    'Q\nAgain\n',
  )
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  const told = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; text?: string })
  const joined = (type: string) => told.flatMap((one) => (one.type === type ? [one.text] : [])).join('|')
  expect([joined('reasoning'), joined('done')]).toEqual(['Is it 41? No.|Is it 41? No.', '42|42'])
  expect(prompts[1]).toBe(`<@user@>Q<@end@><@assistant@>${answers}<@end@><@user@>Again<@end@><@assistant@>`)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { TemplateThread } from '../node/templates/template-thread.ts'
import { createApp } from '../server/create-app.ts'

const template = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'
let ask: ReturnType<typeof spy>
const spy = () => vi.spyOn(TemplateThread.prototype, 'ask')
beforeEach(() => {
  ask = spy()
})

const folder = folderWith({
  'template.jinja': template,
  'tokenizer_config.json': JSON.stringify({ chat_template: template }),
  'rows.jsonl': '{"question": "1+1=", "answer": "2"}\n',
})
writeFileSync(
  join(folder, 'rolecall.config.json'),
  JSON.stringify({
    models: [{ abbr: 'tiny', type: 'embedded', chat_template: template, max_out_len: 2 }],
    datasets: [
      {
        abbr: 'sums',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } },
          inferencer: { type: 'GenInferencer' },
        },
      },
    ],
  }),
)

test.for([
  ['formats', './template.jinja'],
  ['formats', './tokenizer_config.json'],
  ['render', '--text'],
  ['render', '--text', '--chat-template', 'template.jinja'],
  ['tokens'],
  ['chat', '--chat-template', 'template.jinja', '--no-tools', 'hi'],
])('rolecall %s renders a chat template in a thread that can be ended', async (args) => {
  const { code, stderr } = await rolecall(args, folder)
  expect([code, stderr]).toEqual([0, expect.anything()])
  expect(ask.mock.calls.some(([{ source, render }]) => source === template && render !== undefined)).toBe(true)
})

test('so does the server', async () => {
  const app = createApp({ models: [{ model: scriptedModel({ says: () => ['ok'] }), config: { abbr: 'm', chat_template: template } }] })
  const response = await app.request('/v1/render', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi there' }] }),
  })
  expect(await response.text()).toContain('Hi there')
  expect(ask.mock.calls.some(([{ render }]) => String(JSON.stringify(render?.variables)).includes('Hi there'))).toBe(true)
})

test('a run renders in its main process, and reports the same template error', async () => {
  expect((await rolecall(['run', '--dry-run'], folder)).code).toBe(0)
  expect(ask).not.toHaveBeenCalled()
  const bad = folderWith({ 'bad.jinja': '{{ messages[9].content }}' })
  const { stderr } = await rolecall(['render', '--text', '--chat-template', 'bad.jinja'], bad)
  expect(stderr).toContain('line 1, column 4')
})

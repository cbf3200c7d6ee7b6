import { parseReply, renderPrompt } from '@rolecall/core'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import { loadConfig } from '../config/load-config.ts'
import { loadModel } from './load-model.ts'
import { modelConfigOf } from './model-flags.ts'

const chat_template = `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + (m.content or '') }}{% for c in m.tool_calls or [] %}{{ '<tool_call>{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}</tool_call>' }}{% endfor %}{{ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

// It reads what the chat template does not write, so that the two readings differ.
const response_template = {
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    content: { close: '<|im_end|>' },
    tool_calls: { open: '[CALL]', close: '[/CALL]', content: 'json', repeats: true, transform: { function: '{content}' } },
  },
}
const config = JSON.stringify({ chat_template, response_template })
const reply = 'Wait.[CALL]{"name": "now", "arguments": {}}[/CALL]'
const tools = [{ type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } }]

test("loadModel reads replies by the model's own response template, unless told otherwise", async () => {
  const folder = folderWith({ 'tokenizer_config.json': config })
  const told = await loadModel(folder)
  const prompt = renderPrompt(told, [{ role: 'user', content: 'Hi' }], { tools })
  expect(parseReply(told, reply, { prompt, tools })).toMatchObject({ text: 'Wait.', calls: [{ kind: 'call', name: 'now' }], problems: [] })
  const derived = await loadModel(folder, { replySyntax: 'derived' })
  expect(parseReply(derived, reply, { prompt, tools })).toMatchObject({ text: reply, calls: [] })
})

test('flags and configs take the response template along with the chat template, and drop it with it', async () => {
  const folder = folderWith({
    'tokenizer_config.json': config,
    'config.json': JSON.stringify({
      models: [
        { abbr: 'own', type: 'openai', path: 'm', chat_template: './tokenizer_config.json' },
        { abbr: 'derived', type: 'openai', path: 'm', chat_template: './tokenizer_config.json', reply_syntax: 'derived' },
      ],
      datasets: [],
    }),
  })
  const flags = modelConfigOf({ model: 'openai:m@http://127.0.0.1:1/v1', format: `${folder}/tokenizer_config.json` }, folder)
  expect(flags).toMatchObject({ response_template })
  const { models } = (await loadConfig(`${folder}/config.json`)).config
  const [own, derived] = models.map((model) => replySyntaxOf(model as Parameters<typeof replySyntaxOf>[0]))
  expect(own).toMatchObject({ name: 'response_template' })
  expect(derived).toBeUndefined()
})

test('render says that replies are read by the response template', async () => {
  const folder = folderWith({ 'tokenizer_config.json': config })
  const { stdout } = await rolecall(['render', '--format', 'tokenizer_config.json'], folder)
  expect(stdout).toContain("replies: read by the model's own response template")
})

test('a response template that cannot be used is a warning, and replies are read as derived', async () => {
  const bad = { ...response_template, fields: { content: { open_pattern: '(?<' } } }
  const folder = folderWith({ 'tokenizer_config.json': JSON.stringify({ chat_template, response_template: bad }) })
  const notes: unknown[] = []
  const flags = modelConfigOf({ model: 'openai:m@http://127.0.0.1:1/v1', format: folder }, folder, (given) => notes.push(...given))
  expect(flags.response_template).toBeUndefined()
  expect(notes).toMatchObject([
    { code: 'response-template', text: expect.stringContaining('response_template.fields.content.open_pattern') },
  ])
})

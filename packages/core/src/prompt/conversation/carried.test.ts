import { describe, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { PyValue } from '../../base/python/index.ts'
import { compilePrompt } from '../compile/compile-prompt.ts'
import { bodyOf } from '../format/flatten.ts'
import { promptText } from '../format/prompt-text.ts'
import type { Row } from './row.ts'

const weather = {
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}

function prompt(model: ModelConfig, dataset: DatasetConfig, row: Row) {
  return compilePrompt(model, dataset).render({ row, mode: 'gen' }).prompt
}

const messages = (...list: object[]): DatasetConfig => ({ infer_cfg: { prompt_template: { messages: list as never } } })

/** The tool call of document 004 (InternLM2's chat format). */
const steps = messages(
  { role: 'user', content: '{question}' },
  {
    role: 'assistant',
    content: '好的，我将为你查询{place}的天气。',
    tool_calls: [{ name: 'get_current_weather', arguments: { location: '{city}' } }],
  },
  { role: 'tool', content: '{result}' },
)
const shanghai: Row = { question: '我想了解今天上海的天气', place: '上海', city: 'Shanghai', result: { temperature: 22 } }

describe('a template of messages', () => {
  test('writes what document 004 shows: calls, tool results, and the tools themselves', () => {
    expect(promptText(prompt({ format: 'internlm2' }, { ...steps, tools: [weather] }, shanghai))).toBe(
      `<s><|im_start|>system name=<|plugin|>
[{"name": "get_current_weather", "description": "Get the current weather in a given location", "parameters": {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}}]<|im_end|>
<|im_start|>user
我想了解今天上海的天气<|im_end|>
<|im_start|>assistant
好的，我将为你查询上海的天气。<|action_start|><|plugin|>
{"name": "get_current_weather", "parameters": {"location": "Shanghai"}}<|action_end|><|im_end|>
<|im_start|>environment name=<|plugin|>
{"temperature": 22}<|im_end|>
<|im_start|>assistant
`,
    )
  })

  test('names the speaker, and files are a JSON list', () => {
    const files = messages({ role: 'user', content: 'Plot it.' }, { role: 'user', name: 'file', content: '{files}' })
    expect(promptText(prompt({ format: 'internlm2' }, files, { files: [{ path: 'data.csv', size: '10K' }] }))).toContain(
      '<|im_start|>user name=file\n[{"path": "data.csv", "size": "10K"}]<|im_end|>\n',
    )
  })

  test('adds missing ids of calls and results, for chat servers', () => {
    const { messages: sent, tools } = JSON.parse(`{"messages":${bodyOf(prompt({ format: 'messages' }, steps, shanghai))},"tools":1}`) as {
      messages: object[]
      tools: number
    }
    expect(tools).toBe(1)
    expect(sent).toEqual([
      { role: 'user', content: shanghai.question },
      {
        role: 'assistant',
        content: '好的，我将为你查询上海的天气。',
        tool_calls: [
          { id: 'call00001', type: 'function', function: { name: 'get_current_weather', arguments: '{"location": "Shanghai"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call00001', content: '{"temperature": 22}' },
    ])
  })

  test('a text that is only a field keeps the field’s type, and calls may come from a column, also as JSON', () => {
    const calls = (tool_calls: unknown, row: Row) =>
      promptText(
        prompt(
          { format: 'internlm2' },
          messages({ role: 'user', content: 'Go.' }, { role: 'assistant', tool_calls }, { role: 'tool', content: 'ok' }),
          row,
        ),
      )
    expect(calls([{ name: 'go', arguments: { days: '{days}', to: 'Rome {days}' } }], { days: 3 })).toContain(
      '{"name": "go", "parameters": {"days": 3, "to": "Rome 3"}}',
    )
    const both: PyValue = [
      { name: 'a', arguments: {} },
      { name: 'b', arguments: { x: 1 } },
    ]
    expect(calls('{calls}', { calls: both })).toContain('{"name": "b", "parameters": {"x": 1}}')
    expect(calls('{calls}', { calls: JSON.stringify(both) })).toContain('{"name": "b", "parameters": {"x": 1}}')
  })

  test('an answer that is a call is omitted for the model', () => {
    const dataset = {
      ...messages({ role: 'user', content: '{question}' }, { role: 'assistant', tool_calls: '{calls}' }),
      reader_cfg: { input_columns: ['question'], output_column: 'calls' },
    }
    expect(promptText(prompt({ format: 'internlm2' }, dataset, { question: 'Hi', calls: [{ name: 'secret', arguments: {} }] }))).toBe(
      '<s><|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
    )
  })

  test('a message without text and calls is refused', () => {
    expect(() => prompt({ format: 'internlm2' }, messages({ role: 'user' }), {})).toThrow('the message says nothing and calls nothing')
  })
})

describe('a dialogue', () => {
  const dialogue: DatasetConfig = {
    infer_cfg: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: '{question}' },
            { role: 'BOT', prompt: 'Moment.', tool_calls: [{ name: 'get_current_weather', arguments: { location: '{city}' } }] },
            { role: 'environment', name: 'plugin', prompt: '{result}' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
    },
    reader_cfg: { output_column: 'answer' },
  }

  test('has the environment, names and calls', () => {
    expect(promptText(prompt({ format: 'internlm2' }, dialogue, { ...shanghai, answer: '22' }))).toBe(
      '<s><|im_start|>user\n我想了解今天上海的天气<|im_end|>\n<|im_start|>assistant\nMoment.<|action_start|><|plugin|>\n{"name": "get_current_weather", "parameters": {"location": "Shanghai"}}<|action_end|><|im_end|>\n<|im_start|>environment name=<|plugin|>\n{"temperature": 22}<|im_end|>\n<|im_start|>assistant\n',
    )
  })
})

describe("a dataset's tools", () => {
  const go = { name: 'go', parameters: { type: 'object', properties: {} } }

  const ask = messages({ role: 'user', content: '{question}' })
  const byRow = { ...ask, reader_cfg: { tools_column: 'tools' } }

  test('come from the config, from a column as a list or as JSON, or from both', () => {
    const internlm2 = (dataset: DatasetConfig, row: Row) => promptText(prompt({ format: 'internlm2' }, dataset, row))
    const line = '<|im_start|>system name=<|plugin|>\n[{"name": "go"}]<|im_end|>\n'
    expect(internlm2({ ...ask, tools: [{ name: 'go' }] }, { question: 'Hi' })).toContain(line)
    expect(internlm2(byRow, { question: 'Hi', tools: [{ type: 'function', function: { name: 'go' } }] })).toContain(line)
    expect(internlm2(byRow, { question: 'Hi', tools: '[{"name": "go"}]' })).toContain(line)
    expect(internlm2({ ...byRow, tools: [{ name: 'stay' }] }, { question: 'Hi', tools: '[{"name": "go"}]' })).toContain(
      '[{"name": "stay"}, {"name": "go"}]',
    )
    expect(internlm2(byRow, { question: 'Hi' })).not.toContain('plugin')
  })

  test('of a row belong to that row, however many rows there are', () => {
    const prepared = compilePrompt({ format: 'internlm2' }, byRow).prepare({ mode: 'gen' })
    for (const name of ['one', 'two', 'three'])
      expect(prepared.text({ question: 'Hi', tools: [{ name }] })).toContain(`[{"name": "${name}"}]`)
  })

  test('reach every kind of format that supports them', () => {
    const template = '{% for t in tools or [] %}<{{ t.function.name }}>{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}'
    expect(promptText(prompt({ chat_template: template }, { ...ask, tools: [go] }, { question: 'Hi' }))).toBe('<go>Hi')
    expect(promptText(prompt({ conv_template: 'gorilla-openfunctions-v2' }, { ...ask, tools: [go] }, { question: 'Hi' }))).toContain(
      '"name": "go"',
    )
    const round: DatasetConfig = {
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      tools: [go],
    }
    const api = {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
    }
    for (const model of [{ format: 'messages' }, { type: 'openai', meta_template: api }, { is_api: true, meta_template: api }]) {
      for (const dataset of [round, { ...ask, tools: [go] }]) {
        expect(prompt(model as ModelConfig, dataset, { question: 'Hi' })).toMatchObject({ tools: [{ name: 'go' }] })
      }
    }
  })

  test('are refused with a string template, and in a column of another type', () => {
    const text: DatasetConfig = { infer_cfg: { prompt_template: { template: '{question}' } }, tools: [{ name: 'go' }] }
    expect(() => prompt({ format: 'internlm2' }, text, { question: 'Hi' })).toThrow(
      'the template is a string, in which tools have no place',
    )
    expect(() => prompt({ format: 'internlm2' }, byRow, { question: 'Hi', tools: 3 })).toThrow(PromptError)
    expect(() => prompt({ format: 'internlm2' }, byRow, { question: 'Hi', tools: '[' })).toThrow('the tools are not JSON')
  })
})

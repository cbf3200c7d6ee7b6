import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { parseJson } from '../../../base/python/index.ts'
import { readMlcConfig } from './chat-config.ts'
import { mlcSettingsOf } from './mlc-settings.ts'
import { namedTemplates } from './mlc-templates.ts'
import { parseMlcConfig } from './parse-config.ts'
import { type ConversationSide, namedConversation, readMlcConversation } from './read-mlc-conversation.ts'
import { writeNew } from './read-new.ts'
import { writeOld } from './read-old.ts'
import { mlcTemplates } from './summary.ts'

/** The complete conv_config of document 003. */
const vicuna = {
  seps: [' ', '</s>'],
  stop_tokens: [2],
  offset: 0,
  separator_style: 0,
  messages: [],
  stop_str: '</s>',
  roles: ['USER', 'ASSISTANT'],
  role_msg_sep: ': ',
  role_empty_sep: ': ',
  system:
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions.",
  add_bos: true,
  name: 'vicuna_v1.1',
}

function complaint(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof PromptError) return error.message
    throw error
  }
  return 'nothing was thrown'
}

describe('a conversation template', () => {
  test('of document 003 loads as shown', () => {
    expect(readMlcConversation({ conv_config: vicuna })).toMatchObject({
      generation: 'old',
      roles: ['USER', 'ASSISTANT'],
      prefixIds: [],
      roleEmptySep: ': ',
    })
  })

  test('by a bare name is of the old generation if both have it, and by a full name of that generation', () => {
    expect(readMlcConversation({ conv_template: 'llama-2' }).generation).toBe('old')
    expect(readMlcConversation({ conv_template: 'new/llama-2' }).generation).toBe('new')
    expect(readMlcConversation({ conv_template: 'qwen3' }).generation).toBe('new')
  })

  test('as an object is read by the keys it has', () => {
    expect(readMlcConversation({ conv_template: { roles: { user: 'U', assistant: 'A' }, seps: ['|'] } }).generation).toBe('new')
    expect(readMlcConversation({ conv_template: vicuna }).generation).toBe('old')
  })

  test('keeps the fields that its changes do not name', () => {
    const changed = readMlcConversation({ conv_template: 'conv_one_shot', conv_config: { seps: ['|'] } })
    expect(changed).toEqual({
      ...readMlcConversation({ conv_template: 'conv_one_shot' }),
      seps: ['|'],
      changes: { path: 'conv_config', keys: ['seps'] },
    })
  })

  test('keeps as many of its messages as offset says, all by default', () => {
    const messages = [['USER', 'a'], ['ASSISTANT', 'b'], ['USER']]
    const history = (config: object) => {
      const read = readMlcConversation({ conv_template: 'vicuna_v1.1', conv_config: config })
      return read.history.length
    }
    expect([history({ messages }), history({ messages, offset: 2 }), history({ messages, offset: 0 })]).toEqual([3, 2, 0])
  })

  test('takes separator_style by number and by name', () => {
    const style = (separator_style: unknown) => readMlcConversation({ conv_template: 'vicuna_v1.1', conv_config: { separator_style } })
    expect([0, 1, 2, 'kSepRoleMsg', 'kCodeCompletion', 'kLM'].map((given) => (style(given) as { style: string }).style)).toEqual([
      'chat',
      'code-completion',
      'lm',
      'chat',
      'code-completion',
      'lm',
    ])
  })

  test('of the present generation reads ids and booleans as MLC does', () => {
    const read = readMlcConversation({
      conv_template: parseJson(
        '{"roles": {"user": "U", "assistant": "A"}, "seps": ["|"], "stop_token_ids": ["2", 3.0], "use_function_calling": "yes"}',
      ),
    })
    expect(read).toMatchObject({ stopIds: [2, 3], useFunctionCalling: true })
  })

  test('survives writing and reading, for every name', () => {
    for (const { key, generation } of namedTemplates) {
      const named = namedConversation(`${generation}/${key}`, 'x')
      const written = named.generation === 'old' ? writeOld(named) : writeNew(named)
      const read = readMlcConversation({ conv_template: written })
      expect(read).toEqual({ ...named, path: 'conv_template' })
    }
  })

  test('is listed with its name, both generations together', () => {
    const names = mlcTemplates().map(({ name }) => name)
    expect([names.length, new Set(names).size]).toEqual([89, 89])
    expect(names).toEqual(expect.arrayContaining(['vicuna_v1.1', 'llama-2', 'new/llama-2', 'old/chatml', 'new/chatml', 'qwen3']))
  })
})

describe('an unreadable template is an error with a path and a fix', () => {
  const over = (conv_config: unknown): ConversationSide => ({ conv_template: 'vicuna_v1.1', conv_config })
  const without = (key: string) => Object.fromEntries(Object.entries(vicuna).filter(([name]) => name !== key))
  const cases: [given: ConversationSide, message: string][] = [
    [
      { conv_template: 'Vicuna_v1.1' },
      'conv_template: there is no conversation template "Vicuna_v1.1". Did you mean "vicuna_v1.1"? (`rolecall list formats` lists them all).',
    ],
    [
      { conv_template: 'llama-9' },
      'conv_template: there is no conversation template "llama-9". Did you mean "llama-2" or "llama_default" or "llama-4" or "llama-3_1" or "llama-3"? (`rolecall list formats` lists them all).',
    ],
    [
      { conv_template: '' },
      'conv_template: there is no conversation template "". Choose one of the 89 shipped templates (`rolecall list formats` lists them all).',
    ],
    [{ conv_template: 3 }, 'conv_template: expected the name of a conversation template or an object. Write e.g. "vicuna_v1.1".'],
    [
      {},
      'conv_template: there is neither a "conv_template" nor a "conv_config". Name a template, e.g. "vicuna_v1.1", or write one in conv_config.',
    ],
    [{ conv_config: without('seps') }, 'conv_config.seps: "seps" is missing. Add it, or name a conv_template that this changes.'],
    [{ conv_config: {} }, 'conv_config.name: "name" is missing. Add it, or name a conv_template that this changes.'],
    [{ conv_config: [] }, 'conv_config: expected an object, found an empty list. Write { … }.'],
    [
      { conv_template: { roles: { user: 'U', assistant: 'A' } } },
      'conv_template.seps: "seps" is missing. Add it, or name a conv_template that this changes.',
    ],
    [over({ seps: [] }), 'conv_config.seps: the list is empty. Give it at least one entry.'],
    [over({ roles: ['USER'] }), 'conv_config.roles: expected two roles, found 1. Name the user and the model, e.g. ["USER", "ASSISTANT"].'],
    [
      over({ roles: ['a', 'b', 'c'] }),
      'conv_config.roles: expected two roles, found 3. Name the user and the model, e.g. ["USER", "ASSISTANT"].',
    ],
    [
      over({ offset: 6, messages: [['USER', 'a']] }),
      'conv_config.offset: the offset is 6, and there are 1 messages. Use 0 to 1, or leave it out to keep all messages.',
    ],
    [over({ offset: -1 }), 'conv_config.offset: the offset is -1, and there are 0 messages. Leave it out, or write 0.'],
    [over({ messages: [[]] }), 'conv_config.messages[0]: the list is empty. Give it at least one entry.'],
    [over({ sytem: 'x' }), 'conv_config.sytem: "sytem" is not known here. Did you mean "system"?'],
    [
      over({ system_message: 'x' }),
      'conv_config.system_message: "system_message" belongs to the other generation of conversation templates. Use the keys of this one: name, system, roles, messages, offset, separator_style, seps, role_msg_sep, role_empty_sep, stop_str, stop_tokens, add_bos, prefix_tokens.',
    ],
    [over({ stop_str: ['a'] }), 'conv_config.stop_str: expected a string, found a list. Write a string.'],
    [over(parseJson('{"offset": 2.0}')), 'conv_config.offset: expected an integer, found 2.0. Write 2.'],
    [
      { conv_template: 'qwen3', conv_config: { seps: ['a', 'b', 'c'] } },
      'conv_config.seps: expected one or two separators, found 3. Write one for all messages, or one for what the user says and one for what the model says.',
    ],
  ]
  for (const [given, message] of cases)
    test(message.split(/[:.] /)[0]! + message.length, () => expect(complaint(() => readMlcConversation(given))).toBe(message))
})

describe('mlc-chat-config.json', () => {
  test('is read in linear time, and what is not closed or too deep is an error', () => {
    for (const text of ['/*'.repeat(300_000), `"${'\\"'.repeat(300_000)}`, `{"a": ${' ,'.repeat(300_000)}`])
      expect(() => parseMlcConfig(text)).toThrow('this is not JSON')
    expect(parseMlcConfig('{"a": "/* b", // c\n "d": [1, /* , */ ], "e": "\\"//",}')).toEqual(
      parseMlcConfig('{"a": "/* b", "d": [1], "e": "\\"//"}'),
    )
    expect(() => parseMlcConfig('{} /* a')).toThrow('this is not JSON')
    const deep = parseMlcConfig(`{"conv_template": {"name": "x", "messages": ${'['.repeat(500)}${']'.repeat(500)}}}`)
    expect(() => readMlcConfig(deep)).toThrow(PromptError)
  })

  const document = `{  // mlc-chat-config.json
    ...
    "model_lib": "vicuna-v1-7b-q4f32_0",
    "local_id": "vicuna-v1-7b-q4f32_0",
    "conv_template": "vicuna_v1.1", /* or
    another */
    "temperature": 0.7,
    "repetition_penalty": 1.0,
    "top_p": 0.95,
    "mean_gen_len": 128,
    "shift_fill_factor": 0.3,
    "tokenizer_files": [
        "tokenizer.model", // "//" in a string is none
    ],
  }`

  test('of document 003 loads with its comments and trailing commas', () => {
    expect(readMlcConfig(parseMlcConfig(document))).toMatchObject({
      settings: { temperature: 0.7, repetitionPenalty: 1, topP: 0.95, meanGenLen: 128, maxGenLen: 512, shiftFillFactor: 0.3 },
      conversation: { name: 'vicuna_v1.1' },
      tokenizerFiles: ['tokenizer.model'],
      unused: [],
    })
    expect(parseMlcConfig('{"a": "x // y, ]", "b": "/* z */ \\" ,}"}')).toEqual({ a: 'x // y, ]', b: '/* z */ " ,}' })
  })

  test('has the defaults that the document states', () => {
    expect(readMlcConfig({ conv_template: 'vicuna_v1.1' }).settings).toMatchObject({ temperature: 0.7, repetitionPenalty: 1, topP: 0.95 })
  })

  test('of the present generation has its template as an object and its window', () => {
    const read = readMlcConfig({
      model_type: 'llama',
      quantization: 'q4f16_1',
      context_window_size: 8192,
      conv_template: { name: 'x', roles: { user: 'U', assistant: 'A' }, seps: ['|'] },
    })
    expect(read).toMatchObject({
      settings: { maxWindowSize: 8192 },
      conversation: { generation: 'new' },
      unused: ['mlc-chat-config.json.model_type', 'mlc-chat-config.json.quantization'],
    })
  })

  test('says with -1 that the window has no limit', () => {
    expect(readMlcConfig({ conv_template: 'rwkv', context_window_size: -1 }).settings.maxWindowSize).toBeUndefined()
  })

  test('gives way to the model’s own config', () => {
    expect(mlcSettingsOf({})).toBeUndefined()
    expect(
      mlcSettingsOf({
        mlc_config: { temperature: 0.2, max_window_size: 768 },
        temperature: 0,
        max_out_len: 16,
        generation_kwargs: { top_p: 0.5 },
      } as object),
    ).toMatchObject({
      temperature: 0,
      topP: 0.5,
      maxGenLen: 16,
      maxWindowSize: 768,
      repetitionPenalty: 1,
    })
  })

  const cases: [given: unknown, message: string][] = [
    [{ temprature: 1 }, 'mlc-chat-config.json.temprature: "temprature" is not known here. Did you mean "temperature"?'],
    [{ temperature: '0.7' }, 'mlc-chat-config.json.temperature: expected a number, found the string "0.7". Write a number.'],
    [parseJson('{"mean_gen_len": 128.0}'), 'mlc-chat-config.json.mean_gen_len: expected an integer, found 128.0. Write 128.'],
    [{ repetition_penalty: 0 }, 'mlc-chat-config.json.repetition_penalty: the number 0 is not greater than 0. Use 1.0 for no penalty.'],
    [{ temperature: -1 }, 'mlc-chat-config.json.temperature: the number -1 is out of range. Use 0 for greedy decoding, or more.'],
    [{ top_p: 1.5 }, 'mlc-chat-config.json.top_p: the number 1.5 is out of range. Use 0 to 1.'],
    [{ shift_fill_factor: 2 }, 'mlc-chat-config.json.shift_fill_factor: the number 2 is out of range. Use 0 to 1, e.g. 0.3.'],
    [
      { max_gen_len: -4 },
      'mlc-chat-config.json.max_gen_len: the number -4 is out of range. Use the maximum number of tokens of a reply, e.g. 512.',
    ],
    [
      { mean_gen_len: -5 },
      'mlc-chat-config.json.mean_gen_len: the number -5 is out of range. Use the number of tokens to keep free for a reply, e.g. 128.',
    ],
    [
      { max_window_size: 0 },
      'mlc-chat-config.json.max_window_size: the number 0 is out of range. Use the number of tokens, or -1 for no limit.',
    ],
    [{ frequency_penalty: 3 }, 'mlc-chat-config.json.frequency_penalty: the number 3 is out of range. Use -2 to 2.'],
    [
      'dist/vicuna',
      'mlc-chat-config.json: "dist/vicuna" is the path of a file that has not been read. Pass its content: parseMlcConfig(text).',
    ],
    [null, 'mlc-chat-config.json: expected an object, found nothing. Write { … }.'],
  ]
  for (const [given, message] of cases) test(message, () => expect(complaint(() => readMlcConfig(given))).toBe(message))

  test('that is not JSON says where', () => {
    expect(complaint(() => parseMlcConfig('{ // a comment\n  "temperature": }'))).toMatch(
      /^mlc-chat-config\.json: this is not JSON \(.*line 2.*\)\. Correct it\.$/,
    )
  })
})

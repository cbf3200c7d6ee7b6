import { describe, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { plain } from '../../base/text/index.ts'
import { compilePrompt } from '../compile/compile-prompt.ts'
import { compileFormat, type UncheckedFormatSettings } from './compile-format.ts'
import { isApiModel } from './meta/meta-template-kind.ts'
import { promptText } from './prompt-text.ts'

const lm = { round: [{ role: 'HUMAN' }] }
const api = { round: [{ role: 'HUMAN', api_role: 'HUMAN' }] }

describe('a model takes messages', () => {
  test('if its config says so, whatever else it says', () => {
    expect(isApiModel({ is_api: true, meta_template: lm })).toBe(true)
    expect(isApiModel({ is_api: false, meta_template: api, type: 'OpenAI' })).toBe(false)
  })

  test('if a role of its meta template has an api_role, or the meta template is a list', () => {
    expect(isApiModel({ meta_template: api })).toBe(true)
    expect(isApiModel({ meta_template: { ...lm, reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }] } })).toBe(true)
    expect(isApiModel({ meta_template: [{ role: 'system', content: 'x' }] })).toBe(true)
    expect(isApiModel({ meta_template: lm, type: 'OpenAI' })).toBe(false)
  })

  test('by its class if no role decides', () => {
    for (const type of ['OpenAI', 'opencompass.models.OpenAISDK', 'VLLMCustomAPI', 'Claude', 'Gemini', 'openai'])
      expect(isApiModel({ type })).toBe(true)
    for (const type of ['HuggingFaceCausalLM', 'embedded', undefined]) expect(isApiModel({ type })).toBe(false)
  })

  test('not if its meta template is invalid, which is found when it is compiled', () => {
    for (const meta of ['chatml', 3, null, { round: 'x' }, { round: [null] }]) expect(isApiModel({ meta_template: meta })).toBe(false)
  })
})

describe('a format', () => {
  const nameOf = (model: UncheckedFormatSettings) => compileFormat(model, quirksOf(undefined)).name

  test('is plain text without a meta template, and messages for an API model', () => {
    for (const meta of [undefined, null, {}]) {
      expect(nameOf({ meta_template: meta })).toBe('plain text')
      expect(nameOf({ meta_template: meta, is_api: true })).toBe('messages')
    }
  })

  test('is the meta template if there is one', () => {
    for (const meta of [lm, api, { begin: 'x' }, [{ role: 'system', content: 'x' }]])
      expect(nameOf({ meta_template: meta })).toBe('the meta template')
  })

  test('names the model in its errors', () => {
    expect(() => nameOf({ abbr: 'qwen', meta_template: 'chatml' })).toThrow(expect.objectContaining({ where: 'qwen › meta_template' }))
    expect(() => nameOf({ meta_template: [{ role: 'system', content: 'x' }], is_api: false })).toThrow(
      expect.objectContaining({ code: 'wrong-type', where: 'meta_template', fix: 'write an object with begin, round and end' }),
    )
  })

  test('may be a shipped one by name, and then there is no meta template', () => {
    expect(() => nameOf({ abbr: 'qwen', format: 'chatm' })).toThrow(
      expect.objectContaining({ code: 'unknown-format', where: 'qwen › format', fix: expect.stringContaining('chatml') }),
    )
    expect(() => nameOf({ format: 'constructor' })).toThrow(expect.objectContaining({ code: 'unknown-format' }))
    expect(() => nameOf({ format: 'chatml', meta_template: lm })).toThrow(expect.objectContaining({ code: 'two-formats', where: 'format' }))
    expect(nameOf({ format: 'chatml' })).toBe('the meta template')
  })

  test('renders prompts of its own kind', () => {
    const kindOf = (model: UncheckedFormatSettings) =>
      compileFormat(model, quirksOf(undefined)).render(
        { kind: 'text', content: [plain('x', { by: 'field', path: 'q' })], notes: [] },
        { want: 'generate' },
      ).kind
    expect([{}, { meta_template: lm }, { is_api: true }, { meta_template: api }].map(kindOf)).toEqual([
      'completion',
      'completion',
      'chat',
      'chat',
    ])
  })
})

describe('a model on a server that declares no format', () => {
  const dataset: DatasetConfig = {
    infer_cfg: {
      prompt_template: {
        template: {
          begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Add.' }],
          round: [
            { role: 'HUMAN', prompt: '{q}' },
            { role: 'BOT', prompt: '' },
          ],
        },
      },
    },
  }
  const promptOf = (model: ModelConfig) => compilePrompt(model, dataset).render({ row: { q: '1+1=?' }, mode: 'gen' }).prompt

  test('gets the ordinary string as one user message at a chat endpoint, and turns with `format: messages`', () => {
    const joined = promptOf({ type: 'openai' })
    expect(joined).toMatchObject({ kind: 'chat', messages: [{ role: 'user' }], notes: [{ code: 'turns-joined' }] })
    expect(promptText(joined)).toContain('Add.\n1+1=?')
    expect(promptOf({ type: 'openai', format: 'messages' })).toMatchObject({
      kind: 'chat',
      messages: [
        { role: 'system', content: [{ text: 'Add.' }] },
        { role: 'user', content: [{ text: '1+1=?' }] },
      ],
      notes: [],
    })
  })

  test('does not count the answer that the model is to give as a turn that was joined', () => {
    const template = {
      round: [
        { role: 'HUMAN', prompt: '{q}' },
        { role: 'BOT', prompt: '{a}' },
      ],
    }
    const sums: DatasetConfig = {
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      infer_cfg: { prompt_template: { template } },
    }
    const { prompt } = compilePrompt({ type: 'openai' }, sums).render({ row: { q: '1+1=?', a: '2' }, mode: 'gen' })
    expect(promptText(prompt)).toContain('1+1=?')
    expect(prompt.notes).toEqual([])
  })

  test('keeps the begin and end of a meta template without round (document 000: optional)', () => {
    const meta = { begin: 'B ', end: ' E', eos_token_id: 7 }
    expect(promptText(promptOf({ type: 'openai', endpoint: 'completions', meta_template: meta }))).toBe('B Add.\n1+1=? E')
    const sent = promptOf({ type: 'openai', meta_template: meta })
    expect(sent).toMatchObject({ kind: 'chat', messages: [{ role: 'user' }], stop: [{ id: 7 }] })
    expect(sent.notes.map(({ code }) => code)).toContain('turns-joined')
    expect(promptText(sent)).toContain('B Add.\n1+1=? E')
    expect(() => promptOf({ type: 'openai', meta_template: { ...meta, begin: [5] } })).toThrow(
      expect.objectContaining({ code: 'token-ids-in-message', where: 'meta_template.begin[0]' }),
    )
  })

  test('gets all turns in one message, as in OpenCompass, with `compat`', () => {
    const { prompt } = compilePrompt({ type: 'openai' }, { ...dataset, compat: 'opencompass' }).render({ row: { q: '1+1=?' }, mode: 'gen' })
    expect(prompt).toMatchObject({ kind: 'chat', messages: [{ role: 'user' }] })
    expect(promptText(prompt)).toContain('Add.\n1+1=?')
  })

  test('gets plain text at a completions endpoint, with a note', () => {
    const prompt = promptOf({ type: 'openai', endpoint: 'completions' })
    expect(promptText(prompt)).toBe('Add.\n1+1=?')
    expect(prompt.notes).toMatchObject([{ code: 'no-format' }])
    expect(promptOf({ type: 'openai', endpoint: 'completions', format: 'plain' }).notes).toEqual([])
  })
})

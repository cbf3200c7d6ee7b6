import { describe, expect, test } from 'vitest'
import type { ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { compileChat } from '../compile/compile-chat.ts'
import { mlcTemplates } from './mlc/summary.ts'
import { formatNamed, isFormatName } from './named-format.ts'
import { promptText } from './prompt-text.ts'

describe('a format by name', () => {
  test('accepts every name that `rolecall list formats` lists, including the conversation templates of MLC', () => {
    for (const { name } of mlcTemplates()) {
      expect(isFormatName(name)).toBe(true)
      expect(() => compileChat({ format: name })).not.toThrow()
    }
  })

  test('writes the same as conv_template, with changes of a conv_config, too', () => {
    const chat = { messages: [{ role: 'user', content: 'Hi' }] }
    const write = (model: ModelConfig) => promptText(compileChat(model).render(chat))
    expect(write({ format: 'vicuna_v1.1' })).toBe(write({ conv_template: 'vicuna_v1.1' }))
    expect(write({ format: 'vicuna_v1.1', conv_config: { system: 'Be brief.' } })).toMatch(/^Be brief\. USER: Hi /)
  })

  test('prefers a shipped format if both have the name', () => {
    expect(formatNamed('chatml', '--format')).toEqual({ format: 'chatml' })
    expect(formatNamed('old/chatml', '--format')).toEqual({ conv_template: 'old/chatml' })
  })

  test('that is unknown gets the nearest ones, and a hint about chat templates', () => {
    expect(() => formatNamed('llama3', '--format')).toThrow(
      expect.objectContaining({
        code: 'unknown-format',
        where: '--format',
        fix: expect.stringMatching(/^did you mean "llama-3" or .*with --format, or as chat_template in a config/),
      }),
    )
    expect(() => formatNamed('constructor', '--format')).toThrow(expect.objectContaining({ code: 'unknown-format' }))
  })
})

import { describe, expect, test } from 'vitest'
import { control, type Piece, textOf } from '../../../base/text/index.ts'
import { compileChat } from '../compile-chat.ts'
import { fitWindow, type WindowChat, type WindowOptions, windowChat } from './fit-window.ts'

const text = (words: string): Piece => control(words, { by: 'format', path: 'p' })
const chat: WindowChat = {
  prefix: [{ ids: [1], source: { by: 'tokenizer', path: 'bos' } }],
  all: ['system|', 'user one|', 'reply one|', 'user two|', 'reply two|', 'user three|', 'reply:'].map((words) => [text(words)]),
  hasSystem: true,
  lastRound: ['|', 'user three|', 'reply:'].map(text),
}
/** Every character is a token. */
const count = (pieces: readonly Piece[]) =>
  pieces.reduce((sum, piece) => sum + ('ids' in piece ? piece.ids.length : 'text' in piece ? piece.text.length : 0), 0)
const decide = (options: Partial<WindowOptions>, given = chat) =>
  fitWindow(given, { used: 0, maxWindowSize: 100, meanGenLen: 10, shiftFillFactor: 0.3, count, ...options })

describe('a chat for the window', () => {
  test('consists of the turns of two prompts', () => {
    const maker = compileChat({ conv_template: 'vicuna_v1.1', conv_config: { system: 'S' } })
    const messages = ['a', 'b', 'c'].map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content }))
    const made = windowChat(maker.render({ messages }), maker.render({ messages }, { want: 'last-round' }), { hasSystem: true })
    expect(made.all.map(textOf)).toEqual(['S ', 'USER: a ', 'ASSISTANT: b</s>', 'USER: c ', 'ASSISTANT:'])
    expect([made.prefix, textOf(made.lastRound)]).toMatchObject([[{ ids: [1] }], '</s>USER: c ASSISTANT:'])
    const api = compileChat({ format: 'messages' }).render({ messages })
    expect(() => windowChat(api, api, { hasSystem: false })).toThrow('messages go to a server, which keeps its own window')
  })
})

describe('a chat whose context fills up', () => {
  test('is sent unchanged while there is room for a reply', () => {
    const whole = decide({})
    expect([textOf(whole.pieces), whole.tokens, whole.shifted]).toEqual([
      'system|user one|reply one|user two|reply two|user three|reply:',
      63,
      false,
    ])
    const next = decide({ used: 60 })
    expect([textOf(next.pieces), next.shifted]).toEqual(['|user three|reply:', false])
  })

  test('restarts with the system text and the end of the chat, and notes what was dropped', () => {
    const shifted = decide({ used: 80 })
    expect(shifted).toMatchObject({
      shifted: true,
      fits: true,
      dropped: { start: 1, end: 4 },
      notes: [{ code: 'history-dropped', text: '3 messages were left out to stay within the window of 100 tokens' }],
    })
    expect(textOf(shifted.pieces)).toBe('system|reply two|user three|reply:')
    expect(shifted.pieces[0]).toEqual(chat.prefix[0])
  })

  test('keeps more with a larger shift_fill_factor, and at least the last round and the reply before it', () => {
    const kept = (shiftFillFactor: number) => textOf(decide({ used: 80, shiftFillFactor }).pieces)
    expect(kept(0)).toBe('system|reply two|user three|reply:')
    expect(kept(0.5)).toBe('system|reply one|user two|reply two|user three|reply:')
    expect(kept(0.9)).toBe('system|user one|reply one|user two|reply two|user three|reply:')
  })

  test('gets its system text once, even if nothing can be dropped', () => {
    const { pieces, dropped } = decide({ used: 80, shiftFillFactor: 0.9 })
    expect([textOf(pieces).split('system|').length - 1, dropped]).toEqual([1, { start: 1, end: 1 }])
  })

  test('may drop its first messages if it has no system text', () => {
    const { pieces } = decide({ used: 80 }, { ...chat, all: chat.all.slice(1), hasSystem: false })
    expect(textOf(pieces)).toBe('reply two|user three|reply:')
  })

  test('notes that a reply has little room, or that even the minimum is too long', () => {
    expect(decide({ used: 90, maxWindowSize: 40 })).toMatchObject({ fits: false, notes: [{}, { code: 'little-room' }] })
    expect(decide({ maxWindowSize: 30 })).toMatchObject({ fits: false, tokens: 35, notes: [{}, { code: 'too-long' }] })
    const cut = decide({ maxWindowSize: 30, keepLast: (pieces, tokens) => [text(textOf(pieces).slice(-tokens))] })
    expect([textOf(cut.pieces), cut.tokens, cut.notes.at(-1)!.code]).toEqual([
      'o|user three|reply:'.slice(-20).padStart(20, 'w'),
      20,
      'cut-to-window',
    ])
  })

  test('cannot be truncated if the expected reply fills the window', () => {
    expect(() => decide({ maxWindowSize: 30, meanGenLen: 30 })).toThrow(
      'mean_gen_len: a reply of 30 tokens is expected, and the window holds 30. Make mean_gen_len smaller than the window.',
    )
  })
})

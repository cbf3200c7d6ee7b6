import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embeddedTokenizer } from '../../../rolecall/src/node/models/load-embedded.ts'
import { control, plain, type Source } from '../base/text/index.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
import { plainReplies, unmarkedCalls } from './families/plain-replies.ts'
import { replySyntaxes } from './families/reply-syntaxes.ts'
import { openingOf } from './opening-of.ts'
import type { ReplyEvent } from './reply.ts'
import { exactIds, type ReaderOptions, ReplyReader, readReply } from './reply-reader.ts'

const tools = [{ name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }]
const tokenizer = embeddedTokenizer()
const { internlm2, hermes, think } = replySyntaxes

/** What events add up to. */
function addedUp(events: readonly ReplyEvent[]) {
  const said = { text: '', reasoning: '', calls: [] as unknown[] }
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') said[event.type] += event.text
    if (event.type === 'call-end') said.calls.push(event.call)
  }
  return said
}

describe('a reply as it comes', () => {
  const replies: [name: string, text: string, options: ReaderOptions][] = [
    [
      'thoughts, words and calls',
      '<think>Hm.</think>\n\nSure. <tool_call>{"name": "weather", "arguments": {}}</tool_call>',
      { syntax: hermes },
    ],
    ['a thought that the prompt opened', 'Hm.\n</think>\n\nSure.', { syntax: think, opening: '<|im_start|>assistant\n<think>\n' }],
    ['calls without marks', ' weather(city="Rome")\n', { syntax: unmarkedCalls }],
    ['a list of calls without marks', '["weather(city=\'Rome\')", "weather()"]', { syntax: unmarkedCalls }],
    ['words that begin as a call would', 'weather (in Rome) is fine', { syntax: unmarkedCalls }],
    ['words where there might be calls', 'The weather is fine.', { syntax: unmarkedCalls }],
    ['a call of a tool that is not there', 'forecast(city="Rome")', { syntax: unmarkedCalls }],
  ]
  for (const [name, text, options] of replies) {
    test(`${name}: cut in any way it is what it is when whole`, () => {
      const whole = readReply({ text }, { ...options, tools })
      fc.assert(
        fc.property(fc.array(fc.nat(text.length)), (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), text.length]
          const reader = new ReplyReader({ ...options, tools })
          const events = places.slice(1).flatMap((end, index) => reader.text(text.slice(places[index], end)))
          // The last words may come only with the end.
          events.push(...reader.end({ text }))
          expect(reader.reply).toEqual(whole)
          const { text: said, reasoning, calls } = whole
          expect(addedUp(events)).toEqual({ text: said, reasoning, calls })
        }),
      )
    })
  }

  test('words are not kept back once they cannot become a call', () => {
    const reader = new ReplyReader({ syntax: unmarkedCalls, tools })
    expect(reader.text('wea')).toEqual([])
    expect(reader.text('lth')).toEqual([{ type: 'text', text: 'wealth' }])
    expect(reader.text('(x)')).toEqual([{ type: 'text', text: '(x)' }])
  })

  test('text that was not streamed is reported at the end', () => {
    const reader = new ReplyReader({ syntax: plainReplies })
    expect(reader.text('It is ')).toEqual([{ type: 'text', text: 'It is ' }])
    expect(reader.end({ text: 'It is fine.' })).toEqual([{ type: 'text', text: 'fine.' }])
    expect(reader.written).toBe('It is fine.')
  })
})

describe('calls without marks', () => {
  const read = (text: string, given: readonly unknown[] = tools) => readReply({ text }, { syntax: unmarkedCalls, tools: given })

  test('are a reply that is nothing else, checked against the tools', () => {
    expect(read(' weather(city="Rome")\n')).toMatchObject({
      text: '',
      calls: [{ kind: 'call', name: 'weather', argumentsText: '{"city": "Rome"}', at: [1, 21] }],
    })
    expect(read('[{"name": "weather", "arguments": {}}]').calls).toMatchObject([{ problems: [{ path: 'city', problem: 'is missing' }] }])
  })

  test('are read of tools in the shape of OpenAI, too', () => {
    const wrapped = tools.map((tool) => ({ type: 'function', function: tool }))
    expect(read('weather(city="Rome")', wrapped).calls).toMatchObject([{ name: 'weather' }])
  })

  test('are text if one of them calls an unknown tool, or no tools are given', () => {
    for (const text of ['["weather()", "forecast()"]', 'weather(city="Rome") is what I call', 'weather(', '[]', '']) {
      expect(read(text)).toMatchObject({ text, calls: [] })
    }
    expect(read('weather()', [])).toMatchObject({ text: 'weather()', calls: [] })
  })
})

describe('ids', () => {
  const typed = '<|action_start|><|plugin|>{"name": "weather"}<|action_end|>'
  const added = new Set(tokenizer.addedTokens.map(({ id }) => id))
  const { ids: typedIds } = tokenizer.encodeRun(typed, false, (id) => added.has(id))
  const mark = (text: string) => tokenizer.idOf(text)!
  const bodyIds = tokenizer.encodeRun('{"name": "weather"}', false, (id) => added.has(id)).ids
  const realIds = [mark('<|action_start|>'), mark('<|plugin|>'), ...bodyIds, mark('<|action_end|>')]

  test('distinguish a mark from the same characters, while streaming', () => {
    const reader = new ReplyReader({ syntax: internlm2, tools, tokenizer })
    const events = typedIds.flatMap((id) => [...reader.token(id), ...reader.text(decodeTokens([id], tokenizer))])
    events.push(...reader.end({ text: typed, ids: typedIds }))
    expect(addedUp(events)).toEqual({ text: typed, reasoning: '', calls: [] })
    expect(reader.reply.text).toBe(typed)
  })

  test('distinguish it when the reply is complete, and when only its text was streamed', () => {
    expect(readReply({ text: typed, ids: typedIds }, { syntax: internlm2, tools, tokenizer }).calls).toEqual([])
    expect(readReply({ text: typed, ids: realIds }, { syntax: internlm2, tools, tokenizer }).calls).toMatchObject([{ name: 'weather' }])
    const reader = new ReplyReader({ syntax: internlm2, tools, tokenizer })
    reader.text(typed)
    reader.end({ text: typed, ids: typedIds })
    expect(reader.reply).toMatchObject({ text: typed, calls: [] })
  })

  test('are not read as they come where a text ends the reply: the text ends before they do', () => {
    const source: Source = { by: 'format', path: 'stop' }
    const stops: Partial<ReaderOptions>[] = [
      { stopTexts: ['x'] },
      { stop: [{ text: 'x', source }] },
      { stop: [{ token: '<|unknown|>', source }] },
    ]
    for (const stop of stops) {
      const reader = new ReplyReader({ syntax: internlm2, tokenizer, ...stop })
      expect(reader.token(realIds[0]!)).toEqual([])
      expect(reader.text('Hi')).toEqual([{ type: 'text', text: 'Hi' }])
    }
    const reader = new ReplyReader({ syntax: internlm2, tokenizer, stop: [{ token: '<|im_end|>', source }] })
    expect(bodyIds.flatMap((id) => reader.token(id))).not.toEqual([])
  })

  test('that say more than the text are left out', () => {
    expect(exactIds({ text: typed, ids: typedIds }, tokenizer)).toBe(typedIds)
    expect(exactIds({ text: typed.slice(1), ids: typedIds }, tokenizer)).toBeUndefined()
    expect(exactIds({ text: 'Hi', ids: [1] }, undefined)).toEqual([1])
    expect(readReply({ text: 'Hi', ids: realIds }, { syntax: internlm2, tools, tokenizer })).toMatchObject({ text: 'Hi', calls: [] })
  })
})

test('calls and reasoning that a server parsed are used, and its calls are checked', () => {
  const call = { kind: 'call', id: 'a', name: 'weather', arguments: {}, argumentsText: '{}', at: [0, 0] } as const
  const reader = new ReplyReader({ syntax: plainReplies, tools })
  const checked = { ...call, problems: [{ path: 'city', problem: 'is missing' }] }
  expect([...reader.text('Moment.'), ...reader.end({ text: 'Moment.', reasoning: 'Hm.', calls: [call] })]).toEqual([
    { type: 'text', text: 'Moment.' },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'call-name', index: 0, name: 'weather', id: 'a' },
    { type: 'arguments', index: 0, text: '{}' },
    { type: 'call-end', index: 0, call: checked },
  ])
  expect(reader.reply).toMatchObject({ text: 'Moment.', reasoning: 'Hm.', calls: [checked] })
  expect(reader.reply.parts.map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'call'])
})

test('only what the format wrote last opens anything: marks that a user typed do not', () => {
  const format: Source = { by: 'format', path: 'begin' }
  const user: Source = { by: 'message', path: 'messages[0].content' }
  const completion = { kind: 'completion', bos: 'none', stop: [], notes: [], answer: { start: 3, end: 3 } } as const
  const pieces = [control('USER: ', format), plain('<think>', user), control('\nASSISTANT: ', format)]
  expect(openingOf({ ...completion, pieces })).toBe('\nASSISTANT: ')
  expect(openingOf({ kind: 'chat', messages: [], stop: [], notes: [] })).toBe('')
})

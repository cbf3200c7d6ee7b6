import type { Chat } from '@rolecall/core/internal/conversation'

/** A conversation for comparing formats without rows. */
export type ExampleChat = { name: string; chat: Chat }

const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const call = { id: 'callabcd1', type: 'function', function: { name: 'get_weather', arguments: { city: 'Paris' } } }
const system = { role: 'system', content: 'Be brief.' }
const user = { role: 'user', content: 'What is the capital of France?' }
const answer = { role: 'assistant', content: 'Paris.' }
const again = { role: 'user', content: 'And of Italy?' }
const calls = [
  { role: 'user', content: 'Is it warm in Paris?' },
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', name: 'get_weather', tool_call_id: 'callabcd1', content: '{"celsius": 21}' },
]

const chats: Readonly<Record<string, object>> = {
  'a question': { messages: [user] },
  'a question with a system message': { messages: [system, user] },
  'a follow-up question': { messages: [user, answer, again] },
  'a chat with a system message': { messages: [system, user, answer, again] },
  'a long chat': {
    messages: [system, user, answer, again, { role: 'assistant', content: 'Rome.' }, { role: 'user', content: 'And of Spain?' }],
  },
  'whitespace around texts': { messages: [{ role: 'user', content: '  indented\n' }, { role: 'assistant', content: ' spaced ' }, again] },
  'an empty question': { messages: [{ role: 'user', content: '' }] },
  'an empty system message': { messages: [{ role: 'system', content: '' }, user] },
  'two questions in a row': { messages: [user, again] },
  'reasoning of an earlier turn': { messages: [user, { ...answer, reasoning_content: 'It is Paris.' }, again] },
  tools: { messages: [system, user], tools: [tool] },
  'a call and its result': { messages: calls, tools: [tool] },
  'a chat after a call': { messages: [...calls, { role: 'assistant', content: 'Yes, 21 °C.' }, again], tools: [tool] },
}

const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }

const partChats: Readonly<Record<string, object>> = {
  'a question with a system message': { messages: [system, user] },
  'a question as one part': { messages: [{ role: 'user', content: [text('What is the capital of France?')] }] },
  'a question in three parts': { messages: [{ role: 'user', content: [text('France.'), text('Its capital?'), text('One word.')] }] },
  'a system message in parts': { messages: [{ role: 'system', content: [text('Be brief.'), text('Be kind.')] }, user] },
  'an answer in parts': { messages: [user, { role: 'assistant', content: [text('Paris.'), text('Why?')] }, again] },
  'an empty part': { messages: [{ role: 'user', content: [text(''), text('Hello'), text('')] }] },
  'an answer without content': { messages: [user, { role: 'assistant', content: null }, again] },
  'a result in parts': { messages: [...calls.slice(0, 2), { ...calls[2], content: [text('21 °C'), text('sunny')] }], tools: [tool] },
  'an image before the question': { messages: [{ role: 'user', content: [image, text('Which animal is it?')] }] },
  'an image between texts': { messages: [{ role: 'user', content: [text('Look:'), image, text('Which animal is it?')] }] },
  'two images': { messages: [{ role: 'user', content: [image, text('and'), image, text('Which is older?')] }] },
  audio: {
    messages: [
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }, text('What is said?')] },
    ],
  },
}

/** Conversations with parts, which serving stacks prepare differently. */
export const partsExamples: readonly ExampleChat[] = Object.entries(partChats).map(([name, chat]) => ({ name, chat: chat as Chat }))

/** Conversations that formats commonly write differently. */
export const exampleChats: readonly ExampleChat[] = Object.entries(chats).map(([name, chat]) => ({ name, chat: chat as Chat }))

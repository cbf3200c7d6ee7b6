import { compileChat } from '../../packages/core/src/internal/compile.ts'
import { ByteSink, type Chat } from '../../packages/rolecall/src/formats.ts'
import type { Prompt } from '../../packages/rolecall/src/index.ts'
import { perSecond } from './measure.ts'
import type { Measurement } from './rendering.ts'

const words = 'the quick brown fox jumps over lazy dogs while seventeen physicists measure oscillating pendulums near Geneva in May'.split(
  ' ',
)

function sentence(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => words[(seed * 7 + index * 3 + ((seed * index) % 5)) % words.length]).join(' ')
}

/** Ten different turns of about 1 KB in total. */
function chatOf(seed: number): Chat {
  const turns = Array.from({ length: 9 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: sentence(seed * 10 + index, 12),
  }))
  return { messages: [{ role: 'system', content: sentence(seed, 10) }, ...turns] }
}

const tools = [
  { name: 'weather', description: 'Weather in a city.', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
]

/** The same chat with tools, a call and its result, rendered in full. */
function withTools({ messages }: Chat): Chat {
  const call = { role: 'assistant', content: null, tool_calls: [{ name: 'weather', arguments: { city: 'Geneva' } }] }
  return { messages: [...messages, call, { role: 'tool', content: '{"temperature": 22}' }], tools }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The parts of a prompt: messages and the markers between them, each a flat string. */
function textsOf(prompt: Prompt): string[] {
  if (prompt.kind !== 'completion') throw new Error('a chat server has no prompt')
  const texts: string[] = []
  let wasControl = false
  for (const piece of prompt.pieces) {
    if (!('text' in piece)) throw new Error('ids have no text')
    if (wasControl && piece.control) texts.push(texts.pop() + piece.text)
    else texts.push(piece.text)
    wasControl = piece.control
  }
  return texts.map((text) => decoder.decode(encoder.encode(text)))
}

/**
 * A chat of ten turns as bytes: unrelated chats; a continued chat with one new message; with full
 * provenance; and with tools.
 *
 * There are two baselines. As in other benchmarks, one writes the finished prompt, one string, into the same buffer. But a chat's prompt
 * is never available as one string: its turns are separate. So the other joins the same parts, without inspecting them, and
 * writes the result; joining first is the fastest way to write twenty short texts, since each call of the encoder costs as much as 50 bytes.
 */
export function measureChats(): [string, Measurement][] {
  const maker = compileChat('internlm2')
  const prepared = maker.prepare()
  const sink = new ByteSink(1 << 16)
  const measure = (chats: readonly Chat[], step: (chat: Chat) => void): Measurement => {
    const finished = chats.map((chat) => prepared.text(chat))
    const texts = chats.map((chat) => textsOf(maker.render(chat)))
    const floor = perSecond((index) => encoder.encodeInto(finished[index % finished.length]!, sink.bytes))
    const joined = perSecond((index) => {
      let text = ''
      for (const one of texts[index % texts.length]!) text += one
      encoder.encodeInto(text, sink.bytes)
    })
    const rate = perSecond((index) => step(chats[index % chats.length]!))
    return {
      perSecond: Math.round(rate),
      floorRatio: Number((floor / rate).toFixed(2)),
      joinedRatio: Number((joined / rate).toFixed(2)),
      characters: finished[0]!.length,
    }
  }
  const write = (chat: Chat) => {
    sink.clear()
    prepared.write(chat, sink)
  }
  let last: Prompt | undefined
  const render = (chat: Chat) => {
    last = maker.render(chat)
  }
  const plain = Array.from({ length: 256 }, (_, seed) => chatOf(seed))
  const history = plain[0]!.messages.slice(0, -1)
  const running = plain.map(({ messages }) => ({ messages: [...history, messages.at(-1)!] }))
  const called = plain.map(withTools)
  const results: [string, Measurement][] = [
    ['chat-10turns-bytes', measure(plain, write)],
    ['chat-10turns-running', measure(running, write)],
    ['chat-10turns-provenance', measure(plain, render)],
    ['chat-tools-bytes', measure(called, write)],
  ]
  if (!last) throw new Error('nothing was rendered')
  return results
}

import { compileChat } from '../../packages/core/src/internal/compile.ts'
import { ByteSink, type Chat } from '../../packages/rolecall/src/formats.ts'
import { perSecond } from './measure.ts'
import type { Measurement } from './rendering.ts'

const words = 'the quick brown fox jumps over lazy dogs while seventeen physicists measure oscillating pendulums near Geneva in May'.split(
  ' ',
)

function sentence(seed: number): string {
  return Array.from({ length: 4 + (seed % 4) }, (_, index) => words[(seed * 7 + index * 3) % words.length]).join(' ')
}

/** Ten questions and nine replies, about 800 characters as a prompt. */
function tenTurns(seed: number): Chat {
  return {
    messages: Array.from({ length: 19 }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: sentence(seed + index) })),
  }
}

const encoder = new TextEncoder()

/** Rates of MLC-LLM in Python, WebLLM and the old C++ for such a conversation (from the notes: other runs on similar hardware). */
const templates = [
  { name: 'vicuna', model: { conv_template: 'vicuna_v1.1', conv_config: { system: '' } }, reference: 360_000 },
  { name: 'chatml', model: { conv_template: 'chatml_nosystem' }, reference: 215_000 },
] as const

/** Conversations of ten turns: continued ones with one new message, and entirely new ones. */
export function measureMlcChats(): [string, Measurement][] {
  return templates.flatMap(({ name, model, reference }) => {
    const chat = compileChat(model).prepare()
    const sink = new ByteSink(1 << 16)
    const anew = Array.from({ length: 256 }, (_, index) => tenTurns(index * 31))
    const history = tenTurns(5).messages.slice(0, -1)
    const running = anew.map(({ messages }) => ({ messages: [...history, messages.at(-1)!] }))
    const measure = (chats: readonly Chat[]): Measurement => {
      const finished = chats.map((one) => encoder.encode(chat.text(one)))
      const texts = finished.map((bytes) => new TextDecoder().decode(bytes))
      const floor = perSecond((index) => encoder.encodeInto(texts[index % texts.length]!, sink.bytes))
      const rate = perSecond((index) => {
        sink.clear()
        chat.write(chats[index % chats.length]!, sink)
      })
      return { perSecond: Math.round(rate), floorRatio: Number((floor / rate).toFixed(2)), characters: texts[0]!.length, reference }
    }
    return [
      [`mlc-10turns-${name}`, measure(running)],
      [`mlc-10turns-${name}-anew`, measure(anew)],
    ]
  })
}

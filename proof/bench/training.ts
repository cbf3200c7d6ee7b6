import { compileChat } from '../../packages/core/src/internal/compile.ts'
import { readHuggingFaceTokenizer } from '../../packages/core/src/internal/tokenizer.ts'
import { readChat } from '../../packages/rolecall/src/formats.ts'
import type { Format, Prompt, Tokenizer } from '../../packages/rolecall/src/index.ts'
import { RunMemo, tokenize } from '../../packages/rolecall/src/tokenizers.ts'
import { continueChat, trainingRow } from '../../packages/rolecall/src/training.ts'
import { vocabularyJson } from '../cases/real-vocabularies.ts'
import { sentence, talk } from './sentences.ts'
import { sized } from './sizes.ts'

export type MaskMeasurement = {
  perSecond: number
  /** Time relative to rendering and encoding the same conversations. */
  tokenizingRatio: number
}

export type NextTurnMeasurement = {
  perSecond: number
  /** Time relative to the second turn of a chat. */
  secondTurnRatio: number
}

type Measured = { masks: [string, MaskMeasurement][]; nextTurns: [string, NextTurnMeasurement][] }

/** Training rows of ten-turn conversations, compared with their ids alone; and the next turn of a chat of 200, compared with that of two. */
export function measureTraining(): Measured {
  const { json, config } = vocabularyJson('llama3') as { json: object; config: { chat_template: string } }
  const tokenizer = readHuggingFaceTokenizer(json, config, 'llama3')
  const formats: [string, Format][] = [
    ['chatml', compileChat('chatml').format],
    ['llama3', compileChat({ chat_template: config.chat_template, chat_template_kwargs: { bos_token: '<|begin_of_text|>' } }).format],
  ]
  return {
    masks: formats.map(([name, format]) => [`masks-10turns-${name}`, measureMasks(format, tokenizer)]),
    nextTurns: formats.map(([name, format]) => [`next-turn-200-${name}`, measureNextTurn(format, tokenizer)]),
  }
}

function measureMasks(format: Format, tokenizer: Tokenizer): MaskMeasurement {
  const chats = Array.from({ length: sized(100, 2) }, (_, seed) => ({ messages: talk(seed, 10) }))
  const { markers, tokens } = format
  const ways = {
    ids: (chat: (typeof chats)[number], memo: RunMemo) => {
      const prompt = format.render(readChat(chat), { want: 'complete' }) as Prompt & { kind: 'completion' }
      tokenize(prompt, tokenizer, { markers, tokens, memo })
    },
    masks: (chat: (typeof chats)[number], memo: RunMemo) => void trainingRow(chat, { format, tokenizer, memo }),
  }
  const { ids, masks } = inTurns(ways, (way) => {
    const memo = new RunMemo()
    for (const chat of chats) way(chat, memo)
  })
  return { perSecond: Math.round(chats.length / masks), tokenizingRatio: Number((masks / ids).toFixed(3)) }
}

function measureNextTurn(format: Format, tokenizer: Tokenizer): NextTurnMeasurement {
  const chatOf = (turns: number) => {
    const messages = talk(1, turns)
    const prompt = format.render(readChat({ messages }), { want: 'generate' }) as Prompt & { kind: 'completion' }
    const { ids } = tokenize(prompt, tokenizer, { markers: format.markers, tokens: format.tokens })
    const reply = { role: 'assistant', content: sentence(7, 20) }
    return { running: { messages, promptIds: ids, replyIds: [...tokenizer.encodeRun(reply.content, false, () => false).ids] }, reply }
  }
  const [short, long] = [chatOf(1), chatOf(sized(201, 5))]
  const times = sized(50, 1)
  const next = [{ role: 'user', content: sentence(3, 20) }]
  const step =
    ({ running, reply }: typeof short) =>
    () => {
      for (let time = 0; time < times; time++)
        if (!continueChat(running, reply, next, { format, tokenizer }).isAppended) throw new Error('the chat was not continued')
    }
  const seconds = inTurns({ short: step(short), long: step(long) }, (way) => way())
  return { perSecond: Math.round(times / seconds.long), secondTurnRatio: Number((seconds.long / seconds.short).toFixed(2)) }
}

/** The median seconds of each variant, interleaved. */
function inTurns<Ways extends Record<string, unknown>>(ways: Ways, run: (way: Ways[keyof Ways]) => void): Record<keyof Ways, number> {
  const taken = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]))
  for (let round = 0; round < sized(9, 3); round++) {
    for (const [name, way] of Object.entries(ways)) {
      const start = performance.now()
      run(way as Ways[keyof Ways])
      if (round > 1) taken[name]!.push((performance.now() - start) / 1000)
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)])) as Record<keyof Ways, number>
}

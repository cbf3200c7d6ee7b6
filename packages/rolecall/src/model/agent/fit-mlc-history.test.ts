import { expect, test } from 'vitest'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import type { ChatMessage } from '../../../../core/src/prompt/conversation/chat-message.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { tokenCounter } from '../../../../core/src/prompt/tokenizer/count-tokens.ts'
import { embeddedTokenizer } from '../../node/models/load-embedded.ts'
import { fitMlcHistory } from './fit-mlc-history.ts'

const maker = compileChat({ mlc_config: { conv_template: 'vicuna_v1.1', mean_gen_len: 20, shift_fill_factor: 0.3 } })
const count = tokenCounter(embeddedTokenizer(), maker.format.markers)
const messages: ChatMessage[] = Array.from({ length: 12 }, (_, index) => [
  { role: 'user', content: `${index}+1=?` },
  { role: 'assistant', content: `${index + 1}, I think` },
]).flat()
const asked = [...messages, { role: 'user', content: 'And 12+30=?' }]
const render = (given: readonly ChatMessage[]) => maker.render({ messages: given })
const fitting = { reserve: 20, fill: 0.3, dropped: 0, render, count }

test('nothing is dropped while prompt and reply fit', () => {
  const fitted = fitMlcHistory(asked, { ...fitting, window: 4096 })
  expect(fitted).toMatchObject({ dropped: 0, notes: [] })
  expect(promptText(fitted.prompt)).toBe(promptText(render(asked)))
})

test('after an overflow the window is refilled from the end, as document 003’s chats do, with a note', () => {
  const { prompt, dropped, notes } = fitMlcHistory(asked, { ...fitting, window: count(render(asked)) + 10 })
  expect(dropped).toBeGreaterThan(5)
  expect(promptText(prompt)).toMatch(
    /questions\. ASSISTANT: 11, I think<\/s>USER: 11\+1=\? ASSISTANT: 12, I think<\/s>USER: And 12\+30=\? ASSISTANT:$/,
  )
  expect(promptText(prompt)).toContain('A chat between a curious user')
  expect(promptText(prompt)).toContain('And 12+30=?')
  expect(notes).toMatchObject([{ code: 'history-dropped' }])
})

test('dropped messages stay dropped', () => {
  const window = count(render(asked)) + 10
  const { dropped } = fitMlcHistory(asked, { ...fitting, window })
  const longer = [...asked, { role: 'assistant', content: '42' }, { role: 'user', content: 'Thanks' }]
  const next = fitMlcHistory(longer, { ...fitting, window, dropped })
  expect(next).toMatchObject({ dropped, notes: [] })
  expect(promptText(next.prompt)).toMatch(/questions\. ASSISTANT: 11, I think<\/s>.*USER: Thanks ASSISTANT:$/)
})

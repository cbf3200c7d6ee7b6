import { expect, test } from 'vitest'
import { ByteSink } from '../../../../../core/src/base/text/byte-sink.ts'
import type { TaskMessage } from './message.ts'
import { SharedMessages, TaskPrompt } from './task-prompt.ts'

const message = (text: string, behind?: string): TaskMessage => ({
  role: 'user',
  content: [{ text, path: 't' }],
  ...(behind === undefined ? {} : { delimiter: { text: behind, path: 'd' } }),
})

function written(prompt: TaskPrompt, behind: string): string {
  const sink = new ByteSink()
  prompt.write(sink, behind)
  return new TextDecoder().decode(sink.written())
}

test('bytes, text and messages of a prompt agree', () => {
  const prompt = new TaskPrompt([new SharedMessages([message('Sür', '\n')]), new SharedMessages([message('')])], [message('q', ':')])
  expect([prompt.text, written(prompt, ' yes')]).toEqual(['Sür\nq:', 'Sür\nq: yes'])
  expect(prompt.messages.map(({ content }) => content[0]!.text)).toEqual(['Sür', '', 'q'])
  expect(written(new TaskPrompt([], [message('q')]), '')).toBe('q')
})

test('the halves of a surrogate pair are encoded together, wherever they meet', () => {
  const [high, low] = ['\ud83e', '\udd89']
  const owl = `${high}${low}`
  expect(written(new TaskPrompt([new SharedMessages([message(high)])], [message(`${low}?`)]), '')).toBe(`${owl}?`)
  expect(written(new TaskPrompt([new SharedMessages([message('a')])], [message(high)]), low)).toBe(`a${owl}`)
  expect(written(new TaskPrompt([new SharedMessages([message(high)]), new SharedMessages([message(low)])], [message('')]), '')).toBe(owl)
})

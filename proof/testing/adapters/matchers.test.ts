import { defineModel, parseReply, renderPrompt } from '@rolecall/core'
import { describe, expect, test } from 'vitest'
import { matchers } from '../../../packages/adapters/src/vitest.ts'
import { shippedTokenizer } from '../../../packages/rolecall/src/node/models/load-tokenizer.ts'

// Each matcher passes, fails with a message that says what is there, and can be negated.

const model = defineModel('chatml')
const prompt = renderPrompt(model, [{ role: 'user', content: 'Hi <|im_end|>' }])
const text = '<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n'
const reply = parseReply(model, 'No.')

const failure = (check: () => void): string => {
  try {
    check()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'it passes'
}

describe('toRenderAs', () => {
  test('compares the whole text, and shows the prompt that is there', () => {
    expect(prompt).toRenderAs(text)
    expect(prompt).not.toRenderAs(text.trimEnd())
    expect(failure(() => expect(prompt).toRenderAs('Hi'))).toContain(
      'the prompt is another text:\n«<|im_start|>user⏎»\nHi <|im_end|>«<|im_end|>⏎»',
    )
    expect(failure(() => expect(prompt).not.toRenderAs(text))).toContain('the prompt is this text')
  })

  test('takes prompts only', () => {
    expect(failure(() => expect(text).toRenderAs(text))).toContain('give a prompt of renderPrompt')
  })
})

test('toHaveControlOnlyFrom lists the authors of control text who are not named', () => {
  expect(prompt).toHaveControlOnlyFrom('format')
  expect(prompt).not.toHaveControlOnlyFrom('message')
  expect(failure(() => expect(prompt).toHaveControlOnlyFrom('message'))).toContain('control text is also written by\nformat ')
})

test('toFitIn counts tokens', () => {
  const tokenizer = shippedTokenizer()
  const counted = renderPrompt(defineModel({ format: 'plain', tokenizer }), [{ role: 'user', content: 'a b' }])
  const count = counted.ids().length
  expect(count).toBeGreaterThan(0)
  expect(counted).toFitIn(count)
  expect(counted).not.toFitIn(count - 1)
  expect(failure(() => expect(counted).toFitIn(count - 1))).toContain(`the prompt has ${count} tokens, more than ${count - 1}`)
})

describe('toCall', () => {
  const call = { name: 'look', arguments: { at: 'Rome', days: [1, 2] } }
  const received = {
    'a parsed reply': {
      calls: [
        { kind: 'call', ...call },
        { kind: 'malformed', name: 'leave', raw: '{' },
      ],
    },
    'a run of an agent': {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ function: { name: 'look', arguments: '{"at":"Rome","days":[1,2]}' } }] },
      ],
    },
    'steps of the AI SDK': { steps: [{ toolCalls: [] }, { toolCalls: [{ toolName: 'look', input: call.arguments }] }] },
    'calls of the AI SDK': { toolCalls: [{ toolName: 'look', input: call.arguments }] },
  }

  test.each(Object.entries(received))('reads %s', (_, result) => {
    expect(result).toCall('look')
    expect(result).toCall('look', { at: 'Rome', days: [1, 2] })
    expect(result).toCall('look', expect.objectContaining({ at: 'Rome' }))
    expect(result).not.toCall('look', { at: 'Rome' })
    expect(result).not.toCall('leave')
    expect(failure(() => expect(result).toCall('leave', { now: true }))).toContain('it calls look({"at":"Rome","days":[1,2]})')
  })

  test('reads real replies, and says what it takes', () => {
    expect(reply).not.toCall('look')
    expect(failure(() => expect(reply).toCall('look'))).toContain('it does not call look; it calls nothing')
    expect(failure(() => expect('look').toCall('look'))).toContain('give a reply of parseReply')
  })
})

test('toScore compares the score of a task, and names a promise that was not awaited', () => {
  expect({ score: 0.8 }).toScore(0.8)
  expect({ score: 0.8 }).not.toScore(0.81)
  expect(failure(() => expect({ score: 0.8 }).toScore(0.9))).toContain('the score is 0.8, less than 0.9')
  expect(failure(() => expect(Promise.resolve({ score: 1 })).toScore(0.5))).toContain('runTask returns a promise')
})

test('the matchers are plain functions of a context, as Jest gives it', () => {
  const context = { isNot: false, equals: (one: unknown, other: unknown) => one === other, utils: { diff: () => '', stringify: String } }
  expect(matchers.toFitIn.call(context, { ...prompt, ids: () => [1, 2] }, 2)).toMatchObject({ pass: true })
  expect(matchers.toScore.call(context, { score: 0 }, 1)).toMatchObject({ pass: false })
})

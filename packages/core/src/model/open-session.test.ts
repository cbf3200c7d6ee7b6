import { describe, expect, test } from 'vitest'
import { shippedTokenizer } from '../../../rolecall/src/node/models/load-tokenizer.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import { defineModel } from './define-model.ts'
import { type ModelSession, openSession } from './open-session.ts'
import { renderPrompt } from './render-prompt.ts'

const tokenizer = shippedTokenizer()
const model = defineModel({ format: 'internlm2', tokenizer })
const user = (content: string): ChatMessage => ({ role: 'user', content })
const idsOf = (text: string) => tokenizer.encodeRun(text, false, () => false).ids
const end = tokenizer.idOf('<|im_end|>') ?? Number.NaN

/** Keeps reasoning only in the last turn, as Qwen3 does. */
const forgetful = defineModel({
  chatTemplate:
    '{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
  tokenizer,
})

function answer(session: ModelSession, text: string, isEnded = true) {
  return session.reply([...idsOf(text), ...(isEnded ? [end] : [])])
}

describe('each prompt begins with the ids of the one before and of its reply', () => {
  test.each([
    ['a whole reply', true],
    ['a truncated reply, whose end is not trained', false],
  ])('%s', (_, isEnded) => {
    const session = openSession(model)
    const first = session.prompt(user('Say <|im_end|>'))
    expect(first).toMatchObject({ ids: renderPrompt(model, [user('Say <|im_end|>')]).ids(), fork: undefined })
    answer(session, 'Hello!', isEnded)
    const second = session.prompt(user('Again'))
    const seen = [...first.ids, ...idsOf('Hello!'), ...(isEnded ? [end] : [])]
    expect(second.ids.slice(0, seen.length)).toEqual(seen)
    expect(second.ids).toEqual([...seen, ...second.appended])
    expect(second.ids).toEqual(renderPrompt(model, session.messages).ids())
    answer(session, 'Bye')
    const [row, ...others] = session.rows()
    expect(others).toEqual([])
    expect(row?.ids).toEqual([...second.ids, ...idsOf('Bye'), end])
    const trained = row?.ids.filter((_, index) => row.mask[index] === 1)
    expect(trained).toEqual([...idsOf('Hello!'), ...(isEnded ? [end] : []), ...idsOf('Bye'), end])
    expect(row?.promptLength).toBe(first.ids.length)
  })

  test('sampled ids that no tokenizer would produce are kept', () => {
    const session = openSession(model)
    const { ids } = session.prompt(user('Hi'))
    const letters = [...'Hello'].flatMap((letter) => idsOf(letter))
    expect(letters).not.toEqual(idsOf('Hello'))
    expect(session.reply([...letters, end]).text).toBe('Hello')
    expect(session.prompt(user('Again')).ids.slice(ids.length, ids.length + letters.length)).toEqual(letters)
  })
})

describe('a template that writes earlier turns differently', () => {
  const reasoned = (options = {}) => {
    const session = openSession(forgetful, options)
    const first = session.prompt(user('Hi'))
    answer(session, '<think>Easy.</think>Hello!')
    return { session, first }
  }

  test('by default the model goes on with what it has seen, and the difference is named', () => {
    const { session, first } = reasoned()
    expect(session.messages.at(-1)).toMatchObject({ content: 'Hello!', reasoning_content: 'Easy.' })
    const second = session.prompt(user('Again'))
    expect(second.ids.slice(0, first.ids.length)).toEqual(first.ids)
    expect(second.fork).toBeUndefined()
    expect(second.departures).toEqual([
      { kind: 'dropped', path: 'messages[1].reasoning_content', at: 0, seen: '<think>Easy.</think>Hello!', now: 'Hello!<|im_end|>' },
    ])
    expect(session.rows()).toHaveLength(1)
  })

  test('a fork renders the prompt anew and begins a row, in which the earlier reply is context', () => {
    const { session } = reasoned({ rewrites: 'fork' })
    const second = session.prompt(user('Again'))
    expect(second.fork).toBe('the format would write earlier text differently: messages[1].reasoning_content is dropped')
    expect(second.ids).toEqual(renderPrompt(forgetful, session.messages).ids())
    answer(session, 'Bye')
    const [before, after] = session.rows()
    expect(before?.mask.filter((trained) => trained === 1)).toHaveLength(idsOf('<think>Easy.</think>Hello!').length + 1)
    expect(after?.mask.filter((trained) => trained === 1)).toHaveLength(idsOf('Bye').length + 1)
    expect(after?.promptLength).toBe(second.ids.length)
  })

  test('or it is an error', () => {
    const { session } = reasoned({ rewrites: 'refuse' })
    expect(() => session.prompt(user('Again'))).toThrow("rewrites: 'as-seen'")
  })
})

test('where nothing ends a turn, the sampled opener of the next one is not written again', () => {
  const chatTemplate =
    '[gMASK]{% for m in messages %}{% if m.role == "tool" %}<|im_end|>{% else %}<|im_start|>{% endif %}{{ m.role }}\n{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'
  const session = openSession(defineModel({ chatTemplate, tokenizer }))
  const start = tokenizer.idOf('<|im_start|>') ?? Number.NaN
  const { ids } = session.prompt(user('Hi'))
  session.reply([...idsOf('Hello'), start])
  const second = session.prompt(user('Again'))
  expect(second.ids.slice(ids.length)).toEqual([...idsOf('Hello'), start, ...second.appended])
  expect(second.appended.filter((id) => id === start)).toHaveLength(1)
})

describe('tools', () => {
  const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }]
  const called = (session: ModelSession) => {
    session.prompt(user('How is the weather in Paris?'))
    const text = '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city":"Paris"}}<|action_end|>'
    const marks = /(<\|action_start\|><\|plugin\|>)|(<\|action_end\|>)/
    const ids = text
      .split(marks)
      .flatMap((part) =>
        part === '' || part === undefined
          ? []
          : [...text.matchAll(/<\|\w+\|>/g)].some(([mark]) => part.includes(mark))
            ? part.match(/<\|\w+\|>/g)!.map((mark) => tokenizer.idOf(mark)!)
            : idsOf(part),
      )
    return session.reply([...ids, end])
  }

  test('a call is read, gets an id that its result can name, and stays as it was sampled', () => {
    const session = openSession(model, { tools })
    const { calls, message } = called(session)
    expect(calls).toMatchObject([{ kind: 'call', name: 'get_weather', arguments: { city: 'Paris' } }])
    expect(message.tool_calls).toMatchObject([{ id: 'call00001', function: { arguments: '{"city":"Paris"}' } }])
    const seen = session.rows()[0]?.ids ?? []
    const second = session.prompt({ role: 'tool', tool_call_id: 'call00001', content: 'sunny' })
    expect(second.ids.slice(0, seen.length)).toEqual(seen)
    // The format writes a space behind the colon, which the model did not sample.
    expect(second.departures).toMatchObject([{ kind: 'changed', path: 'messages[1]', seen: '"Paris"}}<|action_end|>' }])
  })

  test('a result that arrives after the prompt was sent begins a new row', () => {
    const session = openSession(model, { tools })
    called(session)
    session.prompt({ role: 'tool', tool_call_id: 'call00001', content: 'sunny' })
    expect(session.prompt({ role: 'tool', tool_call_id: 'call00001', content: 'windy' }).fork).toBe(
      'messages were added to a prompt without a reply',
    )
  })
})

test('log-probabilities are those of sampled ids, and 0 elsewhere', () => {
  const session = openSession(model)
  const { ids } = session.prompt(user('Hi'))
  session.reply([...idsOf('Yes'), end], { logprobs: [...idsOf('Yes'), end].map((_, index) => -1 - index) })
  expect(session.rows()[0]?.logprobs).toEqual([...ids.map(() => 0), ...[...idsOf('Yes'), end].map((_, index) => -1 - index)])
})

describe('mistakes are errors that name the place', () => {
  const session = openSession(model)
  session.prompt(user('Hi'))
  test.each([
    ['a reply without a prompt', () => openSession(model).reply([end]), 'Call session.prompt first'],
    ['ids of another tokenizer', () => session.reply([1e6]), 'session.reply › ids[0]'],
    ['negative ids', () => session.reply([-1]), 'session.reply › ids[0]'],
    ['too few log-probabilities', () => session.reply([end, end], { logprobs: [0] }), '1 log-probabilities for 2 ids'],
    ['a model without tokenizer', () => openSession(defineModel('chatml')), 'openSession'],
    ['a misspelt option', () => openSession(model, { rewrite: 'fork' } as never), 'rewrite'],
  ])('%s', (_, act, words) => expect(act).toThrow(words))
})

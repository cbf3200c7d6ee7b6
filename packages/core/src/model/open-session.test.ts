import { describe, expect, test } from 'vitest'
import { shippedTokenizer } from '../../../rolecall/src/node/models/load-tokenizer.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
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

describe('a reply that ended on another token than its template writes', () => {
  const other = () => tokenizer.idOf('</s>') ?? Number.NaN
  const ended = (over: typeof model, text: string, options = {}) => {
    const session = openSession(over, options)
    session.prompt(user('Hi'))
    session.reply([...idsOf(text), other()])
    return session
  }

  test('is reported: the prompt has both', () => {
    const second = ended(model, 'Hello!').prompt(user('Again'))
    expect(second.departures).toEqual([{ kind: 'other-end', path: 'messages[1]', at: 6, seen: '</s>', now: '<|im_end|>' }])
    expect(second.appended[0]).toBe(end)
  })

  test('also if the text in front of it is written differently', () => {
    const { departures } = ended(forgetful, '<think>Easy.</think>Hello!').prompt(user('Again'))
    expect(departures.map(({ kind }) => kind)).toEqual(['dropped', 'other-end'])
  })

  test('begins a new row where forks are asked for', () => {
    const { fork } = ended(model, 'Hello!', { rewrites: 'fork' }).prompt(user('Again'))
    expect(fork).toBe('messages[1] ended on </s>, where the format writes <|im_end|>')
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
  const called = (session: ModelSession, ...earlier: ChatMessage[]) => {
    session.prompt(...earlier, user('How is the weather in Paris?'))
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

  test('the ids of calls are none that the chat has, and the calls that are returned have them', () => {
    const session = openSession(model, { tools })
    const old = { id: 'call00001', type: 'function' as const, function: { name: 'get_weather', arguments: '{"city": "Rome"}' } }
    const earlier: ChatMessage[] = [
      user('And in Rome?'),
      { role: 'assistant', content: '', tool_calls: [old] },
      { role: 'tool', tool_call_id: 'call00001', content: 'rain' },
    ]
    const { calls, parts, message } = called(session, ...earlier)
    expect(message.tool_calls).toMatchObject([{ id: 'call00002' }])
    expect(calls).toMatchObject([{ id: 'call00002' }])
    expect(parts).toContain(calls[0])
  })
})

describe('a prompt that got no reply is replaced', () => {
  const letters = [...'Hello'].flatMap((letter) => idsOf(letter))
  const answered = (options = {}) => {
    const session = openSession(model, options)
    const { ids } = session.prompt(user('Hi'))
    session.reply([...letters, end])
    return { session, seen: [...ids, ...letters, end] }
  }

  test.each(['as-seen', 'refuse'])('the next one goes on from the last reply with all messages since, with rewrites: %s', (rewrites) => {
    const { session, seen } = answered({ rewrites })
    session.prompt(user('One'))
    const both = session.prompt(user('Two'))
    expect(both.fork).toBeUndefined()
    expect(both.ids.slice(0, seen.length)).toEqual(seen)
    const { session: other } = answered()
    expect(both.ids).toEqual(other.prompt(user('One'), user('Two')).ids)
    answer(session, 'Bye')
    expect(session.rows()).toHaveLength(1)
    expect(session.rows()[0]?.ids).toEqual([...both.ids, ...idsOf('Bye'), end])
  })

  test('without messages it is returned again', () => {
    const { session } = answered()
    const one = session.prompt(user('One'))
    expect(session.prompt()).toEqual(one)
    const fresh = openSession(model)
    expect([fresh.prompt(user('Hi')), fresh.prompt()].map(({ ids }) => ids)).toEqual(
      [one, one].map(() => renderPrompt(model, [user('Hi')]).ids()),
    )
  })

  test('a refused prompt leaves the session as it was', () => {
    const session = openSession(forgetful, { rewrites: 'refuse' })
    session.prompt(user('Hi'))
    answer(session, '<think>Easy.</think>Hello!')
    expect(() => session.prompt(user('Again'))).toThrow("rewrites: 'as-seen'")
    expect(() => session.prompt(user('Again'))).toThrow("rewrites: 'as-seen'")
    expect(session.messages).toHaveLength(2)
  })
})

test('what the program does to its ids and messages later does not change the session', () => {
  const session = openSession(model)
  const message = { role: 'user', content: [{ type: 'text' as const, text: 'Hi' }] }
  const first = session.prompt(message)
  const sent = [...first.ids]
  const sampled = [...idsOf('Hello'), end]
  const logprobs = sampled.map(() => -1)
  const reply = session.reply(sampled, { logprobs })
  ;(first.ids as number[]).fill(1)
  sampled.fill(1)
  logprobs.fill(-9)
  message.content[0]!.text = 'changed'
  reply.message.content = 'changed'
  session.messages[0]!.content = 'changed'
  expect(session.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: 'Hello' },
  ])
  const seen = [...sent, ...idsOf('Hello'), end]
  expect(session.prompt(user('Again')).ids.slice(0, seen.length)).toEqual(seen)
  expect(session.rows()).toMatchObject([{ ids: seen, logprobs: [...sent.map(() => 0), ...idsOf('Hello').map(() => -1), -1] }])
})

test('a message that contains itself is refused', () => {
  const message: ChatMessage & { self?: unknown } = user('Hi')
  message.self = message
  expect(() => openSession(model).prompt(message)).toThrow('contains itself')
})

describe('a message that the template does not write', () => {
  const deaf = defineModel({
    chatTemplate:
      '{% for m in messages %}{% if m.role != "system" or loop.first %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
    tokenizer,
  })

  test('forks the session, and the fork says which one', () => {
    const session = openSession(deaf)
    session.prompt(user('Hi'))
    answer(session, 'Hello!')
    const second = session.prompt({ role: 'system', content: 'Be brief.' }, user('Again'))
    expect(second.fork).toBe('the format does not write behind the reply: messages[2]')
    expect(second.notes).toMatchObject([{ code: 'text-left-out', where: expect.stringContaining('messages[2]') }])
  })

  test('in part, and the prompt goes on: the notes say what is left out', () => {
    const halving = defineModel({
      chatTemplate:
        '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split("|")[0] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
      tokenizer,
    })
    const session = openSession(halving)
    session.prompt(user('Hi'))
    answer(session, 'Hello!')
    const second = session.prompt(user('Look.|At this.'))
    expect(second.fork).toBeUndefined()
    expect(second.notes).toMatchObject([{ code: 'text-left-out', where: expect.stringContaining('messages[2]') }])
    answer(session, 'Fine.')
    expect(session.prompt(user('Bye')).notes).toEqual([])
  })
})

test('the token that ends a turn may be BOS, which then begins the next turn', () => {
  const chatTemplate =
    '{% for m in messages %}{% if m.role == "user" %}<|im_end|>{% endif %}{{ m.content }}{% if m.role == "assistant" %}<|im_end|>{% endif %}{% endfor %}'
  const session = openSession(defineModel({ chatTemplate, tokenizer: { ...tokenizer, bos: end, before: [] } }))
  session.prompt(user('Hi'))
  answer(session, 'Hello!')
  expect(session.prompt(user('Again')).appended).toEqual([end, ...idsOf('Again')])
})

describe('an end of turn of several tokens', () => {
  const chatTemplate =
    '{% for m in messages %}{{ m.role }}: {{ m.content }}<END>\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}'
  test.each([
    ['is appended to a truncated reply', 'Hello!', '<END>\nuser: Again<END>\nassistant: '],
    ['is completed', 'Hello!<EN', 'D>\nuser: Again<END>\nassistant: '],
    ['is not written twice', 'Hello!<END>', '\nuser: Again<END>\nassistant: '],
  ])('%s', (_, sampled, appended) => {
    const session = openSession(defineModel({ chatTemplate, tokenizer }))
    session.prompt(user('Hi'))
    answer(session, sampled, false)
    expect(decodeTokens(session.prompt(user('Again')).appended, tokenizer)).toBe(appended)
  })
})

test('an empty reply does not cost a row its log-probabilities', () => {
  const session = openSession(model)
  session.prompt(user('Hi'))
  session.reply([])
  session.prompt(user('Well?'))
  session.reply([end], { logprobs: [-0.5] })
  expect(session.rows()[0]?.logprobs?.at(-1)).toBe(-0.5)
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
    ['a log-probability that is none', () => session.reply([end], { logprobs: [Number.NaN] }), 'session.reply › logprobs[0]'],
    ['a probability', () => session.reply([end], { logprobs: [0.5] }), '0.5 is no log-probability'],
    ['a misspelt option of a reply', () => session.reply([end], { logprob: [0] } as never), 'logprob'],
    ['a model without tokenizer', () => openSession(defineModel('chatml')), 'openSession'],
    ['a misspelt option', () => openSession(model, { rewrite: 'fork' } as never), 'rewrite'],
  ])('%s', (_, act, words) => expect(act).toThrow(words))
})

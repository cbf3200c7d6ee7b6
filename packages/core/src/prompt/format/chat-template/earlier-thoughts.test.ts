import { expect, test } from 'vitest'
import { compileChat } from '../../compile/compile-chat.ts'
import { chatTemplateFormat } from './chat-template-format.ts'

const template = (isShown: string) =>
  `{% for m in messages %}<{{ m.role }}>{% if m.reasoning_content and (${isShown}) %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`
const lastUser =
  "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
const always = template('true')
const never = template('loop.last')
const onlyWorking = lastUser + template('loop.index0 > ns.last')
const asked = lastUser + template('loop.index0 > ns.last or hold_thoughts is true')
const cleared = lastUser + template('loop.index0 > ns.last or (wipe is defined and not wipe)')

const chat = {
  messages: [
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' },
    { role: 'user', content: 'Two?' },
    { role: 'assistant', content: 'No.', reasoning_content: 'Ah.' },
  ],
}
const written = (source: string, earlier_reasoning?: 'strip' | 'keep') =>
  compileChat({ chat_template: source, ...(earlier_reasoning ? { earlier_reasoning } : {}) })
    .prepare({ want: 'complete' })
    .text(chat)

test('probing shows what a template does with the reasoning of earlier turns', () => {
  const found = (source: string) => chatTemplateFormat(source).earlierThoughts
  expect(found(always)).toEqual({ fate: 'keeps' })
  expect(found(never)).toEqual({ fate: 'drops' })
  expect(found(onlyWorking)).toEqual({ fate: 'drops-before-last-user' })
  expect(found(asked)).toEqual({ fate: 'drops-before-last-user', keptBy: { hold_thoughts: true } })
  expect(found(cleared)).toEqual({ fate: 'drops-before-last-user', keptBy: { wipe: false } })
})

test('a variable that changes nothing else is preferred', () => {
  const both = `${asked}{% if add_generation_prompt and a_mode is true %}<mode>{% endif %}`.replace(
    'hold_thoughts is true',
    'a_mode is true or hold_thoughts is true',
  )
  expect(chatTemplateFormat(both).earlierThoughts?.keptBy).toEqual({ hold_thoughts: true })
})

test('reasoning of earlier turns is kept if the template has a variable for it', () => {
  expect(written(asked)).toBe('<user>One?<assistant>Yes.<user>Two?<assistant><think>Ah.</think>No.')
  expect(written(asked, 'keep')).toBe('<user>One?<assistant><think>Hm.</think>Yes.<user>Two?<assistant><think>Ah.</think>No.')
  expect(written(always, 'keep')).toBe(written(always))
})

test('it is hidden if the template keeps it; that of the last turn stays', () => {
  expect(written(always, 'strip')).toBe('<user>One?<assistant>Yes.<user>Two?<assistant><think>Ah.</think>No.')
  const { notes } = compileChat({ chat_template: always, earlier_reasoning: 'strip' }).render(chat)
  expect(notes.map(({ code }) => code)).toContain('thoughts-left-out')
})

test.for(['thinking', 'reasoning'])('a thought goes by the name that the template reads: %s', (field) => {
  const renamed = always.replaceAll('reasoning_content', field)
  expect(written(renamed)).toBe(written(always))
  const notes = (normalize_messages: boolean) =>
    compileChat({ chat_template: renamed, normalize_messages })
      .render(chat, { want: 'complete' })
      .notes.map(({ code }) => code)
  expect(notes(true)).toContain('thought-renamed')
  expect(notes(false)).toEqual(['thoughts-left-out', 'thoughts-left-out'])
  expect(compileChat({ chat_template: renamed, normalize_messages: false }).prepare({ want: 'complete' }).text(chat)).not.toContain(
    '<think>',
  )
  expect(compileChat({ chat_template: always }).render(chat, { want: 'complete' }).notes).toEqual([])
})

test('keeping what a template always drops is refused before rendering', () => {
  expect(() => compileChat({ abbr: 'm', chat_template: onlyWorking, earlier_reasoning: 'keep' })).toThrow(
    expect.objectContaining({ code: 'thoughts-dropped', where: 'm › earlier_reasoning' }),
  )
})

test.for(['chatml', 'internlm2'])('a model without a chat template has nothing to keep or leave out: %s', (format) => {
  expect(() => compileChat({ format, earlier_reasoning: 'strip' })).toThrow(expect.objectContaining({ code: 'unused-options' }))
})

import { expect, test } from 'vitest'
import { plain } from '../../text/index.ts'
import { withBareMessages } from './bare-messages.ts'

const source = { by: 'field', path: 'dialogue[0].content' } as const

test('a message whose role is missing tells that its images are left out', () => {
  const content = [plain('See: ', source), { image: { url: 'cat.png' }, source }]
  const turn = { role: 'tool', content, path: 'dialogue[0]' }
  const { sections, notes } = withBareMessages({ kind: 'dialogue', sections: [{ kind: 'chat', items: [turn] }], notes: [] }, new Map())
  expect(sections[0]!.items).toEqual([{ loose: [plain('See: ', source)], path: 'dialogue[0]' }])
  expect(notes.map(({ text }) => text)).toEqual(['nothing marks who says this: there is no role "tool"; its images are left out'])
})

test('one without images tells of its role only', () => {
  const turn = { role: 'tool', content: [plain('42', source)], path: 'dialogue[0]' }
  const { notes } = withBareMessages({ kind: 'dialogue', sections: [{ kind: 'chat', items: [turn] }], notes: [] }, new Map())
  expect(notes.map(({ text }) => text)).toEqual(['nothing marks who says this: there is no role "tool"'])
})

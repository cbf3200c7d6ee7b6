import { expect, test } from 'vitest'
import type { Note } from '../../../base/errors/note.ts'
import { plain } from '../../../base/text/index.ts'
import { adaptTurn } from './adapt-turn.ts'
import type { Traits } from './traits.ts'

const source = { by: 'field', path: 'dialogue[0].content' } as const
const traits: Traits = { formatName: 'the format', roles: ['HUMAN', 'BOT'], otherRoles: 'bare', looseText: 'verbatim', readsContent: false }

function adapt(role: string, content: Parameters<typeof adaptTurn>[0]['content']) {
  const notes: Note[] = []
  return {
    adapted: adaptTurn({ role, content: content ?? [], path: 'dialogue[0]' }, traits, notes, true),
    notes: notes.map(({ text }) => text),
  }
}

test('a message without a known role is bare text where the reference writes it so, and dropped images are noted', () => {
  const { adapted, notes } = adapt('tool', [plain('See: ', source), { media: { kind: 'image', url: 'cat.png' }, source }])
  expect(adapted).toEqual({ loose: [plain('See: ', source)], path: 'dialogue[0]' })
  expect(notes).toEqual(['nothing marks who says this: there is no role "tool"; its images are left out'])
})

test('without images only the role is noted, and a role with another name in the format is marked', () => {
  expect(adapt('tool', [plain('42', source)]).notes).toEqual(['nothing marks who says this: there is no role "tool"'])
  expect(adapt('user', [plain('42', source)])).toMatchObject({ adapted: { role: 'HUMAN' }, notes: [] })
})

import { expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { control, textOf } from '../../../base/text/index.ts'
import { type Item, isLoose } from '../../conversation/conversation.ts'
import { type AdaptedTurn, splitRounds } from './rounds.ts'
import type { Rounds } from './traits.ts'

const speaker = (name: string) => ({ name, generate: false, path: name })
const meta: Rounds = {
  order: [{ text: [control('<start>', { by: 'format', path: 'round[0]' })] }, ...['HUMAN', 'TOOL', 'BOT'].map(speaker)],
  isWhole: true,
}
const apiMeta: Rounds = { order: ['HUMAN', 'BOT'].map(speaker), isWhole: true, countsFallbacks: true }
const turn = (role: string, given: Partial<AdaptedTurn> = {}): AdaptedTurn => ({ role, path: role, ...given })
const loose = (text: string): Item => ({ loose: [control(text, { by: 'template', path: 't' })], path: 't' })

function split(items: readonly Item[], from = meta, compat?: 'opencompass') {
  const show = (said: readonly Item[]) => said.map((item) => (isLoose(item) ? textOf(item.loose) : item.path))
  return splitRounds(items, from, quirksOf(compat)).map(({ before, turns, after }) => ({
    ...(before.length > 0 ? { before: show(before) } : {}),
    turns: [...turns].map(([role, { path }]) => (role === path ? role : `${role}=${path}`)),
    ...(after.size > 0 ? { after: Object.fromEntries([...after].map(([role, said]) => [role, show(said)])) } : {}),
  }))
}

test('roles in the order of the meta template are one round', () => {
  expect(split([turn('HUMAN'), turn('BOT')])).toEqual([{ turns: ['HUMAN', 'BOT'] }])
  expect(split([turn('HUMAN'), turn('TOOL'), turn('BOT')])).toEqual([{ turns: ['HUMAN', 'TOOL', 'BOT'] }])
})

test('a role that does not come after the one before it starts a new round', () => {
  expect(split([turn('HUMAN'), turn('BOT'), turn('TOOL'), turn('BOT'), turn('BOT')])).toEqual([
    { turns: ['HUMAN', 'BOT'] },
    { turns: ['TOOL', 'BOT'] },
    { turns: ['BOT'] },
  ])
})

test('a conversation may begin with any role', () => {
  expect(split([turn('BOT'), turn('HUMAN')])).toEqual([{ turns: ['BOT'] }, { turns: ['HUMAN'] }])
})

test('no turns are one empty round', () => {
  expect(split([])).toEqual([{ turns: [] }])
  expect(split([loose('x')])).toEqual([{ before: ['x'], turns: [] }])
})

test('loose text and reserved roles stay after the turn they follow, in their order', () => {
  expect(split([loose('a'), turn('HUMAN'), turn('SYSTEM'), loose('b'), turn('BOT'), loose('c'), turn('HUMAN'), loose('d')])).toEqual([
    { before: ['a'], turns: ['HUMAN', 'BOT'], after: { HUMAN: ['SYSTEM', 'b'], BOT: ['c'] } },
    { turns: ['HUMAN'], after: { HUMAN: ['d'] } },
  ])
})

test('a standalone turn stays in place, even if its role is one of the round', () => {
  expect(split([turn('HUMAN'), turn('HUMAN', { standalone: true, path: 'alone' }), turn('BOT')])).toEqual([
    { turns: ['HUMAN', 'BOT'], after: { HUMAN: ['alone'] } },
  ])
})

test('for API models the reference counts a reserved role as its fallback role, and loses its text', () => {
  const items = [turn('SYSTEM', { fallbackRole: 'HUMAN' }), turn('HUMAN'), turn('BOT')]
  expect(split(items, apiMeta, 'opencompass')).toEqual([{ turns: [] }, { turns: ['HUMAN', 'BOT'] }])
  expect(split(items, apiMeta)).toEqual([{ before: ['SYSTEM'], turns: ['HUMAN', 'BOT'] }])
})

test('if rounds are not written whole, a user’s loose text starts one, too', () => {
  const order = ['user', 'assistant'].map(speaker)
  expect(split([turn('user'), turn('assistant'), turn('user', { standalone: true })], { order })).toEqual([
    { turns: ['user', 'assistant'] },
    { turns: ['user'] },
  ])
})

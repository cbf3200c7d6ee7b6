import { expect, test } from 'vitest'
import { readsChats } from '../../../../../core/src/prompt/compile/chat-of-row.ts'
import { registerLmEval } from '../../../compat/lm-eval/register.ts'
import { inferencerNames } from '../../config/inferencer-names.ts'
import { inferencers } from './inferencers.ts'

registerLmEval()

test('the names that imported configs are checked against are those of the inferencers', () => {
  expect(Object.keys(inferencers).sort()).toEqual([...inferencerNames].sort())
})

test('the names alone determine which inferencers read chats', () => {
  for (const [name, inferencer] of Object.entries(inferencers)) expect(readsChats({ type: `icl.${name}` }), name).toBe(inferencer.readsChats ?? false)
  expect(readsChats(undefined)).toBe(false)
})

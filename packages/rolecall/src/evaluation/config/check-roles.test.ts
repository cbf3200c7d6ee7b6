import { expect, test } from 'vitest'
import { checkConfig } from './check-config.ts'
import { checkRoles } from './check-roles.ts'

const turn = (role: string, more: object = {}) => ({ template: { round: [{ role, prompt: 'x', ...more }] } })
const look = (template: object, models: object[] = [], more: object = {}, asWarnings = false) =>
  checkRoles(checkConfig({ models, datasets: [{ infer_cfg: { prompt_template: template }, ...more }] }), '', asWarnings)
const place = 'datasets[0].infer_cfg.prompt_template.template.round[0].role'

test.each([
  ['USER', 'HUMAN'],
  ['Human', 'HUMAN'],
  ['HUMAM', 'HUMAN'],
  ['Assistant', 'BOT'],
  ['ASSISTANT', 'BOT'],
  ['SYSTM', 'SYSTEM'],
])('role %s is a mistake in every format: %s is meant', (role, meant) => {
  for (const format of ['plain', 'chatml', 'internlm2', 'messages'])
    expect(() => look(turn(role), [{ format }])).toThrow(
      expect.objectContaining({
        code: 'unknown-role',
        where: place,
        problem: `there is no role "${role}"`,
        fix: `did you mean "${meant}"?`,
      }),
    )
})

test('built-in roles, roles that a model defines, and roles with a fallback are not reported', () => {
  for (const role of ['HUMAN', 'BOT', 'SYSTEM', 'user', 'assistant', 'system', 'THOUGHTS', 'tool']) expect(look(turn(role))).toEqual([])
  expect(look(turn('USER'), [{ meta_template: { round: [{ role: 'USER' }] } }])).toEqual([])
  expect(look(turn('NARRATOR'), [{ meta_template: { round: [{ role: 'HUMAN' }], reserved_roles: [{ role: 'NARRATOR' }] } }])).toEqual([])
  expect(look(turn('Critic', { fallback_role: 'HUMAN' }))).toEqual([])
  expect(look(turn('human'), [{ chat_template: '{{ messages }}' }])).toEqual([])
})

test('a role that no model has is reported', () => {
  const text = 'there is no role "Narrator" in a format of this config: one that writes roles refuses it'
  expect(look(turn('Narrator'), [{ format: 'plain' }])).toEqual([{ code: 'unknown-role', where: place, text }])
})

test('under compat and in imported configs nothing is refused', () => {
  expect(look(turn('USER'), [], { compat: 'opencompass' })).toEqual([])
  expect(look(turn('USER'), [], {}, true)).toEqual([
    { code: 'unknown-role', where: place, text: 'there is no role "USER"; did you mean "HUMAN"?' },
  ])
})

test('the dialogues of labels and of begin and end are checked, too', () => {
  expect(() => look({ template: { A: { round: [{ role: 'USER', prompt: 'x' }] }, B: 'y' } })).toThrow('template.A.round[0].role')
  expect(() => look({ template: { begin: { role: 'SYS', prompt: 'x' }, round: ['y'] } })).toThrow('template.begin.role')
})

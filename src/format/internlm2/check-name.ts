import { PromptError } from '../../prompt-error.ts'

const legalName = /^[A-Za-z0-9_.-]{1,64}$/

/** A name stands in the head of a turn, so that anything but a plain word could forge one. */
export function checkName(name: string, path: string): void {
  if (legalName.test(name)) return
  throw new PromptError('bad-name', {
    where: `${path}.name`,
    problem: `${JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)} cannot be a name`,
    fix: 'use 1 to 64 letters, digits, _, - and .',
  })
}

import { PromptError } from '../../../base/errors/prompt-error.ts'

const legalName = /^[A-Za-z0-9_.-]{1,64}$/

/** A name is part of a turn's header, so anything but a plain word could forge one. */
export function checkName(name: string, path: string): void {
  if (legalName.test(name)) return
  const [, inner] = /^<\|(plugin|interpreter)\|>$/.exec(name) ?? []
  throw new PromptError('bad-name', {
    where: `${path}.name`,
    problem: `${JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)} cannot be a name`,
    // Document 004 prints the head of the turn, where the format writes the token.
    fix: inner === undefined ? 'use 1 to 64 letters, digits, _, - and .' : `write "${inner}": the format makes the token of it`,
  })
}

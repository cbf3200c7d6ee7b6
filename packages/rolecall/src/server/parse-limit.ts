import { PromptError } from '@rolecall/core/internal/errors'
import type { ApiKey } from './guard.ts'
import type { ClientLimits } from './server-limits.ts'

const names: Readonly<Record<string, keyof ClientLimits>> = {
  requests: 'requestsPerMinute',
  tokens: 'tokensPerMinute',
  concurrent: 'concurrent',
}

/** The limits in a flag: for the named key, or for every client. */
export type LimitFlag = { key?: string; limits: ClientLimits }

/**
 * Parses the value of `--limit`.
 *
 * @example
 * parseLimit('ci:requests=60,concurrent=2') // => { key: 'ci', limits: { requestsPerMinute: 60, concurrent: 2 } }
 */
export function parseLimit(text: string): LimitFlag {
  const [, key, rest] = /^(?:([^:=,]+):)?(.+)$/.exec(text) ?? []
  const limits: { [Name in keyof ClientLimits]: number } = {}
  for (const one of (rest ?? '').split(',')) {
    const [, what = '', number = ''] = /^(\w+)=(\d+)$/.exec(one) ?? []
    const name = Object.hasOwn(names, what) ? names[what] : undefined
    if (name === undefined || Number(number) < 1) throw badLimit(text)
    limits[name] = Number(number)
  }
  return { ...(key === undefined ? {} : { key }), limits }
}

/**
 * Parses the value of `ROLECALL_API_KEYS`.
 *
 * @example
 * parseKeys('ci=k1, phone=k2') // => [{ name: 'ci', key: 'k1' }, { name: 'phone', key: 'k2' }]
 */
export function parseKeys(text: string): { name: string; key: string }[] {
  return text
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => {
      const at = one.indexOf('=')
      if (at > 0 && at < one.length - 1) return { name: one.slice(0, at), key: one.slice(at + 1) }
      throw new PromptError('bad-key', {
        where: 'ROLECALL_API_KEYS',
        problem: 'an entry is not of the form NAME=KEY',
        fix: 'for example: ROLECALL_API_KEYS="ci=KEY1 phone=KEY2"',
      })
    })
}

/** Merges keys with their limits; `client` has the limits for every client. */
export function limitKeys(
  keys: readonly { name: string; key: string }[],
  given: readonly LimitFlag[],
): { keys: ApiKey[]; client: ClientLimits } {
  for (const { key } of given) {
    if (key === undefined || keys.some(({ name }) => name === key)) continue
    throw new PromptError('unknown-key', {
      where: '--limit',
      problem: `unknown key "${key}" (known: ${keys.map(({ name }) => name).join(', ') || 'none'})`,
      fix: 'define keys in ROLECALL_API_KEYS, e.g. "ci=KEY1 phone=KEY2"',
    })
  }
  const of = (key: string | undefined) =>
    Object.assign({}, ...given.filter((one) => one.key === key).map(({ limits }) => limits)) as ClientLimits
  return { keys: keys.map((one) => ({ ...one, ...of(one.name) })), client: of(undefined) }
}

function badLimit(text: string): PromptError {
  return new PromptError('bad-limit', {
    where: '--limit',
    problem: `"${text}" is not a limit`,
    fix: 'use requests=N and tokens=N (per minute) or concurrent=N, separated by commas; prefix NAME: for one key',
  })
}

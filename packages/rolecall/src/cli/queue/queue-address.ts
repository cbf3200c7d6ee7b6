import { PromptError } from '@rolecall/core/internal/errors'
import { readAddress } from '../../cluster/address.ts'

/** The address of a queue: as given, else from the environment, which keeps its password out of process lists. */
export function queueAddress(given: string | true | undefined, where = '--queue'): string {
  const address = typeof given === 'string' ? given : process.env.ROLECALL_QUEUE
  if (address !== undefined && address !== '') {
    readAddress(address, typeof given === 'string' ? where : 'ROLECALL_QUEUE')
    return address
  }
  throw new PromptError('missing', {
    where,
    problem: 'missing the address of a Redis or Valkey server',
    fix: 'use e.g. redis://10.0.0.5:6379, or set ROLECALL_QUEUE',
  })
}

/** The queue flag for a resume command, without the login. */
export function shownQueue(given: string | true): string[] {
  if (given === true) return ['--queue']
  const { url, shown } = readAddress(given, '--queue')
  const { username, password } = new URL(url)
  return username === '' && password === '' ? ['--queue', given] : ['--queue', shown.replace('://', '://LOGIN@')]
}

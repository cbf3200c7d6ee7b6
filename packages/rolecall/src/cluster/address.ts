import { PromptError } from '@rolecall/core/internal/errors'

/** A queue's address. Only `shown` may be printed or recorded: the address itself may contain a login. */
export type QueueAddress = { url: string; shown: string }

/** Reads the address of a Redis or Valkey server, e.g. `redis://10.0.0.5:6379/0`. */
export function readAddress(text: string, where: string): QueueAddress {
  let url: URL | undefined
  try {
    url = new URL(text.trim().replace(/^valkey(s?):/i, 'redis$1:'))
  } catch {}
  const isRight = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname)
  if (!url || !isRight) {
    throw new PromptError('bad-queue', {
      where,
      // Anything before an @ may be a login, even in a malformed address.
      problem: `"${text.replace(/^.*@/s, '…@')}" is not an address of a Redis or Valkey server`,
      fix: 'write e.g. redis://10.0.0.5:6379/0 (rediss:// with TLS), or set ROLECALL_QUEUE to it',
    })
  }
  return { url: url.href, shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}` }
}

/** Library messages that never contain a login. */
export function withoutLogin(text: string, { url, shown }: QueueAddress): string {
  const { username, password } = new URL(url)
  let clean = text.replaceAll(url, shown)
  for (const secret of [password, decoded(password), username === 'default' ? '' : username]) {
    if (secret.length > 2) clean = clean.replaceAll(secret, '***')
  }
  return clean
}

/** A password may contain an unescaped %. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

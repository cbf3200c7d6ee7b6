import { PromptError } from '../../../base/errors/prompt-error.ts'
import { HttpFailure, type HttpReply } from '../../../model/openai/http/http-client.ts'

/** A proxy by the variable that names it; its address is without the password. */
export type NamedProxy = { variable: string; shown: string }

type Environment = Readonly<Record<string, string | undefined>>

/** The proxy that leads to an address, by the rules of undici's EnvHttpProxyAgent; this machine itself has none. */
export function proxyOf(url: URL, environment: Environment): NamedProxy | undefined {
  const named = (name: string) => [name.toLowerCase(), name].find((variable) => (environment[variable] ?? '') !== '')
  const variable = (url.protocol === 'https:' ? named('HTTPS_PROXY') : undefined) ?? named('HTTP_PROXY')
  const exceptions = named('NO_PROXY')
  if (variable === undefined || isLoopback(url.hostname)) return undefined
  if (exceptions !== undefined && isExcepted(url, environment[exceptions]!)) return undefined
  return { variable, shown: URL.canParse(environment[variable]!) ? new URL(environment[variable]!).origin : 'the proxy' }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host)
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  if (exceptions === '*') return true
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return exceptions
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, host = entry, only = ownPort] = /^(.+):(\d+)$/.exec(entry) ?? []
      const name = host.replace(/^\*?\./, '').toLowerCase()
      return only === ownPort && (hostname === name || hostname.endsWith(`.${name}`))
    })
}

/** Whether an answer is the proxy's own refusal. A server's 403 says why in JSON, and comes from one that can be reached. */
export function isProxyStatus(reply: HttpReply, hasAnswered: boolean): boolean {
  if (reply.status === 407) return true
  return reply.status === 403 && !hasAnswered && !reply.header('content-type')?.includes('json')
}

/** What an error of a connection says about the proxy; undefined where it is about something else. */
export function proxyFailure(proxy: NamedProxy, origin: string, error: Error & { code?: string }, hasAnswered: boolean): Error | undefined {
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message) ?? []
  if (status !== undefined && Number(status) < 500) return refusedByProxy(proxy, origin, Number(status))
  if (status !== undefined) return new HttpFailure('broken', `the proxy ${proxy.shown} (${proxy.variable}) answered ${status}`)
  const [first] = error instanceof AggregateError ? (error.errors as { code?: string }[]) : [error]
  const code = first?.code
  if (code !== 'ECONNREFUSED' && code !== 'ENOTFOUND') return undefined
  const problem = `the proxy ${proxy.shown} cannot be reached (${code})`
  // One that has worked is waited for, like a server that is started again.
  if (hasAnswered) return new HttpFailure('unreachable', `${problem}; ${proxy.variable} names it`)
  return proxyError(proxy, origin, `${problem}, which is to lead to ${origin}`)
}

export function refusedByProxy(proxy: NamedProxy, origin: string, status: number): PromptError {
  const why = status === 407 ? 'it wants a name and a password' : 'it does not allow it'
  return proxyError(proxy, origin, `the proxy ${proxy.shown} answered ${status} to a request for ${origin}: ${why}`, status)
}

function proxyError({ variable }: NamedProxy, origin: string, problem: string, status?: number): PromptError {
  const { hostname } = new URL(origin)
  const direct = `set NO_PROXY=${hostname} to reach the server directly`
  const fix =
    status === 407 ? `write ${variable} as http://name:password@host:port, or ${direct}` : `correct or unset ${variable}, or ${direct}`
  return new PromptError('bad-proxy', { where: `the environment › ${variable}`, problem, fix })
}

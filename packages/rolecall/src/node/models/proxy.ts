import { PromptError } from '@rolecall/core/internal/errors'
import { HttpFailure, type HttpReply } from '../../model/openai/http/http-client.ts'

/** A proxy, with the variable that sets it and its address without the password. */
export type NamedProxy = { variable: string; shown: string }

type Environment = Readonly<Record<string, string | undefined>>

/** The proxy for a URL, by the rules of undici's EnvHttpProxyAgent; none for loopback addresses. */
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

/** Whether a reply is a refusal by the proxy. A 403 from the server itself has a JSON body, or follows earlier replies. */
export function isProxyStatus(reply: HttpReply, hasAnswered: boolean): boolean {
  if (reply.status === 407) return true
  return reply.status === 403 && !hasAnswered && !reply.header('content-type')?.includes('json')
}

/** The proxy failure behind a connection error; undefined if the proxy is not the cause. */
export function proxyFailure(proxy: NamedProxy, origin: string, error: Error & { code?: string }, hasAnswered: boolean): Error | undefined {
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message) ?? []
  if (status !== undefined && Number(status) < 500) return refusedByProxy(proxy, origin, Number(status))
  if (status !== undefined) return new HttpFailure('broken', `the proxy ${proxy.shown} (${proxy.variable}) answered ${status}`)
  const [first] = error instanceof AggregateError ? (error.errors as { code?: string }[]) : [error]
  const code = first?.code
  if (code !== 'ECONNREFUSED' && code !== 'ENOTFOUND') return undefined
  const problem = `the proxy ${proxy.shown} cannot be reached (${code})`
  // A proxy that has worked before is retried, like a restarting server.
  if (hasAnswered) return new HttpFailure('unreachable', `${problem}; ${proxy.variable} names it`)
  return proxyError(proxy, origin, `${problem}, so neither can ${origin}`)
}

export function refusedByProxy(proxy: NamedProxy, origin: string, status: number): PromptError {
  const why = status === 407 ? 'it requires a user name and password' : 'it does not allow the request'
  return proxyError(proxy, origin, `the proxy ${proxy.shown} answered ${status} to a request for ${origin}: ${why}`, status)
}

function proxyError({ variable }: NamedProxy, origin: string, problem: string, status?: number): PromptError {
  const { hostname } = new URL(origin)
  const direct = `set NO_PROXY=${hostname} to reach the server directly`
  const fix =
    status === 407 ? `write ${variable} as http://name:password@host:port, or ${direct}` : `correct or unset ${variable}, or ${direct}`
  return new PromptError('bad-proxy', { where: `the environment › ${variable}`, problem, fix })
}

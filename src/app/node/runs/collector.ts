import { PromptError } from '../../../base/errors/prompt-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The address of an OpenTelemetry collector for logs or traces, and the headers of requests to it, from the standard variables. */
export function collectorOf(signal: 'logs' | 'traces', environment: Environment): { address: URL; headers: Record<string, string> } {
  const address = addressOf(signal, environment)
  const headers = { 'content-type': 'application/json', ...credentialsIn(address), ...headersIn(environment.OTEL_EXPORTER_OTLP_HEADERS) }
  // Requests with credentials in the address are refused, with the address in the message.
  address.username = ''
  address.password = ''
  checkHeaders(headers)
  return { address, headers }
}

function addressOf(signal: 'logs' | 'traces', environment: Environment): URL {
  const variable = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  const { [variable]: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = environment
  const given = own ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/${signal}`)
  // `localhost:4318` is an address of the protocol "localhost".
  if (given !== undefined && URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return new URL(given)
  throw new PromptError('missing', {
    where: own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : variable,
    problem: given === undefined ? 'no collector is named' : 'it is not an address with http:// or https://',
    fix: 'set it to the address of an OTLP collector, e.g. http://127.0.0.1:4318',
  })
}

function credentialsIn({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = [username, password].map((text) => decoded(text, 'OTEL_EXPORTER_OTLP_ENDPOINT')).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** `name=value,name=value`, with values encoded as in addresses. */
function headersIn(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((one) => one.includes('='))
  return Object.fromEntries(
    pairs.map((one) => [
      one.slice(0, one.indexOf('=')).trim(),
      decoded(one.slice(one.indexOf('=') + 1).trim(), 'OTEL_EXPORTER_OTLP_HEADERS'),
    ]),
  )
}

/** `fetch` would show the value in its error. */
function checkHeaders(headers: Record<string, string>): void {
  try {
    new Headers(headers)
  } catch {
    throw new PromptError('bad-value', {
      where: 'OTEL_EXPORTER_OTLP_HEADERS',
      problem: 'a name or value in it cannot be sent as a header',
      fix: 'write name=value,name=value, without line breaks',
    })
  }
}

/** Errors do not show the value, which may be a key. */
function decoded(text: string, where: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new PromptError('bad-value', {
      where,
      problem: 'a value in it is not percent-encoded',
      fix: 'write % as %25',
    })
  }
}

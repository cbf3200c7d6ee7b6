import { checkHeaders, decoded, serviceAddress } from './service-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The address of an OpenTelemetry collector for logs or traces, and the headers of requests to it, from the standard variables. */
export function collectorOf(signal: 'logs' | 'traces', environment: Environment): { address: URL; headers: Record<string, string> } {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  const { [own]: given, OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_HEADERS: more } = environment
  const variable = given === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : own
  const { address, headers: credentials } = serviceAddress(
    given ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/${signal}`),
    { variable, service: 'collector', example: 'http://127.0.0.1:4318' },
  )
  const headers = { 'content-type': 'application/json', ...credentials, ...headersIn(more) }
  checkHeaders(headers, 'OTEL_EXPORTER_OTLP_HEADERS', 'write name=value,name=value, without line breaks')
  return { address, headers }
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

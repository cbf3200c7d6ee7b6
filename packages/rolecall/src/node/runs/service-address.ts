import { PromptError } from '@rolecall/core/internal/errors'

/** The variable that names a service, and an example of its value. */
export type ServiceVariable = { variable: string; service: string; example: string }

/** The address of a service over HTTP, without credentials, which become a header: requests with them in the address are refused. */
export function serviceAddress(
  given: string | undefined,
  { variable, service, example }: ServiceVariable,
): { address: URL; headers: Record<string, string> } {
  // `localhost:4318` is an address of the protocol "localhost".
  if (given === undefined || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new PromptError('missing', {
      where: variable,
      problem: given === undefined ? `no ${service} is named` : 'it is not an address with http:// or https://',
      fix: `set it to the address of ${service === 'collector' ? 'an OTLP collector' : `a ${service}`}, e.g. ${example}`,
    })
  }
  const address = new URL(given)
  const { username, password } = address
  const pair = [username, password].map((text) => decoded(text, variable)).join(':')
  address.username = ''
  address.password = ''
  return { address, headers: pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** Errors do not show the value, which may be a key. */
export function decoded(text: string, where: string): string {
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

/** `fetch` would show the value of a header in its error. */
export function checkHeaders(headers: Record<string, string>, where: string, fix: string): void {
  try {
    new Headers(headers)
  } catch {
    throw new PromptError('bad-value', { where, problem: 'a name or value in it cannot be sent as a header', fix })
  }
}

const year = '\\d{4}'
/** February has a 29th where the year is divisible by 4, but not by 100, unless by 400. */
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:${year}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${leapYear}-02-29)`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
/** Without two hyphens in a row: `xn--` begins an encoded name, which would have to be a valid one. */
const label = '[A-Za-z0-9](?:-?[A-Za-z0-9]){0,31}'
const hostname = `${label}(?:\\.${label}){0,3}`
const path = '(?:/[A-Za-z0-9._~-]*)*'
const query = '(?:\\?[A-Za-z0-9._~=&-]*)?(?:#[A-Za-z0-9._~=&-]*)?'
const uri = `https?://${hostname}(?::\\d{1,4})?${path}${query}`
const reference = `(?:${uri}|/(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]*)*)?${query}|#[A-Za-z0-9._~=&-]*)`
const pointer = '(?:/(?:[^~/]|~[01])*)*'
const email = `[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@${label}(?:\\.${label}){1,3}`
const days = '(?:\\d{1,9}Y(?:\\d{1,9}M(?:\\d{1,9}D)?)?|\\d{1,9}M(?:\\d{1,9}D)?|\\d{1,9}D)'
const hours = '(?:\\d{1,9}H(?:\\d{1,9}M(?:\\d{1,9}S)?)?|\\d{1,9}M(?:\\d{1,9}S)?|\\d{1,9}S)'
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/**
 * Regular expressions for each `format`. Each is a subset of what the format allows, so that generated values are always valid: leap
 * seconds, quoted names in addresses and the like are never generated.
 */
export const formats: Readonly<Record<string, string>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  duration: `^P(?:\\d{1,9}W|${days}(?:T${hours})?|T${hours})$`,
  uuid: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  email: `^${email}$`,
  'idn-email': `^${email}$`,
  hostname: `^${hostname}$`,
  'idn-hostname': `^${hostname}$`,
  ipv4: `^${byte}(?:\\.${byte}){3}$`,
  ipv6: '^[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){7}$',
  uri: `^${uri}$`,
  'uri-reference': `^${reference}$`,
  iri: `^${uri}$`,
  'iri-reference': `^${reference}$`,
  'uri-template': `^${uri}$`,
  'json-pointer': `^${pointer}$`,
  'relative-json-pointer': `^(?:0|[1-9]\\d{0,8})(?:#|${pointer})$`,
  regex: '^(?:(?:[A-Za-z0-9 _-]|\\\\[dwsDWS.]|\\[[A-Za-z0-9]+\\])[*+?]?)*$',
}

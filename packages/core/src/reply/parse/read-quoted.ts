import { stringifyJson } from '../../base/python/index.ts'
import { readQuotedValue } from '../values/read-quoted-value.ts'
import type { Reading, Steps } from './reading.ts'
import { QuotedScanner } from './scanners.ts'
import { completeCall, refuse, scanCall } from './transitions.ts'

/** The arguments of a call whose texts are enclosed in a mark. */
export function* readQuoted(r: Reading): Steps {
  const { quote } = r.block.quoted!
  if (!(yield* scanCall(r, new QuotedScanner(quote, !r.isStrict)))) return
  const name = r.call.name!
  const found = readQuotedValue(r.raw.slice(r.argumentsFrom), quote, r.tools?.schemaOf(name))
  if ('problem' in found) return refuse(r, 'malformed', found.problem)
  const argumentsText = stringifyJson(found.object, { ensureAscii: false })
  r.call.addArguments(argumentsText)
  completeCall(r, { name, arguments: found.object, argumentsText })
}

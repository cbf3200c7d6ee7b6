import { stringifyJson } from '../../../base/python/index.ts'
import { readQuotedValue } from '../values/read-quoted-value.ts'
import type { Reading, Steps } from './reading.ts'
import { QuotedScanner } from './scanners.ts'
import { completeCall, endsEarly, refuse } from './transitions.ts'

/** The arguments of a call whose texts are enclosed in a mark. */
export function* readQuoted(r: Reading): Steps {
  const { quote } = r.block.quoted!
  const quoted = new QuotedScanner(quote, !r.isStrict)
  for (;;) {
    r.takeRaw(quoted.scan(r.text, r.at, r.marks, r.isFinal))
    if (quoted.status === 'end') break
    if (quoted.status === 'marker') return refuse(r, 'truncated', endsEarly)
    if (r.isEnded) {
      refuse(r, 'truncated', endsEarly)
      if (quoted.isInString) r.rewind(r.argumentsFrom + quoted.stringFrom, r.marks)
      return
    }
    yield
    if (quoted.isInString && r.isTokenOf(r.marks)) return refuse(r, 'truncated', endsEarly)
  }
  const name = r.call.name!
  const found = readQuotedValue(r.raw.slice(r.argumentsFrom), quote, r.tools?.schemaOf(name))
  if ('problem' in found) return refuse(r, 'malformed', found.problem)
  const argumentsText = stringifyJson(found.object, { ensureAscii: false })
  r.call.addArguments(argumentsText)
  completeCall(r, { name, arguments: found.object, argumentsText })
}

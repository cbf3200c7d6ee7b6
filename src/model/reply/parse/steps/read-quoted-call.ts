import { stringifyJson } from '../../../../base/python/index.ts'
import { readQuoted } from '../../values/read-quoted.ts'
import { QuotedScanner } from '../quoted-scanner.ts'
import type { Reading } from '../reading.ts'
import { endObject, endsEarly, refuse } from './read-block.ts'

/** A call whose texts stand between marks of their own: its name up to the brace, then its arguments. */
export function readQuotedCall(reading: Reading, text: string, from: number): number {
  const { block, quoted } = reading
  const stop = quoted.scan(text, from, reading.blockMarkers, reading.isFinal)
  if (stop > from) reading.raw.addPart(text, from, stop)
  switch (quoted.status) {
    case 'more':
      return stop
    case 'partial':
      return reading.hold(stop, reading.syntax.quotes.get(block))
    case 'marker':
      return refuse(reading, 'truncated', endsEarly, stop)
    case 'end':
      break
    default:
      quoted.status satisfies never
  }
  const name = reading.call.name!
  const found = readQuoted(reading.raw.toString().slice(reading.objectFrom), block.quoted!.quote, reading.tools?.schemaOf(name))
  if ('problem' in found) return refuse(reading, 'malformed', found.problem, stop)
  const argumentsText = stringifyJson(found.object, { ensureAscii: false })
  reading.call.addArguments(argumentsText)
  reading.found = { name, arguments: found.object, argumentsText }
  reading.rawLength = reading.raw.length
  return endObject(reading, stop)
}

export function startQuoted(reading: Reading): void {
  reading.state = 'quoted'
  reading.quoted = new QuotedScanner(reading.block.quoted!.quote, !reading.isStrict)
}

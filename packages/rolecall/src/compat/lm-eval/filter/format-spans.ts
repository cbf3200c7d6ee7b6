import { strip } from '@rolecall/core/internal/python'

/** Words for entity types, and the label that replaces each. They are replaced in this order, anywhere in the text. */
const labels: readonly (readonly [word: string, label: string])[] = [
  ['person', 'PER'],
  ['location', 'LOC'],
  ['organization', 'ORG'],
  ['counties', 'LOC'],
  ['places', 'LOC'],
  ['people', 'PER'],
  ['persons', 'PER'],
  ['company', 'ORG'],
  ['country', 'LOC'],
  ['continent', 'LOC'],
  ['time', 'DATE'],
  ['date', 'DATE'],
  ['per', 'PER'],
  ['loc', 'LOC'],
  ['org', 'ORG'],
]

/**
 * The names in a reply as `label: name $ label: name`, in lower case; "none" is not a name.
 * @example formatSpans('Person: Ida, Tom $$ LOC: none') // => 'per: ida $ per: tom'
 */
export function formatSpans(reply: string): string {
  let text = reply.toLowerCase()
  for (const [word, label] of labels) text = text.replaceAll(word, label)
  text = strip(text.split('$$').join('$').replace(/\$+$/, '').replaceAll('\n', '$'))
  const found: string[] = []
  for (const [, label, names] of text.matchAll(/(?<![\p{L}\p{N}_])(PER|LOC|ORG|DATE):\s*([^$]+)/gu))
    for (const name of names!.split(',').map((one) => strip(one)))
      if (name.toLowerCase() !== 'none') found.push(`${label!.toLowerCase()}: ${name}`)
  return found.join(' $ ')
}

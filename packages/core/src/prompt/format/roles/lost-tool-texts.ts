import type { Note } from '../../../base/errors/note.ts'
import { dictEntries, dictGet, isDict, type PyValue } from '../../../base/python/index.ts'
import type { Tool } from '../../conversation/conversation.ts'

/** Descriptions of tools and parameters that a prompt does not have, a note for each tool: templates read some keys, and lose parameters with certain names. */
export function lostToolTexts(tools: readonly Tool[], prompt: string): Note[] {
  return tools.flatMap(({ schema, path }): Note[] => {
    const lost = textsOf(schema, path).filter(({ text }) => !isWritten(text, prompt))
    const [first] = lost
    if (first === undefined) return []
    const more = lost.length === 1 ? '' : ` and ${lost.length - 1} more of this tool`
    const text = `the template does not write ${first.what}${more}, so the model does not see ${lost.length === 1 ? 'it' : 'them'}`
    return [{ code: 'tool-text-left-out', where: first.path, text }]
  })
}

type Described = { path: string; what: string; text: string }

/** The names and descriptions of a tool and its parameters, nested ones included. */
function textsOf(schema: PyValue, path: string): Described[] {
  if (!isDict(schema)) return []
  const name = dictGet(schema, 'name')
  return [
    ...described(dictGet(schema, 'description'), path, `the description of the tool ${String(name)}`),
    ...parametersOf(dictGet(schema, 'parameters'), `${path}.parameters`),
  ]
}

function parametersOf(schema: PyValue | undefined, path: string): Described[] {
  if (!isDict(schema)) return []
  const properties = dictGet(schema, 'properties')
  const own = isDict(properties)
    ? dictEntries(properties).flatMap(([name, property]) => [
        { path: `${path}.properties.${name}`, what: `the parameter "${name}"`, text: name },
        ...(isDict(property)
          ? described(dictGet(property, 'description'), `${path}.properties.${name}`, `the description of "${name}"`)
          : []),
        ...parametersOf(property, `${path}.properties.${name}`),
      ])
    : []
  const items = dictGet(schema, 'items')
  return [...own, ...(isDict(items) ? parametersOf(items, `${path}.items`) : [])]
}

function described(text: PyValue | undefined, path: string, what: string): Described[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ path: `${path}.description`, what, text }] : []
}

/** Templates trim texts, indent their lines or write them as JSON: the longest line is enough. */
function isWritten(text: string, prompt: string): boolean {
  const line = text
    .split('\n')
    .reduce((longest, next) => (next.length > longest.length ? next : longest))
    .trim()
  return prompt.includes(line) || prompt.includes(JSON.stringify(line).slice(1, -1)) || prompt.includes(escaped(line))
}

/** As `tojson` writes it with only ASCII. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

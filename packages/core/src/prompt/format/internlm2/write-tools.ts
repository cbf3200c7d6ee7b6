import { dictEntries, isDict, isList, type PyValue, stringifyJson } from '../../../base/python/index.ts'
import { plain, type TextPiece } from '../../../base/text/index.ts'
import type { Tool } from '../../conversation/conversation.ts'

export type ToolsJsonLayout = 'line' | 'indent' | 'document'

/** The list of tools as JSON. On one line, each tool is a separate piece. */
export function writeTools(tools: readonly Tool[], layout: ToolsJsonLayout): TextPiece[] {
  const schemas = tools.map(({ schema }) => schema)
  if (layout === 'indent') return [plain(stringifyJson(schemas, { ensureAscii: false, indent: 4 }), { by: 'tool', path: 'tools' })]
  if (layout === 'document') return [plain(brokenJson(schemas), { by: 'tool', path: 'tools' })]
  const between = (text: string) => plain(text, { by: 'format', path: 'format.tools' })
  const pieces = tools.flatMap(({ schema, path }, index) => [
    between(index === 0 ? '[' : ', '),
    plain(stringifyJson(schema, { ensureAscii: false }), { by: 'tool', path }),
  ])
  return [...pieces, between(']')]
}

const columns = 80

/** JSON as document 004 shows it, without its trailing commas: lists and objects that fit stay on their line. */
export function brokenJson(value: PyValue, indent = 0, before = 0): string {
  const line = stringifyJson(value, { ensureAscii: false })
  const isContainer = isList(value) || isDict(value)
  // The list itself is always broken, each tool on separate lines.
  if (!isContainer || line.length <= 2 || (indent > 0 && indent + before + line.length < columns)) return line
  const inner = ' '.repeat(indent + 4)
  const items = isList(value)
    ? value.map((item) => brokenJson(item, indent + 4))
    : dictEntries(value).map(([key, item]) => {
        const name = `${stringifyJson(key, { ensureAscii: false })}: `
        return name + brokenJson(item, indent + 4, name.length)
      })
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${' '.repeat(indent)}${close}`
}

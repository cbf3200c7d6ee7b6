import type { ChatPart } from '@rolecall/core/internal/conversation'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import { exactField, exactText } from '../exact-fields.ts'

/** A block of text, an image or a document as part of a message; what cannot be read is left out, and reported. */
export function readPart(block: PyValue, at: string, problems: string[]): ChatPart[] {
  const type = exactField(block, 'type')
  switch (type) {
    case 'text':
      return [{ type, text: exactText(block, 'text', at) }]
    case 'image':
      return [readImage(block, at)]
    case 'document':
      return [readDocument(block, at, problems)]
    case 'search_result':
    case 'web_search_result':
      return [{ type: 'text', text: searchResult(block) }]
    case 'tool_reference':
      return [{ type: 'text', text: `The tool ${exactText(block, 'tool_name', at)} is available now.` }]
    default: {
      // Results of the vendor's own tools: what they print, never what only the vendor can read.
      const text = textsOf(block, ['text', 'stdout', 'stderr', 'error_code', 'error_message'])
      if (text !== '') return [{ type: 'text', text }]
      problems.push(`${at}: left out, since blocks of type "${String(type)}" cannot be read here`)
      return []
    }
  }
}

function readImage(block: PyValue, at: string): ChatPart {
  const source = exactField(block, 'source')
  const kind = exactField(source, 'type')
  if (kind === 'url') return { type: 'image_url', image_url: { url: exactText(source, 'url', `${at}.source`) } }
  if (kind === 'base64') return { type: 'image_url', image_url: { url: dataUrl(source, at) } }
  throw badField(at, `unsupported image source "${String(kind)}"`, 'unsupported')
}

/** A result of a search: its title, its address, and its text if that can be read. */
function searchResult(block: PyValue): string {
  const content = exactField(block, 'content')
  const paragraphs = isList(content) ? content.map((part) => textsOf(part, ['text'])) : []
  return [textsOf(block, ['title', 'url', 'source']), ...paragraphs].filter((text) => text !== '').join('\n\n')
}

function textsOf(block: PyValue, keys: readonly string[]): string {
  const texts = keys.map((key) => exactField(block, key)).filter((text) => typeof text === 'string' && text !== '')
  return texts.join('\n')
}

/** A text document is its title, its context and its text, as paragraphs; a file keeps its title as name. */
function readDocument(block: PyValue, at: string, problems: string[]): ChatPart {
  const source = exactField(block, 'source')
  const kind = exactField(source, 'type')
  const described = (name: string) => (exactField(block, name) ?? null) !== null
  const title = described('title') ? [exactText(block, 'title', at)] : []
  if (exactField(exactField(block, 'citations'), 'enabled') === true) problems.push(`${at}.citations: ignored, replies have no citations`)
  if (kind === 'base64') {
    if (described('context')) problems.push(`${at}.context: ignored, since a file has only a name and data`)
    const [filename] = title
    return { type: 'file', file: { ...(filename === undefined ? {} : { filename }), file_data: dataUrl(source, at) } }
  }
  const context = described('context') ? [exactText(block, 'context', at)] : []
  return { type: 'text', text: [...title, ...context, documentText(source, kind, at)].join('\n\n') }
}

function documentText(source: PyValue | undefined, kind: PyValue | undefined, at: string): string {
  if (kind === 'text') return exactText(source, 'data', `${at}.source`)
  const content = kind === 'content' ? exactField(source, 'content') : undefined
  if (typeof content === 'string') return content
  if (isList(content)) return content.map((part, index) => exactText(part, 'text', `${at}.source.content[${index}]`)).join('\n\n')
  throw badField(at, `unsupported document source "${String(kind)}"`, 'unsupported')
}

function dataUrl(source: PyValue | undefined, at: string): string {
  const data = exactText(source, 'data', `${at}.source`)
  return `data:${exactText(source, 'media_type', `${at}.source`)};base64,${data}`
}

import { ownEntry } from '@rolecall/core/internal/schema'

/** An element of an XML text: its name, the text before its first child, and its children. */
type XmlElement = { name: string; text: string; children: XmlElement[] }

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s<>/]+)\s*>|<([\p{L}_:][^\s<>/'"=&]*)((?:\s+[^\s=<>/'"]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/uy

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The root of a small XML document, without namespaces and document types; undefined where the text is not well formed. */
export function readXml(text: string): XmlElement | undefined {
  const open: XmlElement[] = [{ name: '', text: '', children: [] }]
  let at = 0
  while (at < text.length) {
    const parent = open.at(-1)!
    if (text[at] !== '<') {
      const end = text.indexOf('<', at)
      const characters = unescaped(text.slice(at, end < 0 ? undefined : end))
      if (characters === undefined || (open.length === 1 && characters.trim() !== '')) return undefined
      if (parent.children.length === 0) parent.text += characters
      at = end < 0 ? text.length : end
      continue
    }
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return undefined
    const [whole, data, closing, opening, , isEmpty] = found
    at += whole.length
    if (data !== undefined && parent.children.length === 0) parent.text += data
    if (closing !== undefined && (open.length === 1 || open.pop()!.name !== closing)) return undefined
    if (opening === undefined) continue
    if (open.length === 1 && parent.children.length > 0) return undefined
    const element = { name: opening, text: '', children: [] }
    parent.children.push(element)
    if (isEmpty === '') open.push(element)
  }
  return open.length === 1 ? open[0]!.children[0] : undefined
}

function unescaped(text: string): string | undefined {
  let isKnown = true
  const result = text.replace(/&(?:#x([\da-f]+);|#(\d+);|(\w+);|)/gi, (_, hex?: string, decimal?: string, name?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (name === undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    isKnown &&= name !== undefined && Object.hasOwn(entities, name)
    return ownEntry(entities, name ?? '') ?? ''
  })
  return isKnown && !result.includes(']]>') ? result : undefined
}

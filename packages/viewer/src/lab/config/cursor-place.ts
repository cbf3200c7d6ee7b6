import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml'

/** The cursor's location in a config: at a key or a value, and its path. */
type CursorPlace = { kind: 'key' | 'value'; path: (string | number)[]; from: number }

const sentinel = 'zzCURSORzz'

/** Locates the cursor by inserting a word and finding it, so that the surrounding text may be incomplete. */
export function cursorPlace(text: string, at: number): CursorPlace | undefined {
  const before = text.slice(0, at)
  const word = /[\w.$-]*$/.exec(before)![0]
  const from = at - word.length
  const after = /^[\w.$-]*/.exec(text.slice(at))![0].length
  const head = text.slice(0, from)
  const tail = text.slice(at + after)
  const isQuoted = head.endsWith('"') && tail.startsWith('"')
  const lead = (isQuoted ? head.slice(0, -1) : head).trimEnd().at(-1)
  const line = head.slice(head.lastIndexOf('\n') + 1)
  const isBlock = /^\s*(- +)*$/.test(line) && lead !== '{' && lead !== '[' && lead !== ','
  const isKey = isBlock || lead === '{' || (lead === ',' && isInMap(head))
  const rest = isQuoted ? tail.slice(1) : tail
  const hasColon = /^\s*:/.test(rest)
  const quote = isQuoted ? '"' : ''
  const written = `${sentinel}${quote}${isKey && !hasColon ? ': null' : ''}`
  const place = find(parseDocument(`${head}${written}${rest}`, { merge: true }).contents, [])
  return place && { ...place, from }
}

/** Whether the innermost open bracket belongs to an object. */
function isInMap(text: string): boolean {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at]
    if (character === '}' || character === ']') depth++
    else if (character === '{' || character === '[') {
      if (depth === 0) return character === '{'
      depth--
    }
  }
  return false
}

function find(node: Node | null | undefined, path: (string | number)[]): Omit<CursorPlace, 'from'> | undefined {
  if (isScalar(node)) return node.value === sentinel ? { kind: 'value', path } : undefined
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (name === sentinel) return { kind: 'key', path }
      const found = find(value as Node | null, [...path, name])
      if (found) return found
    }
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item as Node | null, [...path, index])
      if (found) return found
    }
  }
  return undefined
}

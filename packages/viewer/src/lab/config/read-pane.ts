import { parseJson } from '@rolecall/core/internal/python'
import { type Document, isCollection, isMap, isScalar, type Node, type ParsedNode, parseDocument, type Scalar, stringify } from 'yaml'

/** A parsed text of a config: its value, the positions of its parts, and its problems. */
export type ReadPane = { value: unknown; document: Document<ParsedNode>; problems: Problem[]; isJson: boolean }

/** A problem at a position of a text. */
export type Problem = { from: number; to: number; message: string; fix?: string }

/** Parses JSON or YAML with positions. JSON is parsed like Python, so that 1.0 stays a float. */
export function readPane(text: string): ReadPane {
  const document = parseDocument(text, { merge: true, prettyErrors: false }) as Document<ParsedNode>
  const isJson = /^\s*[[{]/.test(text)
  const problems = document.errors.map(({ pos: [from, to], message }) => ({
    from,
    to: Math.max(to, from + 1),
    message: message.split('\n')[0]!,
  }))
  if (problems.length > 0) return { value: undefined, document, problems, isJson }
  try {
    return { value: isJson ? asJson(text, document) : document.toJS({ maxAliasCount: 100 }), document, problems, isJson }
  } catch (error) {
    return { value: undefined, document, problems: [{ from: 0, to: 1, message: (error as Error).message }], isJson }
  }
}

/** Flow-style YAML looks like JSON but may not be valid JSON. */
function asJson(text: string, document: Document<ParsedNode>): unknown {
  try {
    return parseJson(text)
  } catch {
    return document.toJS({ maxAliasCount: 100 })
  }
}

/** The keys of a path as the core writes it: `template.round[0].role`. */
export function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index !== undefined ? Number(index) : quoted !== undefined ? (JSON.parse(quoted) as string) : name!,
  )
}

/** The position of a path in a text, or of its nearest existing parent. */
export function rangeOf(document: Document<ParsedNode>, keys: readonly (string | number)[]): [from: number, to: number] {
  let node: Node | null = document.contents
  let range = rangeOfNode(node) ?? [0, 1]
  for (const key of keys) {
    if (!isCollection(node)) break
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String((item.key as Scalar).value) === String(key))
      : undefined
    const next = node.get(key, true) as Node | undefined
    // For long values, point at the key.
    const found = pair ? rangeOfNode(pair.key as Node) : rangeOfNode(next)
    if (!found) break
    range = found
    node = next ?? null
  }
  return range
}

function rangeOfNode(node: Node | null | undefined): [number, number] | undefined {
  return node?.range ? [node.range[0], Math.max(node.range[1], node.range[0] + 1)] : undefined
}

export function asYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

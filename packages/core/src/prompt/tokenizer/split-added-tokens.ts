import type { AddedToken } from './tokenizer.ts'

/** A chunk between added tokens, or one of them. */
export type Split = { start: number; end: number; token?: AddedToken }

type Node = { next: Map<number, Node>; token?: AddedToken }

/**
 * Finds tokens in text as the model's own tokenizer does: from left to right, the longest at each position. Without any token to find, the
 * text is one chunk.
 */
export function tokenSplitter(tokens: readonly AddedToken[]): (text: string) => Split[] {
  if (tokens.length === 0) return (text) => (text === '' ? [] : [{ start: 0, end: text.length }])
  const root: Node = { next: new Map() }
  for (const token of tokens) insert(root, token)
  return (text) => {
    const splits: Split[] = []
    let last = 0
    for (let at = 0; at < text.length; ) {
      const token = longestAt(root, text, at)
      if (!token) {
        at++
        continue
      }
      if (at > last) splits.push({ start: last, end: at })
      last = at + token.content.length
      splits.push({ start: at, end: last, token })
      at = last
    }
    if (last < text.length) splits.push({ start: last, end: text.length })
    return splits
  }
}

function insert(root: Node, token: AddedToken): void {
  let node = root
  for (let index = 0; index < token.content.length; index++) {
    const unit = token.content.charCodeAt(index)
    const next = node.next.get(unit) ?? { next: new Map() }
    node.next.set(unit, next)
    node = next
  }
  if (node !== root) node.token = token
}

function longestAt(root: Node, text: string, at: number): AddedToken | undefined {
  let node = root
  let found: AddedToken | undefined
  for (let index = at; index < text.length; index++) {
    const next = node.next.get(text.charCodeAt(index))
    if (!next) break
    node = next
    found = node.token ?? found
  }
  return found
}

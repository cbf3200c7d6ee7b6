import { limits } from '../errors/limits.ts'
import type { PromptError } from '../errors/prompt-error.ts'
import { type GoToken, mistake, splitTemplate } from './tokens.ts'

/** An operand of a command. */
export type Operand =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'field'; names: readonly string[] }
  | { kind: 'variable'; name: string; names: readonly string[] }
  | { kind: 'function'; name: string }
  | { kind: 'pipeline'; pipeline: Pipeline; names: readonly string[] }

/** Commands; each takes the value of the previous one as its last argument. */
export type Pipeline = { commands: readonly (readonly Operand[])[]; line: number }

/** Variables that get a pipeline's value: new or existing ones. */
export type Assigned = { names: readonly string[]; isNew: boolean }

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'write'; pipeline: Pipeline; to?: Assigned }
  | { kind: 'if' | 'with' | 'range'; pipeline: Pipeline; to?: Assigned; body: Node[]; otherwise: Node[] }
  | { kind: 'break' | 'continue' }

/** Parses a template of Go's `text/template`, without nested template definitions. */
export function parseGoTemplate(source: string, where = 'template'): Node[] {
  const parts = splitTemplate(source, where)
  let at = 0
  let depth = 0

  /** Nodes up to `end` or `else`; returns the words after `else`. */
  const list = (isInside: boolean): { nodes: Node[]; rest?: readonly GoToken[]; line: number } => {
    const nodes: Node[] = []
    while (at < parts.length) {
      const part = parts[at++]!
      if ('text' in part) {
        nodes.push({ kind: 'text', text: part.text })
        continue
      }
      const { action, line } = part
      const [first, ...rest] = action
      const keyword = first?.kind === 'word' ? first.value : undefined
      if (keyword === 'end' || keyword === 'else') {
        if (!isInside) throw mistake(where, line, `there is nothing that this "${keyword}" could belong to`)
        return { nodes, line, ...(keyword === 'else' ? { rest } : {}) }
      }
      if (keyword === 'if' || keyword === 'with' || keyword === 'range') nodes.push(block(keyword, rest, line))
      else if (keyword === 'break' || keyword === 'continue') nodes.push({ kind: keyword })
      else if (keyword === 'define' || keyword === 'template' || keyword === 'block')
        throw mistake(where, line, `"${keyword}" is not read: only templates of one part are`)
      else nodes.push({ kind: 'write', ...assignment(action, line, where) })
    }
    if (isInside) throw mistake(where, 1, 'an "end" is missing')
    return { nodes, line: 1 }
  }

  const block = (kind: 'if' | 'with' | 'range', tokens: readonly GoToken[], line: number): Node => {
    if (++depth > limits.templateDepth) throw tooDeep(where, line)
    const made = blockOf(kind, tokens, line)
    depth--
    return made
  }

  const blockOf = (kind: 'if' | 'with' | 'range', tokens: readonly GoToken[], line: number): Node => {
    const { nodes: body, rest } = list(true)
    const head = assignment(tokens, line, where)
    if (rest === undefined) return { kind, ...head, body, otherwise: [] }
    const [word, ...condition] = rest
    // `{{ else if … }}` shares the `end` of its `if`.
    if (word?.kind === 'word' && (word.value === 'if' || word.value === 'with'))
      return { kind, ...head, body, otherwise: [block(word.value, condition, line)] }
    return { kind, ...head, body, otherwise: list(true).nodes }
  }

  return list(false).nodes
}

function assignment(tokens: readonly GoToken[], line: number, where: string): { pipeline: Pipeline; to?: Assigned } {
  const sign = tokens.findIndex((token) => token.kind === 'sign' && (token.value === ':=' || token.value === '='))
  if (sign < 0) return { pipeline: pipelineOf(tokens, line, where) }
  const names = tokens.slice(0, sign).flatMap((token) => (token.kind === 'variable' ? [token.name] : []))
  const isNew = (tokens[sign] as { value: string }).value === ':='
  return { pipeline: pipelineOf(tokens.slice(sign + 1), line, where), to: { names, isNew } }
}

function pipelineOf(tokens: readonly GoToken[], line: number, where: string): Pipeline {
  let at = 0
  let depth = 0
  const commands = (isInside: boolean): Operand[][] => {
    if (++depth > limits.templateDepth) throw tooDeep(where, line)
    const found: Operand[][] = [[]]
    while (at < tokens.length) {
      const token = tokens[at++]!
      if (token.kind === 'sign' && token.value === '|') found.push([])
      else if (token.kind === 'sign' && token.value === ')') {
        depth--
        if (isInside) return found
        throw mistake(where, line, 'a ")" has no "("')
      } else found.at(-1)!.push(operand(token))
    }
    if (isInside) throw mistake(where, line, 'a "(" is not closed')
    return found
  }
  const operand = (token: GoToken): Operand => {
    switch (token.kind) {
      case 'text':
      case 'number':
        return { kind: 'literal', value: token.value }
      case 'field':
        return { kind: 'field', names: token.names }
      case 'variable':
        return token
      case 'word':
        if (token.value === 'true' || token.value === 'false') return { kind: 'literal', value: token.value === 'true' }
        return token.value === 'nil' ? { kind: 'literal', value: null } : { kind: 'function', name: token.value }
      default: {
        if (token.value !== '(') throw mistake(where, line, `"${token.value}" has no place here`)
        const inner = commands(true)
        const next = tokens[at]
        const names = next?.kind === 'field' && next.isOf ? next.names : []
        // A field right after a parenthesis is a field of the value in it.
        if (names.length > 0) at++
        return { kind: 'pipeline', pipeline: { commands: inner, line }, names }
      }
    }
  }
  const read = commands(false)
  if (read.some((command) => command.length === 0)) throw mistake(where, line, 'a command is missing')
  return { commands: read, line }
}

function tooDeep(where: string, line: number): PromptError {
  return mistake(where, line, `there are more than ${limits.templateDepth} levels of blocks or parentheses`)
}

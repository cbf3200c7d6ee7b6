import { GoBudget } from './go-budget.ts'
import type { Node, Operand, Pipeline } from './parse.ts'
import { mistake } from './tokens.ts'

/** A text from the input, or one that a function made of it: it is kept separate from the template's text. */
export class Said {
  constructor(
    readonly text: string,
    /** Which of the given texts it is, or is made of. */
    readonly of: unknown,
  ) {}
}

/** What `print` makes: texts of the template and of the input, one after another. */
class Printed {
  readonly text: string

  constructor(readonly parts: readonly (string | Said)[]) {
    this.text = parts.map((part) => (part instanceof Said ? part.text : part)).join('')
  }
}

/** A Go value as templates see it. An object is a struct: an unknown field is an error; a Map is a map. */
export type GoValue =
  | string
  | number
  | boolean
  | null
  | Said
  | Printed
  | readonly GoValue[]
  | ReadonlyMap<string, GoValue>
  | { readonly [name: string]: GoValue }

/** Output: the template's text, or an input text. */
export type GoPiece = { text: string; of?: unknown }

/** Renders a template of Go. */
export function evaluateGoTemplate(
  nodes: readonly Node[],
  data: GoValue,
  where = 'template',
  budget: GoBudget = new GoBudget(where),
): GoPiece[] {
  const pieces: GoPiece[] = []
  const globals = new Map<string, GoValue>([['', data]])
  run(nodes, data, [globals])
  return pieces

  function run(list: readonly Node[], dot: GoValue, scopes: readonly Map<string, GoValue>[]): 'break' | 'continue' | undefined {
    const inner = [...scopes, new Map<string, GoValue>()]
    for (const node of list) {
      budget.step()
      switch (node.kind) {
        case 'text':
          write(node.text)
          break
        case 'write': {
          const value = valueOfPipeline(node.pipeline, dot, inner)
          if (node.to) assign(node.to.names, [value], node.to.isNew, inner)
          else for (const part of partsOf(value)) write(part)
          break
        }
        case 'if':
        case 'with': {
          const value = valueOfPipeline(node.pipeline, dot, inner)
          const own = [...inner, new Map<string, GoValue>()]
          if (node.to) assign(node.to.names, [value], node.to.isNew, own)
          const left = isTrue(value) ? run(node.body, node.kind === 'with' ? value : dot, own) : run(node.otherwise, dot, own)
          if (left) return left
          break
        }
        case 'range': {
          const items = entriesOf(valueOfPipeline(node.pipeline, dot, inner), node.pipeline.line)
          if (items.length === 0) {
            const left = run(node.otherwise, dot, inner)
            if (left) return left
          }
          for (const [key, value] of items) {
            budget.step()
            const own = [...inner, new Map<string, GoValue>()]
            if (node.to) assign(node.to.names, node.to.names.length === 1 ? [value] : [key, value], node.to.isNew, own)
            if (run(node.body, value, own) === 'break') break
          }
          break
        }
        default:
          return node.kind
      }
    }
    return undefined
  }

  function write(part: string | Said): void {
    const piece: GoPiece = part instanceof Said ? { text: part.text, of: part.of } : { text: part }
    budget.write(piece.text.length)
    pieces.push(piece)
  }

  function assign(names: readonly string[], values: readonly GoValue[], isNew: boolean, scopes: readonly Map<string, GoValue>[]): void {
    for (const [index, name] of names.entries()) {
      const scope = isNew ? scopes.at(-1)! : scopes.findLast((one) => one.has(name))
      scope?.set(name, values[index] ?? null)
    }
  }

  function valueOfPipeline({ commands, line }: Pipeline, dot: GoValue, scopes: readonly Map<string, GoValue>[]): GoValue {
    let last: GoValue | undefined
    for (const command of commands) last = call(command, last, dot, scopes, line)
    return last ?? null
  }

  function call(
    command: readonly Operand[],
    last: GoValue | undefined,
    dot: GoValue,
    scopes: readonly Map<string, GoValue>[],
    line: number,
  ): GoValue {
    const [first, ...rest] = command
    const value = (operand: Operand) => operandValue(operand, dot, scopes, line)
    if (first!.kind !== 'function') {
      if (rest.length > 0 || last !== undefined) throw mistake(where, line, 'a value is called like a function')
      return value(first!)
    }
    const { name } = first!
    // These two short-circuit.
    if (name === 'and' || name === 'or') {
      let found: GoValue = null
      for (const operand of rest) {
        found = value(operand)
        if (isTrue(found) === (name === 'or')) return found
      }
      return last ?? found
    }
    return apply(name, [...rest.map(value), ...(last === undefined ? [] : [last])], line)
  }

  function operandValue(operand: Operand, dot: GoValue, scopes: readonly Map<string, GoValue>[], line: number): GoValue {
    budget.step()
    switch (operand.kind) {
      case 'literal':
        return operand.value
      case 'field':
        return fieldOf(dot, operand.names, line)
      case 'variable': {
        const scope = scopes.findLast((one) => one.has(operand.name))
        if (scope === undefined) throw mistake(where, line, `there is no variable $${operand.name}`)
        return fieldOf(scope.get(operand.name)!, operand.names, line)
      }
      case 'pipeline':
        return fieldOf(valueOfPipeline(operand.pipeline, dot, scopes), operand.names, line)
      default:
        return apply(operand.name, [], line)
    }
  }

  function fieldOf(value: GoValue, names: readonly string[], line: number): GoValue {
    let found = value
    for (const name of names) {
      if (found instanceof Map) found = (found as ReadonlyMap<string, GoValue>).get(name) ?? null
      else if (isStruct(found) && Object.hasOwn(found, name)) found = found[name]!
      else if (found === null) throw mistake(where, line, `.${name} has no value to read from`)
      else throw mistake(where, line, `there is no field .${name}`)
    }
    return found
  }

  function apply(name: string, given: readonly GoValue[], line: number): GoValue {
    const [first = null, ...others] = given
    for (const one of given) budget.step((textOf(one)?.length ?? 0) >> 8)
    switch (name) {
      case 'not':
        return !isTrue(first)
      case 'eq':
        return others.some((other) => isEqual(first, other))
      case 'ne':
        return !isEqual(first, others[0] ?? null)
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        return isOrdered(name, first, others[0] ?? null)
      case 'len':
        return lengthOf(first, line)
      case 'index':
        return others.reduce<GoValue>((value, key) => elementOf(value, key, line), first)
      case 'slice':
        return sliceOf(first, others, line)
      case 'print':
        return printed(given)
      case 'json':
        return made(madeOf(goJson(plainOf(first)), first))
      default:
        throw mistake(where, line, `the function "${name}" is not known`)
    }
  }

  function printed(values: readonly GoValue[]): GoValue {
    const parts: (string | Said)[] = []
    for (const [index, value] of values.entries()) {
      if (index > 0 && isSpaced(values[index - 1]!, value)) parts.push(' ')
      for (const part of partsOf(value)) {
        budget.step()
        parts.push(part)
      }
    }
    return made(new Printed(parts))
  }

  /** Long texts take time to make. */
  function made(value: string | Said | Printed): GoValue {
    budget.step(textOf(value)!.length >> 4)
    return value
  }

  function lengthOf(value: GoValue, line: number): number {
    const text = textOf(value)
    if (text !== undefined) return new TextEncoder().encode(text).length
    if (Array.isArray(value)) return value.length
    if (value instanceof Map) return value.size
    throw mistake(where, line, 'len: the value has no length')
  }

  function elementOf(value: GoValue, key: GoValue, line: number): GoValue {
    if (value instanceof Map) return (value as ReadonlyMap<string, GoValue>).get(String(key)) ?? null
    if (Array.isArray(value) && typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < value.length) return value[key]!
    throw mistake(where, line, 'index is out of range')
  }

  function sliceOf(value: GoValue, bounds: readonly GoValue[], line: number): GoValue {
    const [from = 0, to] = bounds.map(Number)
    if (Array.isArray(value) && from <= value.length) {
      budget.step(value.length >> 6)
      return value.slice(from, to)
    }
    const text = textOf(value)
    if (text === undefined) throw mistake(where, line, 'slice is out of range')
    return made(madeOf(new TextDecoder().decode(new TextEncoder().encode(text).slice(from, to)), value))
  }

  function entriesOf(value: GoValue, line: number): [GoValue, GoValue][] {
    if (value === null) return []
    if (Array.isArray(value)) return value.map((one, index) => [index, one])
    if (value instanceof Map) return [...(value as ReadonlyMap<string, GoValue>)].toSorted(([one], [other]) => (one < other ? -1 : 1))
    throw mistake(where, line, 'range: the value has no elements')
  }
}

function textOf(value: GoValue): string | undefined {
  return typeof value === 'string' ? value : value instanceof Said || value instanceof Printed ? value.text : undefined
}

/** A text made of a value: text of the input, if the value has any. */
function madeOf(text: string, value: GoValue): string | Said {
  const said = saidIn(value)
  return said === undefined ? text : new Said(text, said.of)
}

function saidIn(value: GoValue): Said | undefined {
  if (value instanceof Said) return value
  if (value instanceof Printed) return value.parts.find((part) => part instanceof Said)
  const inner: Iterable<GoValue> = Array.isArray(value)
    ? value
    : value instanceof Map
      ? value.values()
      : isStruct(value)
        ? Object.values(value)
        : []
  for (const one of inner) {
    const found = saidIn(one)
    if (found) return found
  }
  return undefined
}

/** Go prints a space between two values if neither is a string. */
function isSpaced(one: GoValue, other: GoValue): boolean {
  return textOf(one) === undefined && textOf(other) === undefined
}

function isStruct(value: GoValue): value is { readonly [name: string]: GoValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map) && textOf(value) === undefined
}

/** Go's truth: false, 0, nil and empty values are false. */
function isTrue(value: GoValue): boolean {
  const text = textOf(value)
  if (text !== undefined) return text !== ''
  if (Array.isArray(value)) return value.length > 0
  return value instanceof Map ? value.size > 0 : Boolean(value)
}

function isEqual(one: GoValue, other: GoValue): boolean {
  return (textOf(one) ?? one) === (textOf(other) ?? other)
}

function isOrdered(name: 'lt' | 'le' | 'gt' | 'ge', one: GoValue, other: GoValue): boolean {
  const [a, b] = [textOf(one) ?? (one as number), textOf(other) ?? (other as number)]
  return { lt: a < b, le: a <= b, gt: a > b, ge: a >= b }[name]
}

/** Go escapes characters that could be read as HTML. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A value as Go prints it. */
function partsOf(value: GoValue): readonly (string | Said)[] {
  if (value === null) return ['<no value>']
  if (typeof value === 'string' || value instanceof Said) return [value]
  if (value instanceof Printed) return value.parts
  if (Array.isArray(value)) return ['[', ...value.flatMap((one, index) => [...(index > 0 ? [' '] : []), ...partsOf(one)]), ']']
  return [typeof value === 'object' ? madeOf(JSON.stringify(plainOf(value)), value) : String(value)]
}

function plainOf(value: GoValue): unknown {
  const text = textOf(value)
  if (text !== undefined) return text
  if (Array.isArray(value)) return value.map(plainOf)
  if (value instanceof Map) return Object.fromEntries([...(value as ReadonlyMap<string, GoValue>)].map(([key, one]) => [key, plainOf(one)]))
  if (isStruct(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainOf(one)]))
  return value
}

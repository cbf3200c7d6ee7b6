import type { Shape, Slot } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import { lengthAutomaton, quoted } from '../text/combine.ts'
import { mustBeEscaped, StateSets } from '../text/state-set.ts'
import type { SchemaPart } from './json-schema.ts'
import type { SchemaCompiler } from './schema-compiler.ts'

/** The names that `propertyNames` allows: a list, or what automata describe. */
export type AllowedNames = { names: readonly string[]; automata?: undefined } | { names?: undefined; automata: readonly Automaton[] }

/** Undefined if all names are allowed. */
export function namesAllowed(part: SchemaPart, compiler: SchemaCompiler): AllowedNames | undefined {
  const { parts, slot } = compiler
  const { propertyNames: given } = part.schema
  if (given === undefined || given === true) return undefined
  const own = parts.child(part, given, 'propertyNames')
  const resolved = parts.conjunction([own])
  if (resolved === undefined) return { names: [] }
  const isListed = resolved.some(({ schema }) => 'const' in schema || Array.isArray(schema.enum))
  const made = slot([own, parts.child(part, { type: 'string' }, 'propertyNames/type')])
  const automata = automataOf(made, compiler)
  if (!isListed) return { automata }
  const listed = resolved.flatMap(({ schema }) =>
    'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? (schema.enum as unknown[]) : [],
  )
  const names = [...new Set(listed.filter((name): name is string => typeof name === 'string'))]
  return { names: names.filter((name) => automata.some((one) => accepts(one, name))) }
}

export function acceptsName({ names, automata }: AllowedNames, name: string): boolean {
  return names ? names.includes(name) : automata.some((one) => accepts(one, name))
}

/** The automata of the strings that a slot allows. */
function automataOf(slot: Slot, { parts: { budget } }: SchemaCompiler): Automaton[] {
  const found: Automaton[] = []
  const open: Shape[] = [...slot.shapes]
  for (let shape = open.pop(); shape; shape = open.pop()) {
    budget.charge(1)
    if (shape.kind === 'same') open.push(...shape.slot.shapes)
    else if (shape.kind === 'text') found.push(shape.automaton)
    else if (shape.kind === 'string') found.push(quoted(lengthAutomaton(shape.least, shape.most, budget), budget))
  }
  return found
}

/** Whether an automaton of JSON strings accepts a text. */
function accepts(automaton: Automaton, text: string): boolean {
  const sets = new StateSets(automaton)
  const characters = [{ code: 0x22, isEscaped: false }, ...Array.from(text, inString), { code: 0x22, isEscaped: false }]
  let set: typeof sets.start | undefined = sets.start
  for (const { code, isEscaped } of characters) set = set && sets.next(set, code, isEscaped)
  return set?.isEnd === true
}

function inString(character: string): { code: number; isEscaped: boolean } {
  const code = character.codePointAt(0)!
  return { code, isEscaped: mustBeEscaped(code) }
}

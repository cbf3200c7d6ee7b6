import { nearestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { WorkBudget } from '../work-budget.ts'
import { type GivenPart, isRecord, type JsonSchema, type SchemaObject, type SchemaPart } from './json-schema.ts'
import { isKeyword, isKnownKeyword, keywords } from './keywords.ts'
import { negate } from './negate.ts'
import { PlacedSchema } from './placed-schema.ts'
import { baseOf, documentBase, escaped, SchemaReferences } from './schema-references.ts'

/** Finds the parts of one schema, and reports their problems. */
export class SchemaParts {
  readonly #where: string
  readonly #checked = new Set<string>()
  readonly #references: SchemaReferences
  readonly #negated = new Map<string, JsonSchema>()
  #leftOut: string | undefined
  readonly budget: WorkBudget

  /** `where`: the user's name for the schema. */
  constructor(root: unknown, where: string, budget: WorkBudget) {
    this.#where = where
    this.#references = new SchemaReferences(root)
    this.budget = budget
  }

  /** The error for a keyword that cannot be enforced, with its path. */
  refuse(pointer: string, problem: string, fix: string): PromptError {
    return new PromptError('cannot-constrain', { where: `${this.#where}${pointer.replaceAll(negation, '')}`, problem, fix })
  }

  /** Notes that some ways to violate a keyword cannot be expressed. */
  leaveOut(pointer: string, keyword: string): void {
    this.#leftOut ??= `${pointer}/${keyword}`
  }

  /** The error for a schema that no value satisfies, as far as values can be written. */
  refuseAll(): PromptError {
    if (this.#leftOut === undefined) {
      const fix = 'look for limits that exclude each other, and for schemas that contain themselves'
      return this.refuse('#', 'no value satisfies this schema', fix)
    }
    const keyword = this.#leftOut.split('/').at(-1)
    return this.refuse(
      this.#leftOut,
      `${keyword} cannot be enforced inside not, oneOf or if: no value that violates it can be written`,
      'say what is allowed instead of what is not, or give the alternatives different types or constants',
    )
  }

  /** All parts that a value must satisfy together, through `$ref`, `allOf` and `not`. Undefined if nothing satisfies them. */
  conjunction(given: readonly GivenPart[]): SchemaPart[] | undefined {
    const parts = new Map<string, SchemaPart>()
    const open = [...given].reverse()
    const followed = new Set<string>()
    for (let one = open.pop(); one; one = open.pop()) {
      this.budget.charge(2 + (one.pointer.length >> 5))
      const { pointer, done = [], base: outer = documentBase, isNegated = false, schema: raw } = one
      if (raw instanceof PlacedSchema) {
        open.push(raw.part)
        continue
      }
      const read = this.#check(raw, pointer)
      const schema = isNegated ? this.#negation(read, pointer, baseOf(read, outer)) : read
      if (schema === false) return undefined
      if (schema === true) continue
      const place = isNegated ? pointer + negation : pointer
      const key = keyOf({ pointer: place, done })
      if (parts.has(key)) continue
      const part: SchemaPart = { schema, pointer: place, base: baseOf(schema, outer), done }
      parts.set(key, part)
      if (done.includes('allOf')) continue
      if (schema.allOf !== undefined) open.push(...this.list(part, 'allOf').reverse())
      if (schema.not !== undefined) open.push({ ...this.child(part, schema.not, 'not'), isNegated: true })
      for (const keyword of ['$ref', '$dynamicRef'] as const) {
        if (schema[keyword] === undefined) continue
        const target = this.resolve(part, keyword)
        if (target.pointer === place || (followed.has(target.pointer) && this.#isCircular(target))) {
          throw this.refuse(`${pointer}/${keyword}`, `${keyword} refers to itself`, 'let it refer to a schema of a value')
        }
        if (followed.has(target.pointer)) continue
        followed.add(target.pointer)
        open.push(target)
      }
    }
    return [...parts.values()]
  }

  /** A schema inside a part, by its path from there. */
  child({ pointer, base }: SchemaPart, schema: unknown, path: string): GivenPart {
    return { schema, pointer: `${pointer}/${path}`, base }
  }

  /** Whether references alone lead back to the same schema, so that it says nothing about the value. */
  #isCircular(start: GivenPart): boolean {
    const seen = new Set<string>()
    const open = [start]
    for (let one = open.pop(); one; one = open.pop()) {
      this.budget.charge(2)
      const { schema, pointer, base = documentBase } = one
      if (!isRecord(schema)) continue
      const part: SchemaPart = { schema, pointer, base: baseOf(schema, base), done: [] }
      const references = (['$ref', '$dynamicRef'] as const).filter((keyword) => schema[keyword] !== undefined)
      const next = [
        ...references.map((keyword) => this.resolve(part, keyword)),
        ...(schema.allOf === undefined ? [] : this.list(part, 'allOf')),
      ]
      for (const found of next) {
        if (found.pointer === start.pointer) return true
        if (!seen.has(found.pointer)) open.push(found)
        seen.add(found.pointer)
      }
    }
    return false
  }

  /** The schemas in a list, e.g. of `anyOf`. */
  list(part: SchemaPart, keyword: string): GivenPart[] {
    const given = part.schema[keyword]
    if (!Array.isArray(given) || given.length === 0) {
      throw this.refuse(`${part.pointer}/${keyword}`, `${keyword} must be a list of schemas`, 'write at least one into it')
    }
    return given.map((one, index) => this.child(part, one as unknown, `${keyword}/${index}`))
  }

  /** The schemas by name of a keyword, e.g. of `properties`; none if it is absent. */
  byName({ schema, pointer }: SchemaPart, keyword: string): SchemaObject {
    const given = schema[keyword]
    if (given === undefined) return {}
    if (isRecord(given)) return given
    throw this.refuse(`${pointer}/${keyword}`, `${keyword} must be an object`, 'write a schema for each name')
  }

  /** What a part refers to. */
  resolve({ schema, pointer, base }: SchemaPart, keyword: '$ref' | '$dynamicRef' = '$ref'): GivenPart {
    const place = `${pointer}/${keyword}`
    const reference = schema[keyword]
    if (typeof reference === 'string') {
      const found = keyword === '$ref' ? this.#references.find(reference, base) : this.#references.findDynamic(reference, base)
      if (found) return found
      if (reference.startsWith('#/'))
        throw this.refuse(place, `${keyword} points to ${reference}, where there is nothing`, 'define it under $defs')
    }
    throw this.refuse(
      place,
      keyword === '$ref'
        ? `$ref must point into this schema, and ${JSON.stringify(reference)} does not`
        : `$dynamicRef ${JSON.stringify(reference)} cannot be enforced: it has several targets, or none in this schema`,
      'copy what it points to into $defs, and write #/$defs/NAME',
    )
  }

  #negation(schema: JsonSchema, pointer: string, base: string): JsonSchema {
    const known = this.#negated.get(pointer)
    if (known !== undefined) return known
    const made = negate({ schema, pointer, base }, this)
    this.#negated.set(pointer, made)
    return made
  }

  #check(schema: unknown, pointer: string): JsonSchema {
    if (typeof schema === 'boolean') return schema
    if (!isRecord(schema)) {
      throw this.refuse(
        pointer,
        `a schema must be an object, or true or false, and this is ${JSON.stringify(schema)}`,
        'write a JSON Schema',
      )
    }
    if (this.#checked.has(pointer)) return schema
    this.#checked.add(pointer)
    for (const keyword of Object.keys(schema)) {
      this.budget.charge(1)
      if (isKnownKeyword(keyword)) continue
      const near = isKeyword(keyword) ? undefined : nearestName(keyword, keywords)
      throw this.refuse(
        `${pointer}/${escaped(keyword)}`,
        `${keyword} cannot be enforced`,
        near === undefined ? `leave ${keyword} out, and check it in what comes back` : `did you mean "${near}"?`,
      )
    }
    return schema
  }
}

/** Marks the pointer of a schema that a value must not satisfy. */
const negation = '¬'

/** The identity of parts: their pointers, and the keywords already followed. */
export function keyOf({ pointer, done }: Pick<SchemaPart, 'pointer' | 'done'>): string {
  return `${pointer} ${[...done].sort().join()}`
}

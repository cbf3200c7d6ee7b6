import { nearestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isKeyword, isKnownKeyword, keywords } from './keywords.ts'

/** A schema as given: an object of keywords, true or false. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** A part of a schema with its pointer: `#/properties/name`. */
export type SchemaPart = {
  schema: Exclude<JsonSchema, boolean>
  pointer: string
  /** Keywords already followed: `$ref`, `allOf`, and resolved choices. */
  done: readonly string[]
}

/** A schema that has not been read yet. */
export type GivenPart = { schema: unknown; pointer: string; done?: readonly string[] }

/** Finds the parts of one schema, and reports their problems. */
export class SchemaParts {
  readonly #root: unknown
  readonly #where: string
  readonly #checked = new Set<string>()

  /** `where`: the user's name for the schema. */
  constructor(root: unknown, where: string) {
    this.#root = root
    this.#where = where
  }

  /** The error for a keyword that cannot be enforced, with its path. */
  refuse(pointer: string, problem: string, fix: string): PromptError {
    return new PromptError('cannot-constrain', { where: `${this.#where}${pointer}`, problem, fix })
  }

  /** All parts that a value must satisfy together, through `$ref` and `allOf`. Undefined if nothing satisfies them. */
  conjunction(given: readonly GivenPart[]): SchemaPart[] | undefined {
    const parts = new Map<string, SchemaPart>()
    const open = [...given].reverse()
    const followed = new Set<string>()
    for (let one = open.pop(); one; one = open.pop()) {
      const { pointer, done = [] } = one
      const schema = this.#check(one.schema, pointer)
      if (schema === false) return undefined
      if (schema === true) continue
      const key = keyOf({ pointer, done })
      if (parts.has(key)) continue
      parts.set(key, { schema, pointer, done })
      const { allOf, $ref: reference } = schema
      if (done.includes('allOf')) continue
      if (allOf !== undefined) open.push(...this.list(schema, 'allOf', pointer).reverse())
      if (reference === undefined) continue
      const target = this.resolve(reference, pointer)
      if (target.pointer === pointer || (followed.has(target.pointer) && this.#isCircular(target))) {
        throw this.refuse(`${pointer}/$ref`, '$ref refers to itself', 'let it refer to a schema of a value')
      }
      if (followed.has(target.pointer)) continue
      followed.add(target.pointer)
      open.push(target)
    }
    return [...parts.values()]
  }

  /** Whether references alone lead back to the same schema, so that it says nothing about the value. */
  #isCircular(start: GivenPart): boolean {
    const seen = new Set<string>()
    const open = [start]
    for (let one = open.pop(); one; one = open.pop()) {
      const { schema, pointer } = one
      if (typeof schema !== 'object' || schema === null) continue
      const { $ref: reference, allOf } = schema as Exclude<JsonSchema, boolean>
      const next = [
        ...(reference === undefined ? [] : [this.resolve(reference, pointer)]),
        ...(allOf === undefined ? [] : this.list(schema as Exclude<JsonSchema, boolean>, 'allOf', pointer)),
      ]
      for (const part of next) {
        if (part.pointer === start.pointer) return true
        if (!seen.has(part.pointer)) open.push(part)
        seen.add(part.pointer)
      }
    }
    return false
  }

  /** The schemas in a list, e.g. of `anyOf`. */
  list(schema: SchemaPart['schema'], keyword: string, pointer: string): GivenPart[] {
    const given = schema[keyword]
    if (!Array.isArray(given) || given.length === 0) {
      throw this.refuse(`${pointer}/${keyword}`, `${keyword} must be a list of schemas`, 'write at least one into it')
    }
    return given.map((one, index) => ({ schema: one as unknown, pointer: `${pointer}/${keyword}/${index}` }))
  }

  resolve(reference: unknown, pointer: string): GivenPart {
    const place = `${pointer}/$ref`
    if (typeof reference !== 'string' || !(reference === '#' || reference.startsWith('#/'))) {
      throw this.refuse(
        place,
        `$ref must point into this schema, and ${JSON.stringify(reference)} does not`,
        'copy what it points to into $defs, and write #/$defs/NAME',
      )
    }
    let found: unknown = this.#root
    const steps = reference === '#' ? [] : reference.slice(2).split('/')
    for (const step of steps) {
      const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
      found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined
      if (found === undefined) throw this.refuse(place, `$ref points to ${reference}, where there is nothing`, 'define it under $defs')
    }
    return { schema: found, pointer: reference }
  }

  #check(schema: unknown, pointer: string): JsonSchema {
    if (typeof schema === 'boolean') return schema
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw this.refuse(
        pointer,
        `a schema must be an object, or true or false, and this is ${JSON.stringify(schema)}`,
        'write a JSON Schema',
      )
    }
    const given = schema as Exclude<JsonSchema, boolean>
    if (this.#checked.has(pointer)) return given
    this.#checked.add(pointer)
    for (const keyword of Object.keys(given)) {
      if (isKnownKeyword(keyword)) continue
      const near = isKeyword(keyword) ? undefined : nearestName(keyword, keywords)
      throw this.refuse(
        `${pointer}/${escaped(keyword)}`,
        `${keyword} cannot be enforced`,
        near === undefined ? `leave ${keyword} out, and check it in what comes back` : `did you mean "${near}"?`,
      )
    }
    return given
  }
}

/** The identity of parts: their pointers, and the keywords already followed. */
export function keyOf({ pointer, done }: Pick<SchemaPart, 'pointer' | 'done'>): string {
  return `${pointer} ${[...done].sort().join()}`
}

/** A name as a step of a JSON pointer. */
export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

import type { GivenPart } from './json-schema.ts'
import { isRecord } from './json-schema.ts'

/** The base of references in a schema without `$id`. */
export const documentBase = 'schema://document/root.json'

/** A schema that references can name: its pointer in the document, and its base. */
type Named = { schema: unknown; pointer: string; base: string }

/** Keywords whose value is a schema, a list of schemas, or schemas by name: identifiers elsewhere, as in an `enum`, mean nothing. */
const single = ['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'additionalItems', 'unevaluatedItems']
const singles = [...single, 'contains', 'contentSchema', 'not', 'if', 'then', 'else']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const byName = ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies']

/** Finds what `$ref` refers to within one document: by pointer, `$id` or `$anchor`. */
export class SchemaReferences {
  readonly #root: unknown
  /** By URI: documents, embedded ones and anchors. */
  readonly #named = new Map<string, Named>()
  /** How many dynamic anchors have a name: with one, `$dynamicRef` is a `$ref`. */
  readonly #dynamic = new Map<string, Named[]>()
  #isIndexed = false

  constructor(root: unknown) {
    this.#root = root
  }

  /** The schema that a reference names; undefined if it is not in this document. */
  find(reference: string, base: string): GivenPart | undefined {
    // The usual case, for which no index is needed.
    if (base === documentBase && (reference === '#' || reference.startsWith('#/'))) {
      return this.#within({ schema: this.#root, pointer: '#', base }, reference.slice(1))
    }
    const uri = resolveUri(reference, base)
    if (uri === undefined) return undefined
    this.#index()
    const at = uri.indexOf('#')
    const [resource, fragment] = at < 0 ? [uri, ''] : [uri.slice(0, at), uri.slice(at + 1)]
    if (fragment !== '' && !fragment.startsWith('/')) return this.#named.get(`${resource}#${decoded(fragment)}`)
    const found = this.#named.get(resource)
    return found && this.#within(found, fragment)
  }

  /** The same for `$dynamicRef`: undefined as well if the value's path would decide which of several schemas is meant. */
  findDynamic(reference: string, base: string): GivenPart | undefined {
    const found = this.find(reference, base)
    this.#index()
    const same = this.#dynamic.get(reference.slice(reference.indexOf('#') + 1)) ?? []
    return same.some(({ pointer }) => pointer === found?.pointer) && same.length > 1 ? undefined : found
  }

  #within({ schema, pointer, base: outer }: Named, fragment: string): Named | undefined {
    let [found, base] = [schema, outer]
    for (const step of fragment === '' ? [] : fragment.slice(1).split('/')) {
      const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
      found = (found as Record<string, unknown>)[key]
      base = baseOf(found, base)
    }
    return { schema: found, pointer: pointer + fragment, base }
  }

  #index(): void {
    if (this.#isIndexed) return
    this.#isIndexed = true
    const open: Named[] = [{ schema: this.#root, pointer: '#', base: documentBase }]
    this.#named.set(documentBase, open[0]!)
    for (let one = open.pop(); one; one = open.pop()) {
      const { schema, pointer } = one
      if (!isRecord(schema)) continue
      const base = baseOf(schema, one.base)
      const here = { schema, pointer, base }
      if (base !== one.base || pointer === '#') this.#named.set(base, here)
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const name = schema[keyword]
        if (typeof name !== 'string') continue
        this.#named.set(`${base}#${name}`, here)
        if (keyword === '$dynamicAnchor') this.#dynamic.set(name, [...(this.#dynamic.get(name) ?? []), here])
      }
      const add = (child: unknown, path: string) => open.push({ schema: child, pointer: `${pointer}/${path}`, base })
      for (const keyword of singles) add(schema[keyword], keyword)
      for (const keyword of lists)
        if (Array.isArray(schema[keyword])) schema[keyword].forEach((child, at) => void add(child, `${keyword}/${at}`))
      for (const keyword of byName)
        if (isRecord(schema[keyword]))
          for (const [name, child] of Object.entries(schema[keyword])) add(child, `${keyword}/${escaped(name)}`)
    }
  }
}

/** The base of references inside a schema. */
export function baseOf(schema: unknown, outer: string): string {
  const id = isRecord(schema) ? schema.$id : undefined
  if (typeof id !== 'string') return outer
  return resolveUri(id, outer)?.replace(/#.*$/s, '') ?? outer
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
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

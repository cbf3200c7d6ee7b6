import schema from 'rolecall/schema/rolecall.schema.json'
import type { Pane } from './config-texts.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  else?: Schema
}

// TypeScript infers a type with an entry per key from the JSON, which is not comparable with a recursive one.
const root = schema as unknown as Schema & { definitions: Record<string, Schema> }

/** All schemas that may apply at a path: references resolved, branches of unions listed. */
function spread(given: Schema | undefined, depth = 0): Schema[] {
  if (!given || depth > 12) return []
  const { $ref: reference, anyOf = [], oneOf = [], allOf = [] } = given
  const named = reference === undefined ? [] : spread(root.definitions[reference.replace('#/definitions/', '')], depth + 1)
  return [given, ...named, ...[...anyOf, ...oneOf, ...allOf].flatMap((branch) => spread(branch, depth + 1))]
}

function step(schemas: readonly Schema[], key: string | number): Schema[] {
  return schemas.flatMap((one) => {
    if (typeof key === 'number') return spread(one.items)
    const own = one.properties?.[key]
    if (own) return spread(own)
    return typeof one.additionalProperties === 'object' ? spread(one.additionalProperties) : []
  })
}

function schemasAt(pane: Pane, path: readonly (string | number)[]): Schema[] {
  if (pane === 'row') return []
  // The panes have the full form of a config; the short one is the other branch of the schema.
  const start = step(step([root.else ?? root], pane === 'model' ? 'models' : 'datasets'), 0)
  return path.reduce<Schema[]>(step, start)
}

type Suggestion = { label: string; detail: string; info: string }

/** The keys allowed at a path of the config, with descriptions. */
export function keysAt(pane: Pane, path: readonly (string | number)[]): Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const { properties = {} } of schemasAt(pane, path)) {
    for (const [label, own] of Object.entries(properties)) {
      const all = spread(own)
      const info = all.find(({ description }) => description)?.description ?? ''
      if (!found.has(label) || found.get(label)!.info === '') found.set(label, { label, detail: kindOf(all), info })
    }
  }
  return [...found.values()]
}

/** The values allowed at a path, if the schema lists them. */
export function valuesAt(pane: Pane, path: readonly (string | number)[]): Suggestion[] {
  const all = schemasAt(pane, path)
  const values = all.flatMap(({ enum: listed = [], const: only }) => [...listed, ...(only === undefined ? [] : [only])])
  const flags = all.some(({ type }) => type === 'boolean') ? [true, false] : []
  return [...new Set([...values, ...flags].map(String))].map((label) => ({ label, detail: '', info: '' }))
}

function kindOf(schemas: readonly Schema[]): string {
  const kinds = new Set(schemas.flatMap(({ type, enum: listed }) => (listed ? ['choice'] : type === undefined ? [] : [type].flat())))
  return [...kinds].join(' | ')
}

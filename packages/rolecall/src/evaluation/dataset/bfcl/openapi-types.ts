import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries, dictGet, isDict, type PyDict, type PyValue } from '@rolecall/core/internal/python'

/** The types in the leaderboard's function documentation, and their JSON Schema names. */
const schemaTypes: Readonly<Record<string, string>> = {
  ...named('integer', ['integer', 'byte', 'short', 'long', 'Bigint']),
  ...named('number', ['number', 'float', 'double']),
  ...named('string', ['string', 'String', 'any', 'Any', 'char']),
  ...named('boolean', ['boolean', 'bool']),
  ...named('array', ['array', 'list', 'tuple', 'ArrayList', 'Array', 'Queue', 'Stack']),
  ...named('object', ['object', 'dict', 'HashMap', 'Hashtable']),
}

function named(type: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, type]))
}

/**
 * Parameters with JSON Schema types, as the leaderboard converts them before it queries a model: `properties` to any depth, `items`
 * two levels deep. Deeper types stay as documented.
 */
export function withSchemaTypes(properties: PyDict, where: string): PyDict {
  return dictFromEntries(dictEntries(properties).map(([name, value]) => [name, withSchemaType(value, `${where}.${name}`)]))
}

function withSchemaType(given: PyValue, where: string): PyDict {
  if (!isDict(given)) throw badFunction(where, 'the parameter is not an object')
  const documented = dictGet(given, 'type')
  const type = typeof documented === 'string' && Object.hasOwn(schemaTypes, documented) ? schemaTypes[documented]! : 'string'
  const changed = new Map(dictEntries(given))
  changed.set('type', type)
  if (documented === 'float') {
    const description = dictGet(given, 'description')
    if (typeof description !== 'string') throw badFunction(where, 'a float has no description')
    changed.set('format', 'float')
    changed.set('description', `${description} This is a float type value.`)
  }
  if (type !== 'array' && type !== 'object') return dictFromEntries(changed)
  const [properties, items] = [changed.get('properties'), changed.get('items')]
  if (isDict(properties)) changed.set('properties', withSchemaTypes(properties, where))
  else if (items !== undefined) changed.set('items', withItemTypes(items, `${where}.items`))
  return dictFromEntries(changed)
}

function withItemTypes(given: PyValue, where: string): PyDict {
  const items = withItemType(given, where)
  const [inner, properties] = [items.get('items'), items.get('properties')]
  if (items.get('type') === 'array' && inner !== undefined) items.set('items', dictFromEntries(withItemType(inner, `${where}.items`)))
  else if (items.get('type') === 'object' && isDict(properties)) items.set('properties', withSchemaTypes(properties, where))
  return dictFromEntries(items)
}

function withItemType(given: PyValue, where: string): Map<string, PyValue> {
  const documented = isDict(given) ? dictGet(given, 'type') : undefined
  const type = typeof documented === 'string' && Object.hasOwn(schemaTypes, documented) ? schemaTypes[documented] : undefined
  if (!isDict(given) || type === undefined) throw badFunction(where, `the type ${JSON.stringify(documented ?? null)} of items is not known`)
  return new Map(dictEntries(given)).set('type', type)
}

/** The error for a function whose documentation the leaderboard cannot turn into a tool. */
export function badFunction(where: string, problem: string): PromptError {
  return new PromptError('bad-function', { where, problem, fix: 'correct the documentation of the function, or leave the row out' })
}

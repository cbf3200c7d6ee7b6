/** Annotations, which do not change the allowed values. */
export const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  '$defs',
  'definitions',
  '$vocabulary',
  '$anchor',
  '$dynamicAnchor',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** Keywords that are enforced. */
const enforced = new Set([
  '$ref',
  'type',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
])

/** Keywords of JSON Schema that cannot be enforced: none is a misspelling of another. */
const others = new Set(['$recursiveRef', '$recursiveAnchor'])

export function isKeyword(name: string): boolean {
  return others.has(name)
}

/** All candidates for a misspelt keyword. */
export const keywords: readonly string[] = [...annotations, ...enforced]

/** Whether a schema may have a keyword. `x-…` keywords are private to their author. */
export function isKnownKeyword(keyword: string): boolean {
  return annotations.has(keyword) || enforced.has(keyword) || keyword.startsWith('x-')
}

/** The types of JSON, as schemas name them. */
export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const

export type TypeName = (typeof typeNames)[number]

/** The type that keywords imply for a schema without `type`: values of this type are written, though others would be valid, too. */
export const impliedTypes: readonly { type: TypeName; keywords: readonly string[] }[] = [
  {
    type: 'object',
    keywords: [
      ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties', 'patternProperties'],
      ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
    ],
  },
  { type: 'array', keywords: ['items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'unevaluatedItems'] },
  { type: 'string', keywords: ['minLength', 'maxLength', 'pattern', 'format'] },
  { type: 'number', keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] },
]

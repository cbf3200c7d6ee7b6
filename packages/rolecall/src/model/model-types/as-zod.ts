import type { Check, DefaultSchema, Definition, FieldSchemas, input, OptionalSchema, output, Schema } from '@rolecall/core/internal/schema'
import * as z from 'zod/mini'

/** zod's type of a schema, with the same keys optional. */
export type AsZod<Of extends FieldSchemas[string]> =
  Of extends OptionalSchema<infer _, infer __>
    ? z.ZodMiniOptional<z.ZodMiniType<NonUndefined<output<Of>>, NonUndefined<input<Of>>>>
    : Of extends DefaultSchema<infer _, infer __>
      ? z.ZodMiniDefault<z.ZodMiniType<output<Of>, NonUndefined<input<Of>>>>
      : z.ZodMiniType<output<Of>, input<Of>>
type NonUndefined<Type> = Exclude<Type, undefined>

const made = new WeakMap<Schema, z.ZodMiniType>()

/** A schema as zod's: for the schemas of configs, which are composed of zod's, and for JSON Schemas. */
export function asZod<Of extends FieldSchemas[string]>(schema: Of): AsZod<Of> {
  let zod = made.get(schema)
  if (zod === undefined) {
    const { def, refines } = schema
    zod = refines ? asZod(refines.schema).check(...(refines.checks.map(ofCheck) as z.core.$ZodCheck<unknown>[])) : ofDefinition(def)
    made.set(schema, zod)
  }
  return zod as AsZod<Of>
}

/** The schemas of an object's keys as zod's. */
export function fieldsAsZod<Fields extends FieldSchemas>(fields: Fields): { [Key in keyof Fields]: AsZod<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, asZod(schema)])) as never
}

function ofDefinition(def: Definition): z.ZodMiniType {
  switch (def.type) {
    case 'string':
      return z.string()
    case 'number':
      return z.number()
    case 'int':
      return z.int()
    case 'boolean':
      return z.boolean()
    case 'unknown':
      return z.unknown()
    case 'enum':
      return z.enum(def.values)
    case 'custom':
      return z.custom(def.holds, def.message)
    case 'literal':
      return z.literal(def.values)
    case 'array':
      return z.array(asZod(def.element))
    case 'tuple':
      return z.tuple(def.items.map(asZod) as [z.ZodMiniType])
    case 'record':
      return z.record(z.string(), asZod(def.valueType))
    case 'union':
      return z.union(def.options.map(asZod))
    case 'object':
      return (def.isStrict ? z.strictObject : z.looseObject)(fieldsAsZod(def.shape))
    case 'optional':
      return z.optional(asZod(def.innerType))
    case 'nullable':
      return z.nullable(asZod(def.innerType))
    case 'default':
      return z._default(asZod(def.innerType), def.defaultValue)
  }
}

function ofCheck({ about }: Check): z.core.$ZodCheck<never> {
  if ('description' in about) return z.describe(about.description)
  if ('metadata' in about) return z.meta(about.metadata)
  if ('minLength' in about) return z.minLength(about.minLength)
  if ('maxLength' in about) return z.maxLength(about.maxLength)
  if ('minimum' in about) return about.isInclusive ? z.gte(about.minimum) : z.gt(about.minimum)
  if ('maximum' in about) return z.lte(about.maximum)
  if ('pattern' in about) return z.regex(about.pattern, about.message)
  return z.refine(about.refine as (value: unknown) => boolean, about.message)
}

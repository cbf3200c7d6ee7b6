import type { Checker, Issue } from './issue.ts'

/**
 * Schemas of what users write about prompts, spelled as in `zod/mini`, with the same issues: a page that only builds prompts should not
 * load a schema library for it. `asZod` turns one into zod's, for configs and JSON Schemas.
 */
export class Schema<Output = unknown, Input = Output> implements Checker<Output> {
  /** Only for types. */
  declare readonly types?: { output: Output; input: Input }

  constructor(
    readonly def: Definition,
    /** The value as the schema reads it; what is wrong with it is added to `issues`, which is empty before. */
    readonly read: (value: unknown, issues: Issue[]) => Output,
    /** The schema that this one is, with further checks. */
    readonly refines?: { schema: Schema<Output, Input>; checks: readonly Check<Output>[] },
  ) {}

  check(...checks: readonly Check<Output>[]): this {
    const read = (value: unknown, issues: Issue[]) => {
      const output = this.read(value, issues)
      for (const { test, hasLength } of checks)
        if (test && (hasLength ? lengthOf(output) !== undefined : !isAborted(issues))) test(output, issues)
      return output
    }
    return new (this.constructor as typeof Schema<Output, Input>)(this.def, read, { schema: this, checks }) as this
  }

  get '~standard'(): Checker<Output>['~standard'] {
    const validate = (value: unknown) => {
      const issues: Issue[] = []
      const output = this.read(value, issues)
      return issues.length === 0 ? { value: output } : { issues }
    }
    return { validate }
  }
}

/** A key with this schema may be absent. */
export class OptionalSchema<Output, Input = Output> extends Schema<Output | undefined, Input | undefined> {
  declare readonly isOptional: true
}

/** A key with this schema may be absent, and then has its default. */
export class DefaultSchema<Output, Input = Output> extends Schema<Output, Input | undefined> {
  declare readonly hasDefault: true
}

class ObjectSchema<Fields extends FieldSchemas, Output, Input> extends Schema<Output, Input> {
  get shape(): Fields {
    return (this.def as Definition & { type: 'object' }).shape as Fields
  }
}

/** Named as in zod's definitions. */
export type Definition =
  | { type: 'string' | 'number' | 'int' | 'boolean' | 'unknown' }
  | { type: 'enum'; values: readonly string[] }
  | { type: 'custom'; holds: (value: unknown) => boolean; message: string }
  | { type: 'literal'; values: readonly number[] }
  | { type: 'array'; element: Schema }
  | { type: 'tuple'; items: readonly Schema[] }
  | { type: 'record'; valueType: Schema }
  | { type: 'union'; options: readonly Schema[] }
  | { type: 'object'; shape: FieldSchemas; isStrict: boolean }
  | { type: 'optional' | 'nullable'; innerType: Schema }
  | { type: 'default'; innerType: Schema; defaultValue: unknown }

/** What a schema demands besides the type, or says about it. `hasLength`: it is examined even if the items of a list are wrong. */
export type Check<in Value = never> = {
  test?: (value: Value, issues: Issue[]) => void
  hasLength?: true
  about:
    | { description: string }
    | { metadata: Readonly<Record<string, unknown>> }
    | { minLength: number }
    | { maxLength: number }
    | { minimum: number; isInclusive: boolean }
    | { maximum: number }
    | { pattern: RegExp; message: string }
    | { refine: (value: Value) => boolean; message: string }
}

// biome-ignore lint/suspicious/noExplicitAny: schemas of any type
type AnySchema = Schema<any, any>
export type FieldSchemas = { readonly [key: string]: AnySchema }
export type output<Of extends AnySchema> = Of extends Schema<infer Output, infer _> ? Output : never
export type input<Of extends AnySchema> = Of extends Schema<infer _, infer Input> ? Input : never

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
type OptionalKeys<Fields extends FieldSchemas> = {
  [Key in keyof Fields]: Fields[Key] extends { isOptional: true } ? Key : never
}[keyof Fields]
type AbsentKeys<Fields extends FieldSchemas> = {
  [Key in keyof Fields]: Fields[Key] extends { isOptional: true } | { hasDefault: true } ? Key : never
}[keyof Fields]
export type ShapeOutput<Fields extends FieldSchemas> = Flat<
  { -readonly [Key in Exclude<keyof Fields, OptionalKeys<Fields>>]: output<Fields[Key]> } & {
    -readonly [Key in OptionalKeys<Fields>]?: output<Fields[Key]>
  }
>
export type ShapeInput<Fields extends FieldSchemas> = Flat<
  { -readonly [Key in Exclude<keyof Fields, AbsentKeys<Fields>>]: input<Fields[Key]> } & {
    -readonly [Key in AbsentKeys<Fields>]?: input<Fields[Key]>
  }
>
type Loose<Type> = Type & { [key: string]: unknown }

export const string = (): Schema<string> => ofType('string')
export const boolean = (): Schema<boolean> => ofType('boolean')
export const number = (): Schema<number> => new Schema({ type: 'number' }, readNumber)
export const unknown = (): Schema<unknown> => new Schema({ type: 'unknown' }, (value) => value)

export function int(): Schema<number> {
  return new Schema({ type: 'int' }, (value, issues) => {
    const found = readNumber(value, issues)
    if (issues.length > 0 || Number.isSafeInteger(found)) return found
    const most = Number.MAX_SAFE_INTEGER
    if (!Number.isInteger(found)) issues.push({ code: 'invalid_type', expected: 'int', path: [] })
    else if (found < 0) issues.push({ code: 'too_small', origin: 'int', minimum: -most, path: [], continue: true })
    else issues.push({ code: 'too_big', message: `Too big: expected int to be <=${most}`, path: [], continue: true })
    return found
  })
}

const enumeration = <const Value extends string>(values: readonly Value[]): Schema<Value> => oneOf(values, { type: 'enum', values })

export { enumeration as enum }
export const literal = <const Value extends number>(values: readonly Value[]): Schema<Value> => oneOf(values, { type: 'literal', values })

/** A value that only a function can recognise. */
export function custom<Value>(holds: (value: unknown) => boolean, message = 'Invalid input'): Schema<Value> {
  return new Schema({ type: 'custom', holds, message }, (value, issues) => {
    if (!holds(value)) issues.push({ code: 'custom', message, path: [], continue: true })
    return value as Value
  })
}

export function array<Item extends AnySchema>(element: Item): Schema<output<Item>[], input<Item>[]> {
  return new Schema({ type: 'array', element }, (value, issues) => {
    if (!Array.isArray(value)) return wrongType('array', value, issues)
    return Array.from(value, (item, index) => readAt(element, item, index, issues))
  })
}

export function tuple<const Items extends readonly AnySchema[]>(
  items: Items,
): Schema<{ -readonly [Key in keyof Items]: output<Items[Key]> }, { -readonly [Key in keyof Items]: input<Items[Key]> }> {
  return new Schema({ type: 'tuple', items }, (value, issues) => {
    if (!Array.isArray(value)) return wrongType('tuple', value, issues)
    const { length } = items
    if (value.length < length) issues.push({ code: 'too_small', origin: 'array', minimum: length, path: [] })
    if (value.length < length) return value as never
    if (value.length > length) issues.push({ code: 'too_big', message: tooLong(length), path: [] })
    return items.map((item, index) => readAt(item, value[index], index, issues)) as never
  })
}

export function record<Value extends AnySchema>(
  _: Schema<string>,
  valueType: Value,
): Schema<Record<string, output<Value>>, Record<string, input<Value>>> {
  return new Schema({ type: 'record', valueType }, (value, issues) => {
    if (!isPlainObject(value)) return wrongType('record', value, issues)
    const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
    return Object.fromEntries(entries.map(([key, entry]) => [key, readAt(valueType, entry, key, issues)]))
  })
}

/** The first option without issues. Where only one option has the right type, its issues; else those of all options. */
export function union<const Options extends readonly AnySchema[]>(
  options: Options,
): Schema<output<Options[number]>, input<Options[number]>> {
  return new Schema({ type: 'union', options }, (value, issues) => {
    const results: { issues: Issue[]; output: output<Options[number]> }[] = []
    for (const option of options) {
      const own: Issue[] = []
      const output = option.read(value, own)
      if (own.length === 0) return output
      results.push({ issues: own, output })
    }
    const [only, ...others] = results.filter((result) => !isAborted(result.issues))
    if (only && others.length === 0) {
      issues.push(...only.issues)
      return only.output
    }
    issues.push({ code: 'invalid_union', errors: results.map((result) => result.issues), path: [] })
    return value as output<Options[number]>
  })
}

export function strictObject<Fields extends FieldSchemas>(shape: Fields): ObjectSchema<Fields, ShapeOutput<Fields>, ShapeInput<Fields>> {
  return objectOf(shape, true)
}

export function looseObject<Fields extends FieldSchemas>(
  shape: Fields,
): ObjectSchema<Fields, Loose<ShapeOutput<Fields>>, Loose<ShapeInput<Fields>>> {
  return objectOf(shape, false)
}

/** A loose object whose keys may all be absent. */
export function partial<Fields extends FieldSchemas>({ shape }: { shape: Fields }) {
  const optionals = Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, optional(schema)]))
  return looseObject(optionals as { [Key in keyof Fields]: OptionalSchema<output<Fields[Key]>, input<Fields[Key]>> })
}

export function optional<Inner extends AnySchema>(innerType: Inner): OptionalSchema<output<Inner>, input<Inner>> {
  return new OptionalSchema({ type: 'optional', innerType }, (value, issues) =>
    value === undefined ? undefined : innerType.read(value, issues),
  )
}

export function nullable<Inner extends AnySchema>(innerType: Inner): Schema<output<Inner> | null, input<Inner> | null> {
  return new Schema({ type: 'nullable', innerType }, (value, issues) => (value === null ? null : innerType.read(value, issues)))
}

export function nullish<Inner extends AnySchema>(innerType: Inner): OptionalSchema<output<Inner> | null, input<Inner> | null> {
  return optional(nullable(innerType))
}

export function _default<Inner extends AnySchema>(
  innerType: Inner,
  defaultValue: output<Inner>,
): DefaultSchema<output<Inner>, input<Inner>> {
  return new DefaultSchema({ type: 'default', innerType, defaultValue }, (value, issues) =>
    value === undefined ? defaultValue : innerType.read(value, issues),
  )
}

export const describe = (description: string): Check<unknown> => ({ about: { description } })
export const meta = (metadata: Readonly<Record<string, unknown>>): Check<unknown> => ({ about: { metadata } })

export function minLength(least: number): Check<string | readonly unknown[]> {
  return {
    about: { minLength: least },
    hasLength: true,
    test(value, issues) {
      const origin = typeof value === 'string' ? 'string' : 'array'
      if (value.length < least) issues.push({ code: 'too_small', origin, minimum: least, path: [], continue: true })
    },
  }
}

export function maxLength(most: number): Check<readonly unknown[]> {
  return {
    about: { maxLength: most },
    hasLength: true,
    test(value, issues) {
      if (value.length > most) issues.push({ code: 'too_big', message: tooLong(most), path: [], continue: true })
    },
  }
}

export const nonnegative = (): Check<number> => gte(0)
export const positive = (): Check<number> => gt(0)
export const gte = (least: number): Check<number> => atLeast(least, true)
export const gt = (least: number): Check<number> => atLeast(least, false)

function atLeast(minimum: number, isInclusive: boolean): Check<number> {
  return {
    about: { minimum, isInclusive },
    test(value, issues) {
      if (value > minimum || (value === minimum && isInclusive)) return
      issues.push({ code: 'too_small', origin: 'number', minimum, inclusive: isInclusive, path: [], continue: true })
    },
  }
}

export function lte(most: number): Check<number> {
  return {
    about: { maximum: most },
    test(value, issues) {
      if (value > most) issues.push({ code: 'too_big', message: `Too big: expected number to be <=${most}`, path: [], continue: true })
    },
  }
}

export function regex(pattern: RegExp, message: string): Check<string> {
  return {
    about: { pattern, message },
    test(value, issues) {
      if (!pattern.test(value)) issues.push({ code: 'invalid_format', message, path: [], continue: true })
    },
  }
}

export function refine<Value>(holds: (value: Value) => boolean, message: string): Check<Value> {
  return {
    about: { refine: holds, message },
    test(value, issues) {
      if (!holds(value)) issues.push({ code: 'custom', message, path: [], continue: true })
    },
  }
}

function oneOf<Value>(values: readonly Value[], def: Definition): Schema<Value> {
  return new Schema(def, (value, issues) => {
    if (!(values as readonly unknown[]).includes(value)) issues.push({ code: 'invalid_value', values, path: [] })
    return value as Value
  })
}

function tooLong(most: number): string {
  return `Too big: expected array to have <=${most} items`
}

function ofType<Value>(type: 'string' | 'boolean'): Schema<Value> {
  return new Schema({ type }, (value, issues) => (typeof value === type ? (value as Value) : wrongType(type, value, issues)))
}

function readNumber(value: unknown, issues: Issue[]): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : wrongType('number', value, issues)
}

function objectOf<Fields extends FieldSchemas, Output, Input>(shape: Fields, isStrict: boolean): ObjectSchema<Fields, Output, Input> {
  return new ObjectSchema({ type: 'object', shape, isStrict }, (value, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongType('object', value, issues)
    const given = value as Readonly<Record<string, unknown>>
    const found: Record<string, unknown> = {}
    for (const [key, schema] of Object.entries(shape)) {
      const isGiven = key in given
      const before = issues.length
      const output = readAt(schema, given[key], key, issues)
      const { type } = schema.def
      if (!isGiven && type !== 'optional' && type !== 'default') {
        if (issues.length === before) issues.push({ code: 'invalid_type', expected: 'nonoptional', path: [key] })
      } else if (output !== undefined || isGiven) found[key] = output
    }
    const others: string[] = []
    for (const key in given) if (!Object.hasOwn(shape, key)) others.push(key)
    if (!isStrict) for (const key of others) if (key !== '__proto__') found[key] = given[key]
    if (isStrict && others.length > 0) issues.push({ code: 'unrecognized_keys', keys: others, path: [], continue: true })
    return found as Output
  })
}

function readAt<Output>(schema: Schema<Output, unknown>, value: unknown, key: PropertyKey, issues: Issue[]): Output {
  const own: Issue[] = []
  const output = schema.read(value, own)
  for (const issue of own) issues.push({ ...issue, path: [key, ...issue.path] })
  return output
}

function wrongType<Output>(expected: string, value: unknown, issues: Issue[]): Output {
  issues.push({ code: 'invalid_type', expected, path: [] })
  return value as Output
}

function isAborted(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.continue !== true)
}

function lengthOf(value: unknown): unknown {
  return (value as { length?: unknown } | null | undefined)?.length
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { constructor: maker } = value
  return typeof maker !== 'function' || Object.hasOwn(maker.prototype as object, 'isPrototypeOf')
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { dictEntries, dictGet, isDict, isList, PyFloat, type PyValue, parseJson } from '@rolecall/core/internal/python'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { describeIssue, describeNonFinite, issuePath } from './describe-issue.ts'

/**
 * The body of a request, read once: its fields as a schema has checked them, and all of it as Python reads it, because numbers and keys may
 * appear verbatim in the prompt (`1.0` stays a float, keys keep their order).
 */
export type RequestBody<Fields> = { fields: Fields; exact: PyValue }

/** Reads and validates a body whose values may appear in a prompt; throws for the first problem. */
export function readBody<Schema extends z.ZodType>(text: string, schema: Schema): RequestBody<z.output<Schema>> {
  const exact = parsed(text, parseJson)
  return { fields: checkFields(parsed(exact, inJavaScript), schema), exact }
}

/** The same; then other clients get a turn. */
export async function readBodyInTurn<Schema extends z.ZodType>(text: string, schema: Schema): Promise<RequestBody<z.output<Schema>>> {
  const body = readBody(text, schema)
  await nextTurn()
  return body
}

/** Reads and validates a body of which nothing appears verbatim in a prompt. */
export function checkBody<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  return checkFields(parsed(text, JSON.parse), schema)
}

/** Validates a body that has been read. */
export function checkFields<Schema extends z.ZodType>(json: unknown, schema: Schema): z.output<Schema> {
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const param = issuePath(issue?.path ?? [])
  throw new ApiError(400, {
    message: issue === undefined ? 'invalid request' : `${param === '' ? 'the body' : param}: ${describeIssue(issue, json)}`,
    ...(param === '' ? {} : { param }),
    code: issue?.code === 'custom' && !issue.params?.isType ? 'unsupported' : 'invalid_value',
  })
}

/** A value as `JSON.parse` reads it: mostly the same object. */
function inJavaScript(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ApiError(400, { message: `the body has a number that is ${describeNonFinite(value)}`, code: 'invalid_json' })
  }
  if (isList(value)) {
    const items = value.map(inJavaScript)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isDict(value)) return value
  const entries = dictEntries(value).map(([key, inner]) => [key, inJavaScript(inner)] as const)
  const isSame = !(value instanceof Map) && entries.every(([key, inner]) => inner === dictGet(value, key))
  // Not by assignment: a key may be __proto__.
  return isSame ? value : Object.fromEntries(entries)
}

function parsed<From, To>(from: From, parse: (from: From) => To): To {
  try {
    return parse(from)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(400, { message: `the body is not valid JSON: ${(error as Error).message}`, code: 'invalid_json' })
  }
}

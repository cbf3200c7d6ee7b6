import { setImmediate as nextTurn } from 'node:timers/promises'
import { dictGet, isDict, type PyValue, parseJson } from '@rolecall/core/internal/python'
import type { z } from 'zod'
import { ApiError, badField } from './api-error.ts'
import { describeIssue, issuePath } from './describe-issue.ts'

/** Parses and validates a request body; throws for the first problem. */
export function checkBody<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw notJson(error)
  }
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

/** The same; then other clients get a turn, since the fields that appear in the prompt are read again. */
export async function checkBodyInTurn<Schema extends z.ZodType>(text: string, schema: Schema): Promise<z.output<Schema>> {
  const checked = checkBody(text, schema)
  await nextTurn()
  return checked
}

/** Fields of a body as Python reads them: `1.0` stays a float and keys keep their order, so that they appear verbatim in the prompt. */
export function exactFields<Name extends string>(text: string, names: readonly Name[]): { [Key in Name]?: PyValue } {
  let json: PyValue
  try {
    json = parseJson(text)
  } catch (error) {
    throw notJson(error)
  }
  const found = names.flatMap((name) => {
    const value = exactField(json, name)
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found) as { [Key in Name]?: PyValue }
}

/** A field of an object within a body. */
export function exactField(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? (dictGet(value, key) ?? undefined) : undefined
}

/** A field that must be a string; `path` is that of the object. */
export function exactText(value: PyValue | undefined, key: string, path: string): string {
  const text = exactField(value, key)
  if (typeof text === 'string') return text
  throw badField(`${path}.${key}`, 'expected a string')
}

function notJson(error: unknown): ApiError {
  return new ApiError(400, { message: `the body is not valid JSON: ${(error as Error).message}`, code: 'invalid_json' })
}

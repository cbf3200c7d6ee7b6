import type { z } from 'zod'
import { dictGet, isDict, type PyValue, parseJson } from '../../base/python/index.ts'
import { ApiError } from './api-error.ts'
import { pathOf, tellIssue } from './describe-issue.ts'

/** What a body says, checked. The first thing that is wrong is told with its place. */
export function checkBody<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ApiError(400, { message: `the body is not JSON: ${(error as Error).message}`, code: 'invalid_json' })
  }
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const param = pathOf(issue?.path ?? [])
  throw new ApiError(400, {
    message: issue === undefined ? 'this is not a request' : `${param === '' ? 'the body' : param}: ${tellIssue(issue, json)}`,
    ...(param === '' ? {} : { param }),
    code: issue?.code === 'custom' ? 'unsupported' : 'invalid_value',
  })
}

/**
 * Fields of a body to the letter: `1.0` stays a float and keys keep their order, so that schemas and arguments are written
 * into the prompt as the client wrote them.
 */
export function exactFields<Name extends string>(text: string, names: readonly Name[]): { [Key in Name]?: PyValue } {
  let json: PyValue
  try {
    json = parseJson(text)
  } catch (error) {
    throw new ApiError(400, { message: `the body cannot be read: ${(error as Error).message}`, code: 'invalid_json' })
  }
  const found = names.flatMap((name) => {
    const value = isDict(json) ? dictGet(json, name) : undefined
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found) as { [Key in Name]?: PyValue }
}

import type { z } from 'zod'
import { dictGet, isDict, type PyValue, parseJson } from '../python/index.ts'
import { ApiError } from './api-error.ts'

/** Reads a request's body as text, up to a limit, however it is sent. */
export async function readBody(request: Request, mostBytes: number): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > mostBytes) throw tooLarge(mostBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > mostBytes) throw tooLarge(mostBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(mostBytes: number): ApiError {
  return new ApiError(413, { message: `the request is larger than ${mostBytes} bytes`, code: 'request_too_large' })
}

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
    message: param === '' ? (issue?.message ?? 'this is no request') : `${param}: ${issue?.message}`,
    ...(param === '' ? {} : { param }),
    code: issue?.code === 'custom' ? 'unsupported' : 'invalid_value',
  })
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join('')
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

import { newId } from './server-context.ts'

/** What may be a request's name in a log: nothing that could be read as something else there. */
const pattern = /^[\w.:-]{1,128}$/

const known = new WeakMap<Request, string>()

/** The id by which the client, the log and the answer know a request: the one that it came with, or a new one. */
export function requestIdOf(request: Request): string {
  const before = known.get(request)
  if (before !== undefined) return before
  const given = request.headers.get('x-request-id')
  const id = given !== null && pattern.test(given) ? given : newId('req', '_')
  known.set(request, id)
  return id
}

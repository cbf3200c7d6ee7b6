import { checkBody } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServerContext } from '../server-context.ts'
import { completionRequest } from './completion-request.ts'
import { openCompletion } from './open-completion.ts'
import { writeCompletion } from './write-completion.ts'

/** POST /v1/completions: finished prompts, as text or token ids. */
export async function completionsRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const request = checkBody(text, completionRequest)
  const opened = await openCompletion(server, request, client)
  return writeCompletion(opened, client)
}

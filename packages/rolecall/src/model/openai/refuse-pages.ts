import { PromptError } from '@rolecall/core/internal/errors'
import { BadReply, type HttpReply } from './http/http-client.ts'
import type { Server } from './http/model-server.ts'

/** An HTML page is not a response of the API: the address is wrong for all rows. */
export function refusePages(reply: HttpReply, { hasAnswered, name: { where, shown } }: Server): void {
  if (!reply.header('content-type')?.startsWith('text/html')) return
  reply.discard()
  // A page in the middle of a run comes from a proxy: it is temporary.
  if (hasAnswered) throw new BadReply('it answered with a web page')
  throw new PromptError('no-endpoint', {
    where: `${where} › base_url`,
    problem: `${shown} answers with a web page`,
    fix: 'check base_url: most servers want it to end in /v1',
  })
}

import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { rewritingLines } from './rewriting-lines.ts'
import type { Rewritten } from './sessions.ts'

/** Says where a prompt was rewritten and by what; of a template, the lines that `rolecall lint` finds. */
export async function describeRewrite(
  { kept, of, before, now, changed }: Rewritten,
  served: ServedModel,
  { prompts, client }: Pick<ServerContext, 'prompts' | 'client'>,
): Promise<string> {
  const cost = `a prefix cache keeps ${kept} of the ${of} characters of the previous prompt`
  const difference = `${JSON.stringify(now)} stands where ${JSON.stringify(before)} was`
  if (changed?.at === 'tools') return `tools: they differ from those of the previous request: ${cost}`
  if (changed) return `messages[${changed.index}]: it differs from that of the previous request, ${difference}: ${cost}`
  const source = served.config.chat_template
  if (source === undefined) return `prompt: the format rewrites earlier text, ${difference}: ${cost}`
  served.rewritingLines ??= (prompts?.rewritingLines(served, { client }) ?? rewritingLines(source)).catch((): readonly string[] => [])
  const lines = await served.rewritingLines
  return `prompt: the chat template rewrites earlier text, ${difference}: ${cost}${lines.map((line) => `; ${line}`).join('')}`
}

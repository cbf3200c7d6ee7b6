import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dictHas } from '../../../packages/core/src/base/python/index.ts'
import { compileChat } from '../../../packages/core/src/internal/compile.ts'
import { parseExactReply } from '../../../packages/core/src/internal/reply.ts'
import { type FoundSyntax, findSyntax } from '../../../packages/rolecall/src/replies.ts'
import { plainVector } from '../chat/parse-vector.ts'
import { outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { unless } from '../verdict.ts'
import { difference, type ShownReply, shownReply } from './compare.ts'
import type { ExpectedCall, ReplyVector } from './vector.ts'

export type TemplateVector = {
  name: string
  family: string | null
  chat_template: string
  special_tokens: Record<string, string | null> | null
  writes_calls: boolean
  /** One call as the template writes it. */
  example?: { message: { content: string; calls: ExpectedCall[] }; reply: string }
}

/** Chat templates: a syntax is derived from each, and reads the call that the template wrote. */
export const replyTemplates: Suite = {
  name: 'replies',
  recognises: (vector) => dictHas(vector, 'chat_template') && dictHas(vector, 'writes_calls'),
  examine(given) {
    const vector = plainVector(given) as TemplateVector
    const { proven, syntax, notes } = syntaxOfTemplate(vector)
    const { example } = vector
    if (example && proven) {
      const { content, calls } = example.message
      const expected = { content, calls }
      return trial(
        outcomeOf(() => shownReply(parseExactReply(example.reply, syntax))),
        (ours) =>
          unless(
            'value' in ours ? difference({ input: example.reply, expected } as ReplyVector, ours.value as ShownReply)?.problem : show(ours),
          ),
      )
    }
    if (proven || !vector.writes_calls) return { kind: 'consistent', why: 'templates that write no calls' }
    return { kind: 'unsupported', why: `not proven: ${notes.join('; ').replace(/:.*/s, '')}` }
  },
}

export function syntaxOfTemplate({ chat_template, special_tokens }: TemplateVector): FoundSyntax {
  const tokens = Object.entries({ bos_token: null, eos_token: null, ...special_tokens })
  const named = tokens.map(([name, text]) => [name, text ?? (name === 'bos_token' ? '<s>' : '</s>')])
  return findSyntax(compileChat({ chat_template, special_tokens: Object.fromEntries(named) as Record<string, string> }).format)
}

const read = new Map<string, readonly TemplateVector[]>()

/** A family's template, if the folder has one that writes calls. */
export function templateOf(family: string, folder: string): TemplateVector | undefined {
  const path = join(folder, 'templates.jsonl')
  if (!read.has(path)) {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    read.set(
      path,
      lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TemplateVector),
    )
  }
  const all = read.get(path)!.filter((one) => one.family === family)
  return all.find((one) => one.writes_calls) ?? all[0]
}

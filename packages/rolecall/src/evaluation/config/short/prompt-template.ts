import { fieldsInText } from '@rolecall/core/internal/conversation'
import type { DatasetConfig } from '../config-schema.ts'
import type { ShortMessage } from './read-prompts.ts'

type InferConfig = DatasetConfig['infer_cfg']

const roleOf = { system: 'SYSTEM', user: 'HUMAN', assistant: 'BOT' } as const

/** A column that a template can name in braces. */
const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** The templates of a prompt; `gold` is the column with the answer that examples show. */
export function templatesOf(
  messages: readonly ShortMessage[],
  gold: string | undefined,
  shots: number,
): Pick<InferConfig, 'prompt_template' | 'ice_template' | 'retriever'> {
  const [first, ...others] = messages
  const system = first?.role === 'system' ? [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: first.content }] : []
  const said = system.length > 0 ? others : messages
  const answer = { role: 'BOT', prompt: gold !== undefined && plainName.test(gold) ? `{${gold}}` : '' }
  const round = [...said.map(({ role, content }) => ({ role: roleOf[role], prompt: content })), answer]
  if (shots === 0) return { prompt_template: { template: { ...(system.length > 0 ? { begin: system } : {}), round } } }
  const token = unusedToken(messages)
  const asked = said.at(-1)?.content ?? ''
  return {
    ice_template: { template: { round: [{ role: 'HUMAN', prompt: asked }, answer] } },
    prompt_template: { template: { begin: [...system, token], round }, ice_token: token },
    retriever: { type: 'FixKRetriever', fix_id_list: Array.from({ length: shots }, (_, index) => index) },
  }
}

/** Whether examples can show the gold answer of this column. */
export function canShow(gold: string): boolean {
  return plainName.test(gold)
}

/** Where examples go; no text of the prompt may be taken for it. */
function unusedToken(messages: readonly ShortMessage[]): string {
  let token = '</E>'
  for (let number = 1; messages.some(({ content }) => content.includes(token)); number++) token = `</E${number}>`
  return token
}

/** The columns that prompts name. */
export function columnsIn(messages: readonly ShortMessage[]): string[] {
  const names = messages.flatMap(({ content }) => fieldsInText(content).flatMap(({ name, is }) => (is === 'field' ? [name] : [])))
  return [...new Set(names)]
}

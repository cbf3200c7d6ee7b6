import { ownEntry } from '@rolecall/core/internal/schema'
import type { WhyTurn } from './why-row.ts'

/** What begins a turn in the chat templates of model families, with the role in a group; `[INST]` and `[/INST]` begin turns too. */
const turnStart =
  /<\|im_start\|>(\w+)\n|<\|start_header_id\|>(\w+)<\|end_header_id\|>\s*|<start_of_turn>(\w+)\n|<\|(system|user|assistant|System|User|Bot)\|>:?\n?|<｜(User|Assistant)｜>|\[(\/?INST)\]\s?/gu
const turnEnd = /(?:<\|im_end\|>|<\|eot_id\|>|<end_of_turn>|<\|end\|>|<eo[ah]>|<\/s>|<\|endoftext\|>|<｜end▁of▁sentence｜>)\s*$/u
/** What begins a text, once or more often, in the families of models. */
export const bos =
  /^(?:<s>|<bos>|<\|(?:begin_of_text|endoftext|startoftext|bos)\|>|<｜begin▁of▁sentence｜>|<BOS_TOKEN>|\[gMASK\]\s?(?:<sop>)?)+/u
const llamaSystem = /^\s*<<SYS>>\n([\s\S]*?)\n<<\/SYS>>\s*/u

const roles: Readonly<Record<string, string>> = {
  INST: 'user',
  '/INST': 'assistant',
  human: 'user',
  model: 'assistant',
  gpt: 'assistant',
  Bot: 'assistant',
}

/** The turns of a prompt that a chat template rendered, and which kind of markup it has; undefined if no known template did. */
export type RenderedTurns = { turns: WhyTurn[]; markup: string; prefix: string }

/**
 * Reads a rendered prompt back into turns; `prefix` is what the reply is made to begin with.
 *
 * @example
 * renderedTurns('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n')!.turns // => [{ role: 'user', content: 'Hi' }]
 */
export function renderedTurns(text: string): RenderedTurns | undefined {
  const starts = [...text.matchAll(turnStart)]
  if (starts.length === 0) return undefined
  const before = text.slice(0, starts[0]!.index).replace(bos, '').trim()
  const turns: WhyTurn[] = before === '' ? [] : [{ role: 'system', content: before }]
  for (const [index, start] of starts.entries()) {
    const name = start.slice(1).find((role) => role !== undefined)!
    const role = ownEntry(roles, name) ?? name.toLowerCase()
    const content = text.slice(start.index + start[0].length, starts[index + 1]?.index).replace(turnEnd, '')
    const system = role === 'user' ? llamaSystem.exec(content) : null
    if (system) turns.push({ role: 'system', content: system[1]! })
    turns.push({ role, content: system ? content.slice(system[0].length) : content })
  }
  const prefix = turns.at(-1)!.role === 'assistant' ? turns.pop()!.content : ''
  return { turns, prefix, markup: starts[0]![0].replace(/\w+/gu, '') }
}

import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { ReadPaste } from './contract.ts'

/** A chat as text: a rendered ChatML or Llama 3 prompt, or lines that begin with who speaks; undefined if it is neither. */
export async function readTranscriptText(text: string): Promise<ReadPaste | undefined> {
  if (text.includes('<|im_start|>')) {
    const { readTranscript } = await import('@rolecall/core/internal/format')
    const { messages, notes } = readTranscript(text)
    return { as: 'transcript', messages, problems: notes.map((note) => note.text) }
  }
  const headers = [...text.matchAll(/<\|start_header_id\|>(\w+)<\|end_header_id\|>\n\n([\s\S]*?)(?:<\|eot_id\|>|<\|eom_id\|>|$)/g)]
  if (headers.length > 0)
    return { as: 'transcript', messages: spoken(headers.map(([, role, content]) => [role ?? '', content ?? ''])), problems: [] }
  return labelled(text)
}

const roles: Readonly<Record<string, string>> = {
  system: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  tool: 'tool',
  系统: 'system',
  用户: 'user',
  助手: 'assistant',
  工具: 'tool',
}

const label = /^(?:#+\s*|\*\*)?(system|user|human|assistant|ai|bot|gpt|tool|系统|用户|助手|工具)(?:\*\*)?\s*[:：](?:\*\*)?[ \t]*/gim

/** `User: …` and `Assistant: …`, each from the start of a line; at least two, or one of the user. */
function labelled(text: string): ReadPaste | undefined {
  const found = [...text.matchAll(label)]
  const [first] = found
  if (first === undefined || text.slice(0, first.index).trim() !== '') return undefined
  const turns = found.map((match, index): [string, string] => [
    roles[(match[1] ?? '').toLowerCase()] ?? 'user',
    text.slice(match.index + match[0].length, found[index + 1]?.index).trim(),
  ])
  return { as: 'transcript', messages: spoken(turns), problems: [] }
}

/** An empty turn of the assistant at the end is where it speaks. */
function spoken(turns: readonly (readonly [role: string, content: string])[]): ChatMessage[] {
  const last = turns.at(-1)
  const said = last?.[0] === 'assistant' && last[1] === '' ? turns.slice(0, -1) : turns
  return said.map(([role, content]) => ({ role, content }))
}

import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { parseReply, renderPrompt, syntaxWrittenBy } from '@rolecall/core/internal/model'
import { columnModel } from './columns.ts'
import type { ColumnQuestion, Conversation, ReadReply } from './contract.ts'
import { promptOf } from './draw-prompts.ts'
import { plainText } from './stretches.ts'

/** Reads a reply by what the column's template writes, and renders what would be sent next. */
export async function readReply(column: ColumnQuestion, said: Conversation, reply: string): Promise<ReadReply> {
  const model = await columnModel({ ...column, tokenizer: undefined })
  const prompt = promptOf(model, column, said)
  const parsed = parseReply(model, reply, { prompt, tools: said.tools })
  const calls = parsed.calls.map((call) =>
    call.kind === 'call'
      ? { name: call.name, arguments: JSON.stringify(call.arguments) }
      : { name: call.kind, arguments: 'raw' in call ? call.raw : '', problem: 'problem' in call ? call.problem : call.kind },
  )
  const answered: ChatMessage = {
    role: 'assistant',
    content: parsed.text,
    ...(parsed.reasoning !== '' ? { reasoning_content: parsed.reasoning } : {}),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ name, arguments: given }, index) => ({
            id: `call_${index}`,
            type: 'function' as const,
            function: { name, arguments: given },
          })),
        }),
  }
  const results = calls.map(({ name }, index): ChatMessage => ({ role: 'tool', name, tool_call_id: `call_${index}`, content: '…' }))
  const next = [...said.messages, answered, ...(results.length > 0 ? results : [{ role: 'user', content: '…' }])]
  return {
    syntax: syntaxWrittenBy(model).name,
    text: parsed.text,
    reasoning: parsed.reasoning,
    calls,
    problems: parsed.problems.map(({ problem }) => problem),
    next: appended(() => renderPrompt(model, next, { tools: said.tools, variables: column.variables }).pieces, plainText(prompt.pieces)),
  }
}

/** What the next prompt has behind this one; where it rewrites the past, all of it. */
function appended(render: () => Parameters<typeof plainText>[0], before: string): string {
  try {
    const text = plainText(render())
    return text.startsWith(before) ? text.slice(before.length) : text
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

import type { ChatMessage } from '@rolecall/core/internal/conversation'

type Called = { id: string; callWord: string | undefined; resultWord: string | undefined }

const wordIn = (value: unknown): string | undefined => /zq\d{4}/.exec(JSON.stringify(value) ?? '')?.[0]

/**
 * Results of parallel calls that a prompt shows as those of other calls: without their ids beside them, results belong to calls by their
 * order.
 */
export function misplacedResults(messages: readonly ChatMessage[], text: string): string[] {
  return messages.flatMap((message, index) => {
    const calls = parallelCalls(message, messages.slice(index + 1))
    const shown = calls.filter(({ callWord, resultWord }) => isIn(text, callWord) && isIn(text, resultWord))
    if (shown.length < 2) return []
    const byCall = [...shown].sort((a, b) => text.indexOf(a.callWord!) - text.indexOf(b.callWord!))
    const byResult = [...shown].sort((a, b) => text.indexOf(a.resultWord!) - text.indexOf(b.resultWord!))
    return byResult.flatMap((result, place) => {
      if (result === byCall[place] || isLabelled(text, result, byResult[place - 1])) return []
      return [`the result ${result.resultWord} of ${result.id} stands in the place of ${byCall[place]!.id}`]
    })
  })
}

/** The calls of a message with their results, up to the next message of the assistant. */
function parallelCalls({ tool_calls: calls }: ChatMessage, after: readonly ChatMessage[]): Called[] {
  const end = after.findIndex(({ role }) => role === 'assistant')
  const results = after.slice(0, end < 0 ? undefined : end).filter(({ role }) => role === 'tool')
  return (calls ?? []).flatMap((call) => {
    const { id } = call
    const result = results.find(({ tool_call_id: answered }) => answered === id)
    if (id === undefined || result === undefined) return []
    return [{ id, callWord: wordIn(call), resultWord: wordIn(result.content) }]
  })
}

function isIn(text: string, word: string | undefined): boolean {
  return word !== undefined && text.includes(word)
}

/** Whether the id of the call stands between the previous result and this one. */
function isLabelled(text: string, { id, resultWord }: Called, before: Called | undefined): boolean {
  const end = text.indexOf(resultWord!)
  const start = before === undefined ? Math.max(0, end - 400) : text.indexOf(before.resultWord!)
  return text.slice(start, end).includes(id)
}

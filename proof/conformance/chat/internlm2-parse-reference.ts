import { dictHas, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { parseExactReply } from '../../../packages/core/src/internal/reply.ts'
import { outcomeOf, sameValue, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'
import { asRecommended } from './internlm2-parse-recommended.ts'
import { plainVector } from './parse-vector.ts'
import { promisedReply } from './promised-reply.ts'
import { ruleFor } from './reply-rules.ts'

type Called = { name: string; arguments: string }
type ServerResult = { content: string | null; tool_calls: Called[] }
type AgentResult = { tool_type: string | null; thought: string; action: unknown }
type Vector = { parser: string; mode: 'full' | 'stream'; input: string; expected?: ServerResult | AgentResult | { final: ServerResult } }

/**
 * How serving stacks and an agent framework parse a reply. Many are wrong (the streaming ones for every call), so they are
 * not targets. Where Rolecall differs, a rule that tests the input must say why.
 */
export const internlm2ParseReference: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'parser') && dictHas(vector, 'mode') && dictHas(vector, 'input'),
  examine(json) {
    const vector = plainVector(json) as Vector
    return trial(
      outcomeOf(() => asRecommended(parseExactReply(vector.input, 'internlm2'))),
      (ours) => {
        if ('error' in ours) return failed(show(ours))
        const reply = ours.value as Shown
        if (vector.expected !== undefined && agrees(reply, vector.expected)) return identical
        const rule = ruleFor(vector)
        const promised = promisedReply(vector.input)
        if (rule !== undefined && sameValue(reply, promised)) return { kind: 'rule', rule }
        return failed(`${show(ours)}, expected ${JSON.stringify(vector.expected)}, promised ${show({ value: promised })} (${rule})`)
      },
    )
  },
}

type Shown = { content: string; calls: { kind: string; name?: string; arguments?: unknown; error?: string }[] }

function agrees(reply: Shown, expected: NonNullable<Vector['expected']>): boolean {
  if ('final' in expected) return sameValue(asServer(reply), normal(expected.final))
  if ('tool_calls' in expected) return sameValue(asServer(reply), normal(expected))
  const { tool_type, thought, action } = expected
  return sameValue(asAgent(reply), { tool_type, thought, action: asCall(typeof action === 'string' ? parsed(action) : action) })
}

/** A reply as a server returns it. Malformed calls and code cannot be represented there. */
function asServer({ content, calls }: Shown): unknown {
  return { content, calls: calls.map((call) => (isUsable(call) ? { name: call.name, arguments: call.arguments } : call.kind)) }
}

function isUsable({ kind, error }: Shown['calls'][number]): boolean {
  return kind === 'plugin' && error === undefined
}

function normal({ content, tool_calls }: ServerResult): unknown {
  return { content: content ?? '', calls: tool_calls.map(({ name, arguments: given }) => ({ name, arguments: parsed(given) })) }
}

function asAgent({ content, calls }: Shown): unknown {
  const [call, ...others] = calls
  if (call === undefined) return { tool_type: null, thought: content, action: null }
  if (!isUsable(call) || others.length > 0) return undefined
  return { tool_type: 'plugin', thought: content, action: { name: call.name, parameters: call.arguments } }
}

/** An agent passes on the whole object; the next step decides which members form the call. */
function asCall(action: unknown): unknown {
  if (typeof action !== 'object' || action === null || Array.isArray(action)) return action
  const { name, parameters, arguments: given = {} } = action as Record<string, unknown>
  return { name, parameters: parameters === undefined ? given : parameters }
}

function parsed(text: string): unknown {
  try {
    return plainVector(parseJson(text))
  } catch {
    return text
  }
}

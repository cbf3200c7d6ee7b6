import { dictHas, parseJson } from '../../src/base/python/index.ts'
import { parseReply, type Reply } from '../../src/index.ts'
import type { Verdict } from '../judge.ts'
import { sameValue } from '../outcome.ts'
import type { Suite } from '../suite.ts'
import { plainVector } from './parse-vector.ts'
import { replyRules } from './reply-rules.ts'

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
  judge(json): Verdict {
    const vector = plainVector(json) as Vector
    const reply = parseReply(vector.input, 'internlm2')
    if (vector.expected !== undefined && agrees(reply, vector.expected)) return { kind: 'passed' }
    const rule = Object.entries(replyRules).find(([, { applies }]) => applies(vector))?.[0]
    if (rule !== undefined) return { kind: 'deviation', rule }
    return { kind: 'failed', why: `${JSON.stringify(reply.parts)} differs from ${JSON.stringify(vector.expected)}, and no rule says why` }
  },
}

function agrees(reply: Reply, expected: NonNullable<Vector['expected']>): boolean {
  if ('final' in expected) return sameValue(asServer(reply), normal(expected.final))
  if ('tool_calls' in expected) return sameValue(asServer(reply), normal(expected))
  const { tool_type, thought, action } = expected
  return sameValue(asAgent(reply), { tool_type, thought, action: asCall(typeof action === 'string' ? parsed(action) : action) })
}

/** A reply as a server returns it. Malformed calls cannot be represented there. */
function asServer({ text, calls }: Reply): unknown {
  const usable = calls.map((call) => (call.kind === 'call' ? { name: call.name, arguments: plainVector(call.arguments) } : call.kind))
  return { content: text, calls: usable }
}

function normal({ content, tool_calls }: ServerResult): unknown {
  return { content: content ?? '', calls: tool_calls.map(({ name, arguments: given }) => ({ name, arguments: parsed(given) })) }
}

function asAgent({ text, calls }: Reply): unknown {
  const [call, ...others] = calls
  if (call === undefined) return { tool_type: null, thought: text, action: null }
  if (call.kind !== 'call' || others.length > 0) return undefined
  const raw = { name: call.name, parameters: plainVector(call.arguments) }
  return { tool_type: 'plugin', thought: text, action: raw }
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

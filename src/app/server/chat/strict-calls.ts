import type { LaterConstraint } from '../../../model/language-model/later-constraint.ts'
import { openedInPrompt } from '../../../model/reply/index.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import { callBlock } from './forced-call.ts'

/** A function as a request describes it. */
export type FunctionTool = { name?: unknown; parameters?: unknown; strict?: unknown }

/**
 * What a call has to be behind its mark: the name of a tool, and arguments that its schema allows where it is strict. Undefined where a
 * format writes calls in another way than as one JSON object behind a mark.
 */
export function strictCalls({ syntax, opening }: ChatPrompt, tools: readonly FunctionTool[], where: string): LaterConstraint | undefined {
  const block = callBlock(syntax)
  const json = block?.json
  const mark = block?.open.join('') ?? ''
  if (!json || mark === '' || json.name === null || json.inside !== undefined || json.asText || json.id !== undefined) return undefined
  if (json.list && block.close === undefined) return undefined
  const [name, arguments_] = [json.name, json.arguments[0]!]
  const calls = tools.map((tool, index) => ({
    type: 'object',
    properties: { [name]: { const: tool.name }, [arguments_]: { $ref: `#/$defs/${index}` } },
    required: [name, arguments_],
    additionalProperties: false,
  }))
  const schemas = tools.map(({ strict, parameters }, index) =>
    strict === true ? movedTo(`#/$defs/${index}`, { type: 'object', ...((parameters ?? {}) as object) }) : { type: 'object' },
  )
  const before = openedInPrompt(opening, syntax)
  return {
    mark,
    close: block.close,
    constraint: { kind: 'json-schema', schema: { anyOf: calls, $defs: { ...schemas } }, where },
    counts: (written) => {
      const text = before + written
      return (syntax.reasoning ?? []).every(({ open, close }) => text.lastIndexOf(open) <= text.lastIndexOf(close))
    },
  }
}

/** A schema whose references to itself hold where it is part of another. */
function movedTo(place: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => movedTo(place, one))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' && typeof value === 'string' && value.startsWith('#') ? [key, place + value.slice(1)] : [key, movedTo(place, value)],
    ),
  )
}

import { callBlock, openedInPrompt } from '@rolecall/core/internal/reply'
import type { LaterConstraint } from '../../model/language-model/later-constraint.ts'
import type { ChatPrompt } from './chat-prompt.ts'

/** A function tool in a request. */
export type FunctionTool = { name?: unknown; parameters?: unknown; strict?: unknown }

/**
 * Constrains calls after their marker: the name must be that of a tool, and the arguments of a strict tool must match its schema. Undefined
 * if the format does not write calls as a JSON object after a marker.
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
    strict === true ? relocateRefs(`#/$defs/${index}`, { type: 'object', ...((parameters ?? {}) as object) }) : { type: 'object' },
  )
  const before = openedInPrompt(opening, syntax)
  return {
    mark,
    close: block.close,
    constraint: { kind: 'json-schema', schema: { anyOf: calls, $defs: { ...schemas } }, where, isPadded: true },
    counts: (written) => {
      const text = before + written
      return (syntax.reasoning ?? []).every(({ open, close }) => text.lastIndexOf(open) <= text.lastIndexOf(close))
    },
  }
}

/** Rewrites local references in a schema that is embedded in another at `path`. */
function relocateRefs(path: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => relocateRefs(path, one))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? [key, path + value.slice(1)]
        : [key, relocateRefs(path, value)],
    ),
  )
}

import type { PyDict } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import { exactField } from '../exact-fields.ts'
import type { ResponseTools } from './response-tools.ts'
import type { ResponsesFields } from './responses-request.ts'

type ToolChoice = Pick<ChatSettings, 'tool_choice' | 'parallel_tool_calls'> & { tools: PyDict[] }

/** Converts `tool_choice`; `allowed_tools` reduces the tools shown to the model. */
export function chooseResponseTools(
  { tool_choice: choice, parallel_tool_calls: parallel }: ResponsesFields,
  offered: ResponseTools,
): ToolChoice {
  const { tools } = offered
  const more = parallel === false ? { parallel_tool_calls: false } : {}
  if (choice === undefined || choice === null) return { tools, ...more }
  if (typeof choice === 'string') return { tools, tool_choice: choice, ...more }
  const { type, name = type } = choice
  if (clientTypes.has(type)) return { tools, tool_choice: { type: 'function', function: { name: offered.modelName(name) } }, ...more }
  if (type !== 'allowed_tools') throw badField('tool_choice', `tools of type "${type}" cannot be run here`, 'unsupported')
  const { mode, tools: allowed } = choice as { mode?: unknown; tools?: unknown }
  const names = new Set(Array.isArray(allowed) ? allowed.map((tool: { name?: unknown }) => tool?.name) : [])
  const nameOf = (tool: PyDict) => exactField(exactField(tool, 'function'), 'name')
  const known = tools.map(nameOf)
  // Hosted tools have no name, and were reported above.
  const unknown = [...names].find((allowedName) => typeof allowedName === 'string' && !known.includes(allowedName))
  if (unknown !== undefined) throw badField('tool_choice', `${JSON.stringify(unknown)} is not among the tools`, 'unsupported')
  return { tools: tools.filter((tool) => names.has(nameOf(tool))), tool_choice: mode === 'required' ? 'required' : 'auto', ...more }
}

const clientTypes: ReadonlySet<string> = new Set(['function', 'custom', 'tool_search', 'local_shell'])

import { isDict, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import { functionTool, hostedToolProblem } from '../converted-chat.ts'
import { exactField, exactText } from '../exact-fields.ts'
import { customSchema } from './custom-tools.ts'
import type { ResponsesFields } from './responses-request.ts'

/** The tools of a request in the chat's shape, and the names of custom tools. */
export type ResponseTools = { tools: PyDict[]; custom: ReadonlySet<string> }

/** Converts tools; those that are neither functions nor custom can only be run by OpenAI. */
export function readResponseTools(given: readonly PyValue[], problems: string[]): ResponseTools {
  const custom = new Set<string>()
  const tools = given.flatMap((tool, index) => {
    const at = `tools[${index}]`
    const type = exactField(tool, 'type')
    if (!isDict(tool) || (type !== 'function' && type !== 'custom')) {
      problems.push(hostedToolProblem(index, type))
      return []
    }
    const name = exactText(tool, 'name', at)
    if (type === 'function') return [functionTool(tool, exactField(tool, 'parameters'))]
    custom.add(name)
    if (exactField(exactField(tool, 'format'), 'type') === 'grammar')
      problems.push(`${at}.format: the model was shown the grammar, but it is not enforced`)
    return [functionTool(tool, customSchema(tool))]
  })
  return { tools, custom }
}

type ToolChoice = Pick<ChatSettings, 'tool_choice' | 'parallel_tool_calls'> & { tools: PyDict[] }

/** Converts `tool_choice`; `allowed_tools` reduces the tools shown to the model. */
export function chooseTools({ tool_choice: choice, parallel_tool_calls: parallel }: ResponsesFields, tools: PyDict[]): ToolChoice {
  const more = parallel === false ? { parallel_tool_calls: false } : {}
  if (choice === undefined || choice === null) return { tools, ...more }
  if (typeof choice === 'string') return { tools, tool_choice: choice, ...more }
  const { type, name = '' } = choice
  if (type === 'function' || type === 'custom') return { tools, tool_choice: { type: 'function', function: { name } }, ...more }
  if (type !== 'allowed_tools') throw badField('tool_choice', `tools of type "${type}" cannot be run here`, 'unsupported')
  const { mode, tools: allowed } = choice as { mode?: unknown; tools?: unknown }
  const names = new Set(Array.isArray(allowed) ? allowed.map((one: { name?: unknown }) => one?.name) : [])
  const nameOf = (tool: PyDict) => exactField(exactField(tool, 'function'), 'name')
  const known = tools.map(nameOf)
  // Hosted tools have no name, and were reported above.
  const unknown = [...names].find((one) => typeof one === 'string' && !known.includes(one))
  if (unknown !== undefined) throw badField('tool_choice', `${JSON.stringify(unknown)} is not among the tools`, 'unsupported')
  return { tools: tools.filter((tool) => names.has(nameOf(tool))), tool_choice: mode === 'required' ? 'required' : 'auto', ...more }
}

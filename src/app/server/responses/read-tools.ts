import { dictEntries, dictFromEntries, isDict, type PyDict, type PyValue } from '../../../base/python/index.ts'
import { ApiError } from '../api-error.ts'
import type { ChatFields } from '../chat/chat-request.ts'
import { fieldOf, textAt } from '../exact-values.ts'
import { customSchema } from './custom-tools.ts'
import type { ResponsesFields } from './responses-request.ts'

/** The tools of a request as the formats know them, and which of them are custom ones. */
export type ReadTools = { tools: PyDict[]; custom: ReadonlySet<string> }

/** Reads tools. What is neither a function nor a custom tool is run by OpenAI itself, and by nobody here. */
export function readTools(given: readonly PyValue[], problems: string[]): ReadTools {
  const custom = new Set<string>()
  const tools = given.flatMap((tool, index) => {
    const at = `tools[${index}]`
    const type = fieldOf(tool, 'type')
    if (!isDict(tool) || (type !== 'function' && type !== 'custom')) {
      problems.push(`${at}: tools of the type "${String(type)}" cannot be run here, so the model was not told of it`)
      return []
    }
    const name = textAt(tool, 'name', at)
    if (type === 'custom') {
      custom.add(name)
      if (fieldOf(fieldOf(tool, 'format'), 'type') === 'grammar')
        problems.push(`${at}.format: the grammar was shown to the model, and is not enforced`)
    }
    const parameters = type === 'custom' ? customSchema(tool) : fieldOf(tool, 'parameters')
    const own = dictEntries(tool).filter(([key, value]) => (key === 'name' || key === 'description') && value !== null)
    return [
      { type: 'function', function: dictFromEntries([...own, ...(parameters === undefined ? [] : [['parameters', parameters] as const])]) },
    ]
  })
  return { tools, custom }
}

type Choice = Pick<ChatFields, 'tool_choice' | 'parallel_tool_calls'> & { tools: PyDict[] }

/** What may be called, as chats say it. */
export function chooseTools({ tool_choice: choice, parallel_tool_calls: parallel }: ResponsesFields, { tools }: ReadTools): Choice {
  const more = parallel === false ? { parallel_tool_calls: false } : {}
  if (choice === undefined || choice === null) return { tools, ...more }
  if (typeof choice === 'string') return { tools, tool_choice: choice, ...more }
  const { type, name = '' } = choice
  if (type === 'function' || type === 'custom') return { tools, tool_choice: { type: 'function', function: { name } }, ...more }
  if (type === 'allowed_tools') {
    const { mode, tools: allowed } = choice as { mode?: unknown; tools?: unknown }
    const names = new Set(Array.isArray(allowed) ? allowed.map((one: { name?: unknown }) => one?.name) : [])
    const known = tools.map((tool) => fieldOf(fieldOf(tool, 'function'), 'name'))
    // What OpenAI itself runs has no name, and was told of above.
    const unknown = [...names].find((one) => typeof one === 'string' && !known.includes(one))
    if (unknown !== undefined) throw refuse(`${JSON.stringify(unknown)} is not among the tools`)
    const shown = tools.filter((tool) => names.has(fieldOf(fieldOf(tool, 'function'), 'name')))
    return { tools: shown, tool_choice: mode === 'required' ? 'required' : 'auto', ...more }
  }
  throw refuse(`tools of the type "${type}" cannot be run here`)
}

function refuse(problem: string): ApiError {
  return new ApiError(400, { message: `tool_choice: ${problem}`, param: 'tool_choice', code: 'unsupported' })
}

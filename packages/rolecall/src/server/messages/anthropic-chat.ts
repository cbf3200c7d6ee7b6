import { isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { badField } from '../api-error.ts'
import { contentOf, functionTool, hostedToolProblem, joinedTexts, type PlacedMessage } from '../converted-chat.ts'
import { exactField } from '../exact-fields.ts'
import { readAssistantBlocks, readUserBlocks, referencedTools } from './read-blocks.ts'
import { readPart } from './read-part.ts'

/** The parts of a request in Anthropic's protocol that its conversation consists of. */
export type AnthropicChat = { messages: PyValue; system?: PyValue | undefined; tools: PyValue }

/** The conversation of a request, in OpenAI's shape; what has no counterpart is added to `problems`. It needs no server: the lab reads requests, too. */
export function chatOfMessages(
  { messages, system, tools }: AnthropicChat,
  problems: string[],
): { placed: readonly PlacedMessage[]; tools: PyDict[] } {
  const given = isList(messages) ? messages : []
  const placed = [...readSystem(system, problems), ...given.flatMap((one, index) => readMessage(one, index, problems))]
  return { placed, tools: readTools(isList(tools) ? tools : [], given, problems) }
}

function readSystem(system: PyValue | undefined, problems: string[]): PlacedMessage[] {
  if (system === undefined) return []
  const content = isList(system)
    ? contentOf(joinedTexts(system.flatMap((block, index) => readPart(block, `system[${index}]`, problems))))
    : (system as string)
  return content === '' ? [] : [{ message: { role: 'system', content }, place: 'system' }]
}

function readMessage(message: PyValue, index: number, problems: string[]): PlacedMessage[] {
  const place = `messages[${index}]`
  const role = exactField(message, 'role') as string
  const content = exactField(message, 'content')
  if (!isList(content)) return [{ message: { role, content: content as string }, place }]
  return role === 'assistant' ? readAssistantBlocks(content, place, problems) : readUserBlocks(role, content, place, problems)
}

/**
 * Converts tools; those without a schema can only be run by Anthropic. Deferred tools are shown once a search has found them, after all others:
 * what the prompt says before them stays the same.
 */
function readTools(tools: readonly PyValue[], messages: readonly PyValue[], problems: string[]): PyDict[] {
  const shown: PyDict[] = []
  const deferred = new Map<string, PyDict>()
  let hasHostedSearch = false
  tools.forEach((tool, index) => {
    const type = exactField(tool, 'type') ?? 'custom'
    if (type !== 'custom' || !isDict(tool)) {
      hasHostedSearch ||= typeof type === 'string' && type.startsWith('tool_search_tool')
      problems.push(hostedToolProblem(`tools[${index}]`, type))
      return
    }
    const schema = exactField(tool, 'input_schema')
    if (!isDict(schema)) throw badField(`tools[${index}].input_schema`, 'expected a JSON Schema')
    const name = exactField(tool, 'name')
    if (exactField(tool, 'defer_loading') === true && typeof name === 'string') deferred.set(name, functionTool(tool, schema))
    else shown.push(functionTool(tool, schema))
  })
  // Nothing can find them if the vendor's server was to search.
  if (hasHostedSearch) return [...shown, ...deferred.values()]
  for (const name of referencedTools(messages)) {
    const tool = deferred.get(name)
    if (tool) shown.push(tool)
    deferred.delete(name)
  }
  if (deferred.size > 0)
    problems.push(`tools: ${[...deferred.keys()].join(', ')} are deferred: not shown until a tool_reference names them`)
  return shown
}

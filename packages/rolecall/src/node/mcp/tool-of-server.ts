import type { AgentTool } from '../../model/agent/agent-tool.ts'
import type { ListedTool, McpClient } from './mcp-sdk.ts'
import { readResult } from './read-result.ts'

/** What models and servers accept as the name of a function; a name is text that every prompt contains. */
const usableName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/
const mostDescription = 4000
const mostSchema = 64_000

/** Where a tool comes from. */
export type ToolSource = { server: string; client: McpClient; timeLimit: number; note(text: string): void }

/** A tool of a server as one of ours; undefined if its name or schema cannot be used, which is noted. */
export function toolOfServer(listed: ListedTool, { server, client, timeLimit, note }: ToolSource): AgentTool | undefined {
  const { name, description, inputSchema } = listed
  if (typeof name !== 'string' || !usableName.test(name)) {
    note(`${server}: a tool is left out, because its name is not letters, digits, _, - and .: ${JSON.stringify(name)?.slice(0, 80)}`)
    return undefined
  }
  const schema = isObject(inputSchema) ? inputSchema : { type: 'object', properties: {} }
  if (JSON.stringify(schema).length > mostSchema) {
    note(`${server}: ${name} is left out, because its schema has more than ${mostSchema / 1000},000 characters`)
    return undefined
  }
  const said = typeof description === 'string' ? description : ''
  if (said.length > mostDescription) note(`${server}: the description of ${name} is cut to ${mostDescription} characters`)
  return {
    name,
    description: said.slice(0, mostDescription),
    parameters: schema,
    timeLimit,
    run: async (given: unknown, { signal }) =>
      readResult(await client.callTool({ name, arguments: given }, undefined, { signal, timeout: timeLimit })),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { check, PromptError } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'
import type { AgentTool } from '../../model/agent/agent-tool.ts'
import { ownVersion } from '../own-files.ts'
import { type ListedTool, type McpClient, type McpTransport, mcpSdk } from './mcp-sdk.ts'
import { type McpCommand, StdioTransport } from './stdio-transport.ts'
import { toolOfServer } from './tool-of-server.ts'

/** A server with an address. */
export type McpAddress = {
  url: string
  headers?: Readonly<Record<string, string>>
}

/** The servers by names of yours, and limits. */
export type McpOptions = {
  servers: Readonly<Record<string, McpCommand | McpAddress>>
  /** How long a server may take to start, and each call of a tool, in milliseconds; 30,000 by default. */
  timeLimit?: number
}

/** Tools of servers, for `runAgent`. */
export type McpTools = {
  tools: readonly AgentTool[]
  /** Tools that are left out, and descriptions that are cut. */
  notes: readonly string[]
  /** Ends the servers. */
  close(): Promise<void>
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

const commandSchema = z.strictObject({
  command: z.string(),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  cwd: z.optional(z.string()),
} satisfies { readonly [Key in keyof Required<McpCommand>]: z.FieldSchemas[string] })

const addressSchema = z.strictObject({
  url: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
} satisfies { readonly [Key in keyof Required<McpAddress>]: z.FieldSchemas[string] })

const optionsSchema = z.strictObject({
  servers: z.record(z.string(), z.custom<McpCommand | McpAddress>(isObject, 'expected { command, args } or { url }')),
  timeLimit: z.optional(z.number()),
} satisfies { readonly [Key in keyof Required<McpOptions>]: z.FieldSchemas[string] })

/** Models read all of them with every prompt. */
const mostTools = 128
const mostPages = 20

/**
 * Starts servers of the Model Context Protocol, or connects to them, and offers their tools to agents. A tool whose name another server has, too,
 * is called `SERVER_NAME`. Servers get no environment but PATH and what `env` gives; their texts are data, which never becomes control tokens.
 */
export async function openMcpTools(options: McpOptions): Promise<McpTools> {
  check(optionsSchema, options, 'openMcpTools › ')
  const { servers, timeLimit = 30_000 } = options
  const opened: McpClient[] = []
  const close = async () => void (await Promise.allSettled(opened.map((client) => client.close())))
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const found: { server: string; tool: AgentTool }[] = []
  try {
    for (const [server, place] of Object.entries(servers)) {
      check('url' in place ? addressSchema : commandSchema, place, `openMcpTools › servers.${server} › `)
      const client = await connected(server, place, timeLimit)
      opened.push(client)
      const listed = await allTools(client, timeLimit)
      for (const one of listed.slice(0, mostTools)) {
        const tool = toolOfServer(one, { server, client, timeLimit, note })
        if (tool) found.push({ server, tool })
      }
      if (listed.length > mostTools) note(`${server}: only its first ${mostTools} tools are used, of ${listed.length}`)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { tools: distinctTools(found, note), notes, close }
}

async function connected(server: string, place: McpCommand | McpAddress, timeout: number): Promise<McpClient> {
  const { Client, StreamableHTTPClientTransport } = await mcpSdk()
  // No capabilities: a server cannot ask for samples of the model, for roots, or for answers of the user.
  const client = new Client({ name: 'rolecall', version: ownVersion() }, { capabilities: {} })
  const process = 'url' in place ? undefined : new StdioTransport(place)
  const transport: McpTransport =
    process ??
    new StreamableHTTPClientTransport(addressOf(server, place as McpAddress), { requestInit: { headers: (place as McpAddress).headers } })
  try {
    await client.connect(transport, { timeout })
    return client
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    const said = process?.stderr.trim().split('\n').at(-1)
    throw new PromptError('no-server', {
      where: `openMcpTools › servers.${server}`,
      problem: `the server did not start (${error instanceof Error ? error.message : String(error)})${said ? `; it says: ${said.slice(0, 300)}` : ''}`,
      fix: 'check its command or address; variables that it needs must be given in env',
    })
  }
}

function addressOf(server: string, { url }: McpAddress): URL {
  if (URL.canParse(url) && /^https?:/.test(url)) return new URL(url)
  throw new PromptError('wrong-value', {
    where: `openMcpTools › servers.${server} › url`,
    problem: `"${url}" is not an address`,
    fix: 'write http://HOST:PORT/mcp',
  })
}

async function allTools(client: McpClient, timeout: number): Promise<ListedTool[]> {
  const listed: ListedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout })
    listed.push(...tools)
    if (nextCursor === undefined || listed.length > mostTools) break
    cursor = nextCursor
  }
  return listed
}

function distinctTools(found: readonly { server: string; tool: AgentTool }[], note: (text: string) => void): AgentTool[] {
  const taken = new Set<string>()
  return found.flatMap(({ server, tool }) => {
    const isShared = found.some((other) => other.server !== server && other.tool.name === tool.name)
    const name = isShared ? `${server.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}_${tool.name}`.slice(0, 64) : tool.name
    if (taken.has(name)) {
      note(`${server}: a second tool called ${name} is left out`)
      return []
    }
    taken.add(name)
    return [{ ...tool, name }]
  })
}

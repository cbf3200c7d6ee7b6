import { PromptError } from '@rolecall/core/internal/errors'
import { importPeer } from '../find-peer.ts'

/** A message of the protocol, which only the SDK reads. */
export type McpMessage = object

/** How the SDK sends and receives messages. */
export type McpTransport = {
  start(): Promise<void>
  send(message: McpMessage): Promise<void>
  close(): Promise<void>
  onmessage?: (message: McpMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
}

/** A tool as a server lists it; nothing of it has been checked. */
export type ListedTool = { name?: unknown; description?: unknown; inputSchema?: unknown }

/** What of the SDK's client is used here. */
export type McpClient = {
  connect(transport: McpTransport, options?: { timeout?: number }): Promise<void>
  listTools(params?: { cursor?: string }, options?: { timeout?: number }): Promise<{ tools: readonly ListedTool[]; nextCursor?: string }>
  callTool(
    params: { name: string; arguments: unknown },
    schema?: undefined,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<Record<string, unknown>>
  close(): Promise<void>
}

type Sdk = {
  Client: new (info: { name: string; version: string }, options: { capabilities: object }) => McpClient
  StreamableHTTPClientTransport: new (url: URL, options: { requestInit?: RequestInit }) => McpTransport
}

/** The client of `@modelcontextprotocol/sdk`, which users install. */
export async function mcpSdk(): Promise<Sdk> {
  const [client, http] = (await Promise.all([
    importPeer('@modelcontextprotocol/sdk/client/index.js'),
    importPeer('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ])) as [Pick<Sdk, 'Client'> | undefined, Pick<Sdk, 'StreamableHTTPClientTransport'> | undefined]
  if (client && http) return { ...client, ...http }
  throw new PromptError('no-package', {
    where: 'mcp',
    problem: 'the package @modelcontextprotocol/sdk is not installed',
    fix: 'npm install @modelcontextprotocol/sdk',
  })
}

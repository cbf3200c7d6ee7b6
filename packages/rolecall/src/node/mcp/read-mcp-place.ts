import type { McpAddress } from './open-mcp-tools.ts'
import type { McpCommand } from './stdio-transport.ts'

/** A server as a flag names it: an address, or a command with its arguments; quotes keep words together. */
export function readMcpPlace(place: string): McpCommand | McpAddress {
  if (/^https?:\/\//.test(place)) return { url: place }
  const words = [...place.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const [command = '', ...args] = words
  return { command, args }
}

import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { PromptError } from '@rolecall/core/internal/errors'
import { ownVersion } from '../../node/own-files.ts'
import type { McpTool } from './agent-tool-of-cli.ts'

type Request = { jsonrpc: '2.0'; id?: string | number; method: string; params?: Record<string, unknown> }

/** The versions of the protocol that are spoken; they do not differ in what is used here. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const mostRequest = 10_000_000
const mostResult = 200_000

/** Serves tools by the Model Context Protocol, one message per line, until the input ends. */
export async function serveMcp(
  tools: readonly McpTool[],
  { input, output, folder }: { input: Readable; output: Writable; folder: string },
): Promise<void> {
  const running = new Map<string | number, AbortController>()
  const send = (message: object) => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answers = new Set<Promise<void>>()
  const take = (line: string) => {
    const request = readRequest(line)
    if (typeof request === 'string') return send({ id: null, error: { code: -32700, message: request } })
    const answer = respond(request, { tools, folder, running }).then((message) => message && send(message))
    const done = answer.finally(() => answers.delete(done))
    answers.add(done)
  }
  await eachLine(input, take, () => send({ id: null, error: { code: -32600, message: `a message has more than ${mostRequest / 1e6} MB` } }))
  await Promise.allSettled(answers)
}

async function eachLine(input: Readable, take: (line: string) => void, tooLong: () => void): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let isSkipped = false
  for await (const chunk of input) {
    const lines = (text + (typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer))).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (isSkipped) isSkipped = false
      else if (line.trim() !== '') take(line)
    }
    if (text.length <= mostRequest) continue
    if (!isSkipped) tooLong()
    isSkipped = true
    text = ''
  }
  if (text.trim() !== '' && !isSkipped) take(text)
}

function readRequest(line: string): Request | string {
  try {
    const message = JSON.parse(line) as Request
    return typeof message === 'object' && message !== null && typeof message.method === 'string' ? message : 'this is no request'
  } catch {
    return 'this is not JSON'
  }
}

type Context = { tools: readonly McpTool[]; folder: string; running: Map<string | number, AbortController> }

/** The answer to a message; notifications have none. */
async function respond({ id, method, params = {} }: Request, context: Context): Promise<object | undefined> {
  if (method === 'notifications/cancelled') context.running.get(params.requestId as string)?.abort()
  if (id === undefined) return undefined
  if (method === 'initialize') {
    const wanted = String(params.protocolVersion)
    const protocolVersion = versions.includes(wanted) ? wanted : versions[0]
    return { id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rolecall', version: ownVersion() } } }
  }
  if (method === 'ping') return { id, result: {} }
  if (method === 'tools/list') {
    const tools = context.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: true },
    }))
    return { id, result: { tools } }
  }
  if (method !== 'tools/call') return { id, error: { code: -32601, message: `there is no method ${method.slice(0, 80)}` } }
  const tool = context.tools.find(({ name }) => name === params.name)
  if (tool === undefined) return { id, error: { code: -32602, message: `there is no tool ${JSON.stringify(params.name)?.slice(0, 80)}` } }
  const abort = new AbortController()
  context.running.set(id, abort)
  try {
    const text = JSON.stringify(await tool.call(params.arguments, { folder: context.folder, signal: abort.signal }), null, 1)
    return { id, result: { content: [{ type: 'text', text: bounded(text) }] } }
  } catch (error) {
    return { id, result: { content: [{ type: 'text', text: bounded(problemOf(error)) }], isError: true } }
  } finally {
    context.running.delete(id)
  }
}

function problemOf(error: unknown): string {
  if (error instanceof PromptError) return `${error.where}: ${error.problem}. ${error.fix}`
  return error instanceof Error ? error.message : String(error)
}

function bounded(text: string): string {
  return text.length <= mostResult ? text : `${text.slice(0, mostResult)}\n[${text.length - mostResult} characters left out]`
}

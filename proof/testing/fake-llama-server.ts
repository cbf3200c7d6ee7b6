import { compileTemplate, renderChat } from '../../packages/core/src/base/jinja/index.ts'
import type { PyDict, PyValue } from '../../packages/core/src/base/python/index.ts'
import { asEngine } from '../../packages/core/src/prompt/format/parts/as-engine.ts'
import { type Scripted, type ScriptedServer, type Seen, scriptedServer } from './scripted-server.ts'

type Message = { role: string; content: string; tool_calls?: unknown }

/** How a fake server deviates from its template. */
export type Deviation = {
  messages?(messages: readonly Message[]): readonly Message[]
  text?(text: string): string
  ignoresSwitches?: boolean
  encode?(text: string, body: { add_special: boolean; parse_special: boolean }): number[]
}

/** A server that answers like llama.cpp's, from a template, with chosen deviations. */
export function fakeLlamaServer(source: string, deviation: Deviation = {}): Promise<ScriptedServer> {
  const template = compileTemplate(source, { name: 'fake' })
  const tokens = { bos_token: '<s>', eos_token: '</s>' }
  const characters = (text: string) => Array.from(text, (one) => one.codePointAt(0)!)
  const converted = (messages: readonly Message[]): readonly Message[] => {
    if (!messages.some(({ content }) => Array.isArray(content))) return messages
    const given = messages.map((message) => ({ message: message as unknown as PyDict, pieces: [], path: '' }))
    const seen = asEngine('llama.cpp', source).convert(given)
    return seen.map(({ message }) => message as unknown as Message)
  }
  return scriptedServer(({ path, body }: Seen): Scripted => {
    if (path === '/v1/models') return { json: { data: [{ id: 'fake', owned_by: 'llamacpp' }] } }
    if (path === '/props') return { json: { chat_template: source, ...tokens, build_info: 'fake-1' } }
    const given = JSON.parse(body) as Record<string, unknown>
    if (path === '/tokenize') return { json: { tokens: (deviation.encode ?? characters)(String(given.content), given as never) } }
    if (path !== '/apply-template') return { status: 404, json: { error: { message: 'no such path' } } }
    try {
      const messages = (deviation.messages ?? ((same) => same))(converted(given.messages as Message[]))
      const { text } = renderChat(template, {
        messages: messages as unknown as PyValue[],
        tools: (given.tools ?? null) as PyValue[] | null,
        addGenerationPrompt: true,
        tokens,
        kwargs: deviation.ignoresSwitches ? {} : ((given.chat_template_kwargs ?? {}) as Record<string, PyValue>),
      })
      return { json: { prompt: (deviation.text ?? ((same) => same))(text) } }
    } catch (error) {
      return { status: 500, json: { error: { message: (error as Error).message } } }
    }
  })
}

import { importPeer } from '../../../packages/rolecall/src/node/find-peer.ts'
import { type Client, mostTokens, tool, townSchema } from './client.ts'

/** The parts of the AI SDK used here; `scripts/install-peers.sh` installs the packages. */
type Ask = Record<string, unknown>
type Call = { toolName: string; input: unknown }
type AiSdk = {
  generateText(ask: Ask): Promise<{ text: string; steps: { toolCalls: Call[] }[] }>
  streamText(ask: Ask): { text: Promise<string>; toolCalls: Promise<Call[]> }
  generateObject(ask: Ask): Promise<{ object: unknown }>
  tool(options: Ask): unknown
  jsonSchema(schema: object): unknown
  stepCountIs(steps: number): unknown
}
type Provider = { chat(model: string): unknown; responses(model: string): unknown }

function aiSdk(
  name: string,
  how: string,
  maker: string,
  modelOf: (provider: Provider & ((model: string) => unknown), name: string) => unknown,
): Client {
  const folder = maker === 'createOpenAI' ? '@ai-sdk/openai' : '@ai-sdk/anthropic'
  return {
    name,
    needs: ['ai', folder],
    how,
    structured: '`generateObject`',
    async open(url, served) {
      const ai = (await importPeer('ai')) as AiSdk
      const makers = (await importPeer(folder)) as Record<string, (options: object) => Provider & ((model: string) => unknown)>
      const model = modelOf(makers[maker]!({ baseURL: `${url}/v1`, apiKey: 'none' }), served)
      const settings = { model, temperature: 0, maxOutputTokens: mostTokens, maxRetries: 0 }
      const { name: toolName, description, parameters } = tool
      const toolsWith = (more: object) => ({ [toolName]: ai.tool({ description, inputSchema: ai.jsonSchema(parameters), ...more }) })
      return {
        chat: async (prompt) => (await ai.generateText({ ...settings, prompt })).text,
        stream: (prompt) => ai.streamText({ ...settings, prompt }).text,
        async tool(prompt, result) {
          const tools = toolsWith({ execute: async () => JSON.parse(result) as unknown })
          const { text, steps } = await ai.generateText({ ...settings, prompt, tools, stopWhen: ai.stepCountIs(2) })
          const call = steps[0]!.toolCalls[0]!
          return { name: call.toolName, arguments: call.input, answer: text }
        },
        async streamedTool(prompt) {
          const [call] = await ai.streamText({ ...settings, prompt, tools: toolsWith({}) }).toolCalls
          return { name: call!.toolName, arguments: call!.input }
        },
        structured: async (prompt) => (await ai.generateObject({ ...settings, prompt, schema: ai.jsonSchema(townSchema) })).object,
        async see(text, image) {
          const content = [
            { type: 'text', text },
            { type: 'image', image, mediaType: 'image/png' },
          ]
          return (await ai.generateText({ ...settings, messages: [{ role: 'user', content }] })).text
        },
      }
    },
  }
}

export const aiSdkClients: readonly Client[] = [
  aiSdk('AI SDK (`ai` 6), chat', '`createOpenAI({ baseURL }).chat(…)`, with `/v1`', 'createOpenAI', (provider, name) =>
    provider.chat(name),
  ),
  aiSdk('AI SDK, Responses', '`createOpenAI({ baseURL }).responses(…)`, with `/v1`', 'createOpenAI', (provider, name) =>
    provider.responses(name),
  ),
  aiSdk('AI SDK, Anthropic', '`createAnthropic({ baseURL })`, with `/v1`', 'createAnthropic', (provider, name) => provider(name)),
]

import { importPeer } from '../../../packages/rolecall/src/node/find-peer.ts'
import { type Client, mostTokens, tool, townSchema } from './client.ts'

/** The parts of LangChain used here; `scripts/install-peers.sh` installs the packages. */
type Call = { id?: string; name: string; args: unknown }
type Said = { text: string; tool_calls?: Call[]; concat(other: Said): Said }
type Asked = { invoke(messages: unknown): Promise<Said>; stream(messages: unknown): Promise<AsyncIterable<Said>> }
type Chat = Asked & {
  bindTools(tools: readonly object[]): Asked
  withStructuredOutput(schema: object, options?: object): { invoke(question: string): Promise<unknown> }
}
type Maker = new (options: object) => Chat

function langChain(
  name: string,
  how: string,
  made: { from: string; by: string; structured: string; settings: (url: string) => object; method?: string },
): Client {
  return {
    name,
    needs: ['@langchain/core/messages', made.from],
    how,
    structured: made.structured,
    async open(url, model) {
      const { HumanMessage, ToolMessage } = (await importPeer('@langchain/core/messages')) as Record<
        string,
        new (
          given: unknown,
        ) => unknown
      >
      const Chat = ((await importPeer(made.from)) as Record<string, Maker>)[made.by]!
      const chat = new Chat({ model, temperature: 0, maxTokens: mostTokens, apiKey: 'none', maxRetries: 0, ...made.settings(url) })
      const withTools = chat.bindTools([{ type: 'function', function: tool }])
      const human = (question: string) => new HumanMessage!(question)
      const gathered = async (asked: Asked, question: string) => {
        let whole: Said | undefined
        for await (const part of await asked.stream([human(question)])) whole = whole === undefined ? part : whole.concat(part)
        return whole!
      }
      return {
        chat: async (question) => (await chat.invoke([human(question)])).text,
        stream: async (question) => (await gathered(chat, question)).text,
        async tool(question, result) {
          const said = await withTools.invoke([human(question)])
          const call = said.tool_calls![0]!
          const toolResult = new ToolMessage!({ content: result, tool_call_id: call.id, name: call.name })
          const after = await withTools.invoke([human(question), said, toolResult])
          return { name: call.name, arguments: call.args, answer: after.text }
        },
        async streamedTool(question) {
          const call = (await gathered(withTools, question)).tool_calls![0]!
          return { name: call.name, arguments: call.args }
        },
        structured: (question) =>
          chat
            .withStructuredOutput({ title: 'town', ...townSchema }, { name: 'town', ...(made.method && { method: made.method }) })
            .invoke(question),
        async see(text, png) {
          const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
          return (await chat.invoke([new HumanMessage!({ content: [{ type: 'text', text }, image] })])).text
        },
      }
    },
  }
}

export const langChainClients: readonly Client[] = [
  langChain('LangChain, `ChatOpenAI`', '`configuration: { baseURL }`, with `/v1`', {
    from: '@langchain/openai',
    by: 'ChatOpenAI',
    structured: '`withStructuredOutput`',
    settings: (url) => ({ configuration: { baseURL: `${url}/v1` } }),
    method: 'jsonSchema',
  }),
  langChain('LangChain, `useResponsesApi`', 'the same', {
    from: '@langchain/openai',
    by: 'ChatOpenAI',
    structured: '`withStructuredOutput`',
    settings: (url) => ({ configuration: { baseURL: `${url}/v1` }, useResponsesApi: true }),
    method: 'jsonSchema',
  }),
  langChain('LangChain, `ChatAnthropic`', '`anthropicApiUrl`, without `/v1`', {
    from: '@langchain/anthropic',
    by: 'ChatAnthropic',
    structured: '`withStructuredOutput` by a tool',
    settings: (url) => ({ anthropicApiUrl: url }),
    method: 'functionCalling',
  }),
]

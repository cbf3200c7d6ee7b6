import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { weatherTool } from '../weather-tool.ts'
import { type Client, mostTokens, tool, townSchema } from './client.ts'

const json = (text: string): unknown => JSON.parse(text)
const format = { name: 'town', schema: townSchema as unknown as Record<string, unknown>, strict: true }

const openaiChat: Client = {
  name: '`openai`, chat completions',
  needs: [],
  how: "`baseURL: 'http://127.0.0.1:8017/v1'`",
  structured: '`response_format`',
  async open(url, model) {
    const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }).chat
    const settings = { model, temperature: 0, max_tokens: mostTokens }
    const user = (content: string) => ({ role: 'user' as const, content })
    const tools = [weatherTool]
    return {
      chat: async (question) => (await completions.create({ ...settings, messages: [user(question)] })).choices[0]!.message.content ?? '',
      async stream(question) {
        let text = ''
        const stream = await completions.create({ ...settings, messages: [user(question)], stream: true })
        for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
        return text
      },
      async tool(question, result) {
        const { message } = (await completions.create({ ...settings, messages: [user(question)], tools })).choices[0]!
        const call = message.tool_calls![0] as OpenAI.ChatCompletionMessageFunctionToolCall
        const toolResult = { role: 'tool' as const, tool_call_id: call.id, content: result }
        const after = await completions.create({ ...settings, messages: [user(question), message, toolResult], tools })
        return { name: call.function.name, arguments: json(call.function.arguments), answer: after.choices[0]!.message.content ?? '' }
      },
      async streamedTool(question) {
        const call = { name: '', arguments: '' }
        const stream = await completions.create({ ...settings, messages: [user(question)], tools, stream: true })
        for await (const { choices } of stream) {
          const part = choices[0]?.delta.tool_calls?.[0]?.function
          call.name += part?.name ?? ''
          call.arguments += part?.arguments ?? ''
        }
        return { name: call.name, arguments: json(call.arguments) }
      },
      async structured(question) {
        const response_format = { type: 'json_schema' as const, json_schema: format }
        const { choices } = await completions.create({ ...settings, messages: [user(question)], response_format })
        return json(choices[0]!.message.content!)
      },
      async see(text, png) {
        const image_url = { url: `data:image/png;base64,${png}` }
        const content = [
          { type: 'text' as const, text },
          { type: 'image_url' as const, image_url },
        ]
        return (await completions.create({ ...settings, messages: [{ role: 'user', content }] })).choices[0]!.message.content ?? ''
      },
    }
  },
}

const openaiResponses: Client = {
  name: '`openai`, the Responses API',
  needs: [],
  how: 'the same',
  structured: '`text.format`',
  async open(url, model) {
    const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
    const settings = { model, temperature: 0, max_output_tokens: mostTokens }
    const tools = [{ type: 'function' as const, ...tool, strict: false }]
    const callIn = (output: readonly OpenAI.Responses.ResponseOutputItem[]) => output.find((item) => item.type === 'function_call')!
    return {
      chat: async (input) => (await responses.create({ ...settings, input })).output_text,
      async stream(input) {
        let text = ''
        for await (const event of await responses.create({ ...settings, input, stream: true }))
          if (event.type === 'response.output_text.delta') text += event.delta
        return text
      },
      async tool(input, result) {
        const { id, output } = await responses.create({ ...settings, input, tools })
        const call = callIn(output)
        const toolResult = { type: 'function_call_output' as const, call_id: call.call_id, output: result }
        const after = await responses.create({ ...settings, previous_response_id: id, input: [toolResult], tools })
        return { name: call.name, arguments: json(call.arguments), answer: after.output_text }
      },
      async streamedTool(input) {
        let text = ''
        let name = ''
        for await (const event of await responses.create({ ...settings, input, tools, stream: true })) {
          if (event.type === 'response.output_item.added' && event.item.type === 'function_call') name = event.item.name
          if (event.type === 'response.function_call_arguments.delta') text += event.delta
        }
        return { name, arguments: json(text) }
      },
      async structured(input) {
        const text = { format: { type: 'json_schema' as const, ...format } }
        return json((await responses.create({ ...settings, input, text })).output_text)
      },
      async see(text, png) {
        const image = { type: 'input_image' as const, image_url: `data:image/png;base64,${png}`, detail: 'auto' as const }
        const content = [{ type: 'input_text' as const, text }, image]
        return (await responses.create({ ...settings, input: [{ role: 'user', content }] })).output_text
      },
    }
  },
}

const anthropic: Client = {
  name: '`@anthropic-ai/sdk`',
  needs: [],
  how: "`baseURL: 'http://127.0.0.1:8017'`",
  structured: 'a tool that has to be called',
  async open(url, model) {
    const { messages } = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })
    const settings = { model, temperature: 0, max_tokens: mostTokens }
    const user = (content: string) => ({ role: 'user' as const, content })
    const tools = [{ name: tool.name, description: tool.description, input_schema: tool.parameters as Anthropic.Tool.InputSchema }]
    const textIn = ({ content }: Anthropic.Message) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
    const callIn = ({ content }: Anthropic.Message) => content.find((block) => block.type === 'tool_use')!
    return {
      chat: async (question) => textIn(await messages.create({ ...settings, messages: [user(question)] })),
      stream: (question) => messages.stream({ ...settings, messages: [user(question)] }).finalText(),
      async tool(question, result) {
        const message = await messages.create({ ...settings, messages: [user(question)], tools })
        const { id, name, input } = callIn(message)
        const toolResult = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: id, content: result }] }
        const said = { role: 'assistant' as const, content: message.content }
        const after = await messages.create({ ...settings, messages: [user(question), said, toolResult], tools })
        return { name, arguments: input, answer: textIn(after) }
      },
      async streamedTool(question) {
        const { name, input } = callIn(await messages.stream({ ...settings, messages: [user(question)], tools }).finalMessage())
        return { name, arguments: input }
      },
      async structured(question) {
        const town = { name: 'town', input_schema: townSchema as unknown as Anthropic.Tool.InputSchema }
        const tool_choice = { type: 'tool' as const, name: 'town' }
        return callIn(await messages.create({ ...settings, messages: [user(question)], tools: [town], tool_choice })).input
      },
      async see(text, data) {
        const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data } }
        return textIn(await messages.create({ ...settings, messages: [{ role: 'user', content: [{ type: 'text', text }, image] }] }))
      },
    }
  },
}

export const officialClients: readonly Client[] = [openaiChat, openaiResponses, anthropic]

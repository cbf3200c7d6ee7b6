import { type ChatMessage, defineModel, type Model, type ModelPrompt, parseReply, renderPrompt } from '@rolecall/core'
import { isFormatName } from '@rolecall/core/internal/format'
import { z } from 'zod'
import { loadModel } from '../../node/models/load-model.ts'
import { type McpTool, mcpTool } from './agent-tool-of-cli.ts'
import { placeBelow } from './place-below.ts'

const model = z
  .string()
  .describe(
    'How the model writes chats: the name of a built-in format (chatml, internlm2, vicuna_v1.1, …), or a chat template, a model folder or a GGUF file below the working folder.',
  )
const tools = z.array(z.looseObject({})).optional().describe('The tools that the model may call, bare or in OpenAI’s shape.')
const chat = {
  model,
  messages: z.array(z.looseObject({ role: z.string() })).describe('Messages in OpenAI’s shape.'),
  tools,
  variables: z.record(z.string(), z.unknown()).optional().describe('Variables of the chat template, such as { "enable_thinking": false }.'),
  prefill: z.string().optional().describe('The start of the model’s answer.'),
}

/** The tools that render and read. */
export const promptTools: readonly McpTool[] = [
  mcpTool({
    name: 'render',
    description:
      'The exact prompt that a model is sent for some messages: its text, who wrote each stretch, its stops, and notes on what was changed or lost.',
    input: z.strictObject(chat),
    call: async (given, { folder }) => {
      const prompt = await promptOf(given, folder)
      const pieces = prompt.pieces.map((piece) => ({
        ...('text' in piece
          ? { text: piece.text, control: piece.control }
          : 'ids' in piece
            ? { ids: piece.ids }
            : { media: piece.media.kind }),
        by: `${piece.source.by} ${piece.source.path}`,
      }))
      return { text: prompt.text, stop: prompt.stop, notes: prompt.notes, pieces }
    },
  }),
  mcpTool({
    name: 'tokens',
    description: 'The token ids of the exact prompt for some messages; the model needs a tokenizer: a model folder or a GGUF file.',
    input: z.strictObject(chat),
    call: async (given, { folder }) => {
      const loaded = await modelAt(given.model, folder)
      const ids = (await promptOf(given, folder)).ids()
      return { count: ids.length, ids, tokens: ids.map((id) => loaded.tokenizer?.tokenOf(id)) }
    },
  }),
  mcpTool({
    name: 'parse',
    description: 'What a model’s raw reply says: text, reasoning, tool calls with their arguments, malformed calls, problems.',
    input: z.strictObject({ model, reply: z.string().describe('The raw reply.'), tools }),
    call: async ({ model: place, reply, tools: offered }, { folder }) =>
      parseReply(await modelAt(place, folder), reply, { tools: offered }),
  }),
]

async function promptOf(
  {
    model: place,
    messages,
    tools: offered,
    variables,
    prefill,
  }: { model: string; messages: readonly object[]; tools?: readonly object[]; variables?: Record<string, unknown>; prefill?: string },
  folder: string,
): Promise<ModelPrompt> {
  return renderPrompt(await modelAt(place, folder), messages as readonly ChatMessage[], { tools: offered, variables, prefill })
}

/** Names of hubs are no places here: nothing is downloaded. */
async function modelAt(place: string, folder: string): Promise<Model> {
  if (isFormatName(place)) return defineModel(place)
  return loadModel(placeBelow(place, folder, 'model'), { folder })
}

import { z } from 'zod'
import { chatFields } from '../chat/chat-request.ts'
import { tokenIds } from '../token-ids.ts'

/** The body of POST /tokenize: a text in llama.cpp's shape (`content`), or a prompt or a chat in vLLM's. */
export const tokenizeRequest = z
  .looseObject({
    model: chatFields.model,
    content: z.string().optional().describe("llama.cpp's: a text. The answer is `{ tokens }`."),
    add_special: z.boolean().nullish().describe("llama.cpp's: whether to add BOS; false by default."),
    parse_special: z.boolean().nullish().describe("llama.cpp's: whether to recognise special tokens; true by default."),
    with_pieces: z.boolean().nullish().describe("llama.cpp's: return tokens with their text, or their bytes if these are not valid text."),
    prompt: z.string().optional().describe("vLLM's: a text. The answer is `{ count, max_model_len, tokens }`."),
    messages: z.unknown().optional().describe("vLLM's: a chat, with the fields that determine its prompt."),
    add_special_tokens: z
      .boolean()
      .nullish()
      .describe("vLLM's: whether to add BOS to a prompt; true by default. Chats always follow their format."),
    return_token_strs: z.boolean().nullish().describe("vLLM's: also return `token_strs`."),
  })
  .refine(
    ({ content, prompt, messages }) => [content, prompt, messages].filter((one) => one !== undefined).length === 1,
    'send exactly one of content, prompt and messages',
  )

/** The chat of POST /tokenize and POST /apply-template. */
export const templateRequest = z.looseObject({
  ...chatFields,
  add_generation_prompt: z.boolean().nullish().describe('Whether to end the prompt with the beginning of a reply; true by default.'),
})

/** The body of POST /detokenize. */
export const detokenizeRequest = z.looseObject({ model: chatFields.model, tokens: tokenIds })

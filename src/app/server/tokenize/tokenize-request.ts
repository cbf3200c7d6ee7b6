import { z } from 'zod'
import { chatFields } from '../chat/chat-request.ts'

const id = z.int().nonnegative()

/** The body of POST /tokenize: a text as llama.cpp's server takes it (`content`), or a prompt or a chat as vLLM's does. */
export const tokenizeRequest = z
  .looseObject({
    model: chatFields.model,
    content: z.string().optional().describe("llama.cpp's: a text. The answer is `{ tokens }`."),
    add_special: z.boolean().nullish().describe("llama.cpp's: whether BOS is put before it; false by default."),
    parse_special: z.boolean().nullish().describe("llama.cpp's: whether special tokens in it count as such; true by default."),
    with_pieces: z.boolean().nullish().describe("llama.cpp's: tokens come with their text, or their bytes where these are not text."),
    prompt: z.string().optional().describe("vLLM's: a text. The answer is `{ count, max_model_len, tokens }`."),
    messages: z.unknown().optional().describe("vLLM's: a chat, with the fields that decide its prompt."),
    add_special_tokens: z
      .boolean()
      .nullish()
      .describe("vLLM's: whether BOS is put before a prompt; true by default. A chat has what its format writes."),
    return_token_strs: z.boolean().nullish().describe("vLLM's: `token_strs` besides."),
  })
  .refine(
    ({ content, prompt, messages }) => [content, prompt, messages].filter((one) => one !== undefined).length === 1,
    'give one of content, prompt and messages',
  )

/** The chat of POST /tokenize and POST /apply-template. */
export const templateRequest = z.looseObject({
  ...chatFields,
  add_generation_prompt: z.boolean().nullish().describe('Whether the model is to speak next; true by default.'),
})

/** The body of POST /detokenize. */
export const detokenizeRequest = z.looseObject({ model: chatFields.model, tokens: z.array(id) })

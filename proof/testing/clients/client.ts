import { weatherTool } from '../weather-tool.ts'

/** A tool call as a client returns it. */
export type ClientCall = { name: string; arguments: unknown }

/** Typical uses of a server through one client, tested against each kind of model. */
export type ClientDriver = {
  chat(question: string): Promise<string>
  stream(question: string): Promise<string>
  /** The model's call, and its reply to the result. */
  tool(question: string, result: string): Promise<ClientCall & { answer: string }>
  streamedTool(question: string): Promise<ClientCall>
  /** An answer that conforms to `townSchema`. */
  structured(question: string): Promise<unknown>
  /** The answer to a question with an image, which is PNG in base64. */
  see(question: string, png: string): Promise<string>
}

/** A client, and the packages it needs in addition to those of this repository. */
export type Client = {
  name: string
  needs: readonly string[]
  /** The code that creates it. */
  how: string
  /** The server's `url`, without `/v1`. */
  open(url: string, model: string): Promise<ClientDriver>
  /** The client's name for `structured`. */
  structured: string
}

export const tool = weatherTool.function

export const townSchema = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 12 }, kind: { type: 'string', enum: ['town', 'country'] } },
  required: ['city', 'kind'],
  additionalProperties: false,
} as const

export const mostTokens = 80

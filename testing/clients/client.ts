import { weatherTool } from '../weather-tool.ts'

/** A tool's call as a client hands it on. */
export type ClientCall = { name: string; arguments: unknown }

/** What programs do with a server, by one client: each is tried against each kind of model. */
export type ClientDriver = {
  chat(question: string): Promise<string>
  stream(question: string): Promise<string>
  /** The model's call, and what it says once it has the result. */
  tool(question: string, result: string): Promise<ClientCall & { answer: string }>
  streamedTool(question: string): Promise<ClientCall>
  /** An answer that is a value of `townSchema`. */
  structured(question: string): Promise<unknown>
}

/** A client, and the packages that it needs besides those of this repository. */
export type Client = {
  name: string
  needs: readonly string[]
  /** How a program makes it. */
  how: string
  /** `url`: of the server, without `/v1`. */
  open(url: string, model: string): Promise<ClientDriver>
  /** What `structured` is in it. */
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

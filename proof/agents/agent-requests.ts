import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A word of a request: what kind of text holds it, and where it belongs in the prompt. */
export type ExpectedWord = {
  word: string
  kind: string
  /** -1: a text of a tool, 0: metadata, else the place in the conversation. */
  order_key: number
  may_be_dropped: boolean
  must_not_appear?: boolean
  group?: string
}

/** A request of an agent as recorded, and which of its words must come out. */
export type AgentRequest = {
  file: string
  api: 'chat' | 'messages' | 'responses'
  /** The body as text. */
  body: string
  words: readonly ExpectedWord[]
  needs: readonly string[]
  /** Part of the conversation lies on another server: it must be refused or reported. */
  isPartial: boolean
}

type ExpectedLine = { file: string; api: AgentRequest['api']; words: ExpectedWord[]; needs?: string[]; expect?: string }

/** Reads the requests in a folder with `requests/` and `expected.jsonl`. */
export function readAgentRequests(folder: string): AgentRequest[] {
  const lines = readFileSync(join(folder, 'expected.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { file, api, words, needs = [], expect } = JSON.parse(line) as ExpectedLine
    const { body } = JSON.parse(readFileSync(join(folder, 'requests', file), 'utf8')) as { body: object }
    return { file, api, body: JSON.stringify(body), words, needs, isPartial: expect !== undefined }
  })
}

/** A chat template with its special tokens. */
export type NamedTemplate = { name: string; template: string; tokens: Readonly<Record<string, string>> }

/** The `.jinja` files of a folder, with the tokens that most of them ask for. */
export function readTemplateFolder(folder: string): NamedTemplate[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jinja'))
    .map((file) => ({ name: file.slice(0, -'.jinja'.length), template: readFileSync(join(folder, file), 'utf8'), tokens: commonTokens }))
}

const commonTokens = { bos_token: '<s>', eos_token: '</s>', unk_token: '<unk>', pad_token: '</s>' }

/** The templates of the conformance vectors. */
export function readTemplateLines(file: string): NamedTemplate[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { id, template, tokens } = JSON.parse(line) as { id: string; template: string; tokens: Record<string, string> }
    return { name: id, template, tokens }
  })
}

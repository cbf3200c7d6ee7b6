import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDict, isList } from '@rolecall/core/internal/python'
import type { TokenizerFacts } from '../../workbench/lint/template-subject.ts'
import { readWholeText } from '../read-whole-file.ts'
import { readGgufMetadata } from './gguf/read-gguf.ts'
import type { LoadedChatTemplate } from './load-chat-template.ts'

/** Facts about the tokenizer from the files beside a chat template: whether it adds BOS, and which tokens end generation. */
export function tokenizerFacts(path: string, { templates, specialTokens }: LoadedChatTemplate): TokenizerFacts {
  const found = path.endsWith('.gguf')
    ? factsOfGguf(path)
    : factsOfFolder(statSync(path).isDirectory() ? path : dirname(path), specialTokens)
  return {
    ...(Object.keys(specialTokens).length === 0 ? {} : { tokens: specialTokens }),
    ...found,
    ...(templates.tool_use === undefined ? {} : { hasToolTemplate: true }),
  }
}

/** The `token_type` of control and user-defined tokens. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const wholeTypes: ReadonlySet<number> = new Set([3, 4])

function factsOfGguf(path: string): TokenizerFacts {
  const metadata = readGgufMetadata(path)
  const tokens = metadata.get('tokenizer.ggml.tokens')
  const adds = metadata.get('tokenizer.ggml.add_bos_token')
  const ends = ['eot', 'eom'].flatMap((name) => {
    const id = metadata.get(`tokenizer.ggml.${name}_token_id`)
    const token: unknown = Array.isArray(tokens) && id !== undefined ? tokens[Number(id)] : undefined
    return typeof token === 'string' ? [token] : []
  })
  const types = metadata.get('tokenizer.ggml.token_type')
  const specials =
    Array.isArray(tokens) && Array.isArray(types)
      ? tokens.filter((token, index): token is string => typeof token === 'string' && wholeTypes.has(Number(types[index])))
      : []
  return {
    ...(typeof adds === 'boolean' ? { addsBos: adds } : {}),
    ...(ends.length > 0 ? { stops: ends } : {}),
    ...(specials.length > 0 ? { specials } : {}),
  }
}

function factsOfFolder(folder: string, tokens: Readonly<Record<string, string>>): TokenizerFacts {
  const [config, tokenizer, generation] = ['tokenizer_config.json', 'tokenizer.json', 'generation_config.json'].map((name) =>
    readIfThere(join(folder, name)),
  )
  const adds = addsBos(config, tokenizer, tokens.bos_token)
  const ids = [generation?.eos_token_id].flat().filter((id) => typeof id === 'number')
  const stops = ids.flatMap((id) => tokenOf(id, config, tokenizer) ?? [])
  const specials = addedTokens(config, tokenizer)
  return {
    ...(adds === undefined ? {} : { addsBos: adds }),
    ...(stops.length > 0 ? { stops } : {}),
    ...(specials.length > 0 ? { specials } : {}),
  }
}

/** Added tokens, which are matched as a whole; tokenizer.json lists all of them. */
function addedTokens(config: Json | undefined, tokenizer: Json | undefined): string[] {
  const decoder = Object.values((config?.added_tokens_decoder ?? {}) as object) as { content?: unknown }[]
  const listed = isList(tokenizer?.added_tokens as never) ? (tokenizer!.added_tokens as { content?: unknown }[]) : []
  return [...new Set([...listed, ...decoder].flatMap(({ content }) => (typeof content === 'string' ? [content] : [])))]
}

type Json = Readonly<Record<string, unknown>>

/** The post-processor in tokenizer.json decides; `add_bos_token` counts only without one. */
function addsBos(config: Json | undefined, tokenizer: Json | undefined, bos: string | undefined): boolean | undefined {
  if (bos === undefined) return undefined
  const rules = tokenizer?.post_processor
  if (tokenizer !== undefined && (rules === undefined || rules === null)) return false
  if (isDict(rules as never)) return startsWith(rules as Json, bos)
  return typeof config?.add_bos_token === 'boolean' ? config.add_bos_token : undefined
}

/** Whether a post-processor, or one nested in it, prepends a token to a single text. */
function startsWith(rules: Json, token: string): boolean {
  const inner = rules.processors
  if (Array.isArray(inner)) return inner.some((one) => startsWith(one as Json, token))
  const first: unknown = Array.isArray(rules.single) ? rules.single[0] : undefined
  const special = isDict(first as never) ? (first as { SpecialToken?: { id?: unknown } }).SpecialToken : undefined
  return special?.id === token
}

function tokenOf(id: number, config: Json | undefined, tokenizer: Json | undefined): string | undefined {
  const decoder = config?.added_tokens_decoder as Readonly<Record<string, { content?: unknown }>> | undefined
  const added = tokenizer?.added_tokens
  const listed = isList(added as never) ? (added as { id?: unknown; content?: unknown }[]).find((one) => one.id === id) : undefined
  const content = decoder?.[String(id)]?.content ?? listed?.content
  return typeof content === 'string' ? content : undefined
}

/** Missing files and invalid JSON are ignored here; the code that needs the file reports them. */
function readIfThere(path: string): Json | undefined {
  if (!existsSync(path)) return undefined
  try {
    const json: unknown = JSON.parse(readWholeText(path))
    return typeof json === 'object' && json !== null ? (json as Json) : undefined
  } catch {
    return undefined
  }
}

import type { ModelSettings, TokenizerSource } from '../engine/contract.ts'

/** A model that was found in files: its format, its tokenizer, or both. */
export type FoundModel = { name: string; settings?: ModelSettings; tokenizer?: TokenizerSource }

/** Templates and configs are small; a tokenizer.json has up to tens of megabytes. */
const mostTextBytes = 128_000_000

/**
 * Reads dropped files as one model: tokenizer_config.json, chat_template.jinja, tokenizer.json, tokenizer.model, a GGUF file, mlc-chat-config.json,
 * a Modelfile, or a meta template in JSON or YAML. Files that are none of these are listed.
 */
export async function readFiles(files: readonly File[]): Promise<{ model: FoundModel; unknown: readonly string[] }> {
  const unknown: string[] = []
  let model: FoundModel = { name: '' }
  let config: string | undefined
  let vocabulary: { name: string; text: string } | undefined
  for (const file of files) {
    const read = await readFile(file)
    if (read === undefined) unknown.push(file.name)
    else if ('vocabulary' in read) vocabulary = { name: file.name, text: read.vocabulary }
    else {
      if (read.config !== undefined) config = read.config
      const { config: _, ...found } = read
      model = {
        ...model,
        ...found,
        ...(found.settings ? { settings: { ...model.settings, ...found.settings } } : {}),
        name: model.name || file.name,
      }
    }
  }
  if (vocabulary) {
    const tokenizer: TokenizerSource = {
      kind: 'huggingface',
      name: `${vocabulary.name} ${vocabulary.text.length}`,
      tokenizer: vocabulary.text,
      config,
    }
    model = { ...model, name: model.name || vocabulary.name, tokenizer }
  }
  return { model, unknown }
}

type Read = { settings?: ModelSettings; tokenizer?: TokenizerSource; config?: string } | { vocabulary: string }

async function readFile(file: File): Promise<Read | undefined> {
  const name = file.name.toLowerCase()
  if (name.endsWith('.gguf')) return readGguf(file)
  if (file.size > mostTextBytes) return undefined
  if (name.endsWith('.model')) {
    return { tokenizer: { kind: 'sentencepiece', name: `${file.name} ${file.size}`, bytes: new Uint8Array(await file.arrayBuffer()) } }
  }
  const text = await file.text()
  if (name.endsWith('.jinja') || name.endsWith('.jinja2')) return { settings: { chat_template: text } }
  if (name.includes('modelfile') || /\.(gotmpl|tmpl)$/.test(name)) return { settings: { ollama_template: text } }
  return /\.json$/.test(name) || text.trimStart().startsWith('{') ? readJson(text) : readYaml(text)
}

function readJson(text: string): Read | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return readYaml(text)
  }
  if (!isObject(value)) return undefined
  if (isObject(value.model) && 'vocab' in value.model) return { vocabulary: text }
  const template = templateOf(value.chat_template)
  if (template !== undefined || 'tokenizer_class' in value || 'added_tokens_decoder' in value) {
    const settings = { ...(template === undefined ? {} : { chat_template: template }), special_tokens: tokensOf(value) }
    return { config: text, settings }
  }
  if (value.conv_template !== undefined || value.conv_config !== undefined) return { settings: { mlc_config: value } }
  return readYaml(text)
}

/** A meta template, an MLC conversation, or a model of a config. */
function readYaml(text: string): Read | undefined {
  if (
    !/^\s*["']?(round|meta_template|reserved_roles|format|conv_template|conv_config|seps|role_templates|chat_template)["']?\s*:/m.test(text)
  ) {
    return /\{%|\{\{/.test(text) ? { settings: { chat_template: text } } : undefined
  }
  const isBare = /^\s*["']?(round|reserved_roles)["']?\s*:/m.test(text) && !/^\s*["']?meta_template["']?\s*:/m.test(text)
  return { settings: { config: isBare ? `meta_template:\n${text.replace(/^/gm, '  ')}` : text } }
}

/** A list of named templates has one that is the default. */
function templateOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const named = value.find((one) => isObject(one) && one.name === 'default') ?? value[0]
  return isObject(named) && typeof named.template === 'string' ? named.template : undefined
}

/** `bos_token` etc. of a tokenizer_config.json: a text, or an added token with its content. */
export function tokensOf(config: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, token]) => {
      if (!/^\w+_token$/.test(key)) return []
      if (typeof token === 'string') return [[key, token]]
      return isObject(token) && typeof token.content === 'string' ? [[key, token.content]] : []
    }),
  )
}

/** Only the start of a GGUF file is read: its weights have gigabytes. */
async function readGguf(file: File): Promise<Read | undefined> {
  const [{ mostGgufBytes, parseGguf }, { numberOf, stringsOf, textOf }] = await Promise.all([
    import('rolecall/internal/model/gguf/parse-gguf'),
    import('rolecall/internal/model/gguf/gguf-metadata'),
  ])
  for (let size = 1 << 20; size <= mostGgufBytes; size *= 4) {
    const metadata = parseGguf(new Uint8Array(await file.slice(0, size).arrayBuffer()), file.name)
    if (metadata === undefined) {
      if (size >= file.size) return undefined
      continue
    }
    const tokens = stringsOf(metadata, 'tokenizer.ggml.tokens')
    const special = (['bos', 'eos'] as const).flatMap((kind) => {
      const token = tokens?.[numberOf(metadata, `tokenizer.ggml.${kind}_token_id`) ?? -1]
      return token === undefined ? [] : [[`${kind}_token`, token]]
    })
    const template = textOf(metadata, 'tokenizer.chat_template')
    const kept = [...metadata].filter(([key]) => key.startsWith('tokenizer.ggml.'))
    return {
      ...(template === undefined ? {} : { settings: { chat_template: template, special_tokens: Object.fromEntries(special) } }),
      ...(tokens === undefined ? {} : { tokenizer: { kind: 'gguf', name: `${file.name} ${file.size}`, metadata: kept } }),
    }
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

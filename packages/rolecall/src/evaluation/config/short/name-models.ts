import { check, PromptError, suggestName } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../config-schema.ts'
import { modelSchema } from '../model-schema.ts'
import type { ModelUse } from './short-schema.ts'

/** A provider before `:` or `/` in the short name of a model. */
type Provider = { base_url?: string; key_env?: string }

/** OpenAI-compatible servers by the names that promptfoo and Inspect use; `openai` is where OPENAI_BASE_URL says. */
export const providers: Readonly<Record<string, Provider>> = {
  openai: {},
  ollama: { base_url: 'http://127.0.0.1:11434/v1' },
  vllm: { base_url: 'http://127.0.0.1:8000/v1' },
  sglang: { base_url: 'http://127.0.0.1:30000/v1' },
  'llama-cpp': { base_url: 'http://127.0.0.1:8080/v1' },
  lmstudio: { base_url: 'http://127.0.0.1:1234/v1' },
  openrouter: { base_url: 'https://openrouter.ai/api/v1', key_env: 'OPENROUTER_API_KEY' },
  groq: { base_url: 'https://api.groq.com/openai/v1', key_env: 'GROQ_API_KEY' },
  together: { base_url: 'https://api.together.xyz/v1', key_env: 'TOGETHER_API_KEY' },
  deepseek: { base_url: 'https://api.deepseek.com/v1', key_env: 'DEEPSEEK_API_KEY' },
  mistral: { base_url: 'https://api.mistral.ai/v1', key_env: 'MISTRAL_API_KEY' },
}

/**
 * A model by its short name.
 *
 * @example
 * modelNamed('openai/gpt-4o-mini', 'models[0]') // => { abbr: 'gpt-4o-mini', type: 'openai', path: 'gpt-4o-mini', format: 'messages' }
 * modelNamed('Qwen/Qwen3-8B', 'models[0]').chat_template // => 'Qwen/Qwen3-8B'
 */
export function modelNamed(name: string, where: string): ModelConfig {
  if (name === 'embedded') return { abbr: 'embedded', type: 'embedded', format: 'internlm2' }
  const [, before = '', separator, rest = ''] = /^([a-z][\w-]*)([:/])(.+)$/s.exec(name) ?? []
  if (before === 'gguf' && separator === ':') return { abbr: baseName(rest), type: 'gguf', path: rest }
  if ((before === 'hf' || before === 'ms') && separator !== undefined)
    return onHub(separator === ':' ? name : rest, rest.replace(/^\/+/, ''), where)
  if (Object.hasOwn(providers, before)) return served(withoutEndpoint(rest), providers[before]!)
  if (/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.@:/-]*$/.test(name)) return onHub(name, name, where)
  const known = ['embedded', 'gguf', ...Object.keys(providers)]
  throw new PromptError('unknown-model', {
    where,
    problem: `"${name}" is not a model`,
    fix: `${separator === ':' || before !== '' ? `${suggestName(before || name, known)} ` : ''}Write e.g. openai:gpt-4o-mini, ollama:qwen3, openai:NAME@URL, gguf:FILE, ORG/NAME or embedded`,
  })
}

/** promptfoo also names the API: `openai:chat:gpt-4o`. */
function withoutEndpoint(name: string): string {
  return name.replace(/^(?:chat:|completion:)/, '')
}

function served(given: string, provider: Provider): ModelConfig {
  const [, name = given, url] = /^(.+)@(https?:\/\/.+)$/s.exec(given) ?? []
  const address = url === undefined ? provider : { ...provider, base_url: url }
  return { abbr: name, type: 'openai', path: name, ...address, format: 'messages' }
}

/** A repository on a hub: a GGUF file runs here; other weights run on a server, with the template of the repository. */
function onHub(path: string, name: string, where: string): ModelConfig {
  const [, repository = path, url] = /^(.+?)@(https?:\/\/.+)$/s.exec(path) ?? []
  const abbr = baseName(/^(.+?)@https?:/.exec(name)?.[1] ?? name)
  if (/gguf/i.test(repository)) {
    if (url === undefined) return { abbr, type: 'gguf', path: repository }
    throw new PromptError('unknown-model', {
      where,
      problem: 'a GGUF file runs here, not on a server',
      fix: 'leave out the address, or write openai:NAME@URL',
    })
  }
  const files = { path: repository.replace(/^(?:hf|ms):(?:\/\/)?/, ''), chat_template: repository, tokenizer_path: repository }
  return url === undefined ? { abbr, ...files } : { abbr, type: 'openai', ...files, base_url: url }
}

function baseName(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.gguf$/, '')
}

/** A model as the short form writes it; `name` is the user's own. */
export function modelOf(use: ModelUse, where: string, name?: string): ModelConfig {
  const own = name === undefined ? {} : { abbr: name }
  if (typeof use === 'string') return { ...modelNamed(use, where), ...own }
  if (typeof use.model !== 'string') return { ...(check(modelSchema, use, where) as ModelConfig), ...own }
  const { model, name: called, max_tokens: most, ...settings } = use as { model: string; name?: string; max_tokens?: number } & ModelConfig
  return {
    ...modelNamed(model, where),
    ...(called === undefined ? {} : { abbr: called }),
    ...own,
    ...(most === undefined ? {} : { max_out_len: most }),
    ...settings,
  }
}

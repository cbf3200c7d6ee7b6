import { isServerType, writesChatTemplate } from '@rolecall/core/internal/format'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { modelClassOf } from './model-classes.ts'

/** The server of a model, and the server's name for it if that differs from its `path`. */
export type Served = { url: string; name?: string }

/** Settings that tell another program where a model is: the given server replaces them. */
const addresses = ['openai_api_base', 'base_url', 'host_ip', 'host_port', 'enable_ssl', 'url']

/**
 * Runs a model of any type on an OpenAI-compatible server that the user started. Its format stays: if Rolecall renders text, it sends
 * the text; a chat model whose template is unavailable gets messages, which the server renders.
 *
 * @example
 * onServer({ abbr: 'm', type: 'VLLM', path: 'org/m' }, { url: 'http://127.0.0.1:8000/v1' })
 * // => { abbr: 'm', path: 'org/m', type: 'openai', endpoint: 'completions', base_url: 'http://127.0.0.1:8000/v1' }
 */
export function onServer(model: Readonly<Record<string, unknown>>, { url, name }: Served): Record<string, unknown> {
  const { type, ...rest } = Object.fromEntries(Object.entries(model).filter(([key]) => !addresses.includes(key)))
  const given = typeof type === 'string' ? type : undefined
  const served = name === undefined ? {} : { path: name }
  if (isServerType(modelTypeOf({ type: given })?.name)) return { ...rest, type, ...served, base_url: url }
  // Without the chat template of such a class, its server writes the turns.
  const turns =
    writesChatTemplate(given) && rest.meta_template === undefined && rest.chat_template === undefined ? { format: 'messages' } : {}
  return { ...rest, ...served, type: 'openai', ...(isText(given, rest) ? { endpoint: 'completions' } : turns), base_url: url }
}

/** Whether the class completes a text; a model whose messages have roles takes messages whatever its class. */
function isText(type: string | undefined, { meta_template: meta, endpoint }: Readonly<Record<string, unknown>>): boolean {
  if (endpoint !== undefined || writesChatTemplate(type)) return false
  if (JSON.stringify(meta ?? {}).includes('"api_role"')) return false
  return modelClassOf(type)?.writes === 'meta-template' || meta !== undefined
}

import { fieldsOf } from './imported-entry.ts'

/** How to start a server for a model of a local class: the words of the command, and the address it then has. */
export type LocalModelServer = { command: string[]; url: string }

type Settings = Readonly<Record<string, unknown>>

/**
 * The command that serves the model of an OpenCompass class as its config loads it, with the settings that the server shares.
 * Undefined for other classes and for models that have a server.
 *
 * @example localModelServer({ type: 'VLLM', path: 'org/m', model_kwargs: { tensor_parallel_size: 2 } })?.command.join(' ')
 * // => 'vllm serve org/m --tensor-parallel-size 2'
 */
export function localModelServer({ type, path, base_url: address, ...model }: Settings): LocalModelServer | undefined {
  if (typeof type !== 'string' || typeof path !== 'string' || path === '' || address !== undefined) return undefined
  if (/^(?:TurboMind(?:Tis)?Model|LmdeployPytorchModel)/.test(type))
    return { command: ['lmdeploy', 'serve', 'api_server', path, ...lmdeployFlags(type, model)], url: 'http://127.0.0.1:23333/v1' }
  if (/^(?:HuggingFace|VLLM(?:withChatTemplate)?$)/.test(type))
    return { command: ['vllm', 'serve', path, ...vllmFlags(type, path, model)], url: 'http://127.0.0.1:8000/v1' }
  return undefined
}

function vllmFlags(type: string, path: string, model: Settings): string[] {
  const [given, tokenizer, gpus] = [fieldsOf(model.model_kwargs), fieldsOf(model.tokenizer_kwargs), fieldsOf(model.run_cfg).num_gpus]
  const isVllm = type.startsWith('VLLM')
  return [
    ...flag('--tokenizer', model.tokenizer_path === path ? undefined : model.tokenizer_path),
    ...flag('--tensor-parallel-size', given.tensor_parallel_size ?? (isMany(gpus) ? gpus : undefined)),
    // Of Hugging Face's classes it is where prompts are cut, not the context of the model.
    ...flag('--max-model-len', given.max_model_len ?? (isVllm ? model.max_seq_len : undefined)),
    ...flag('--gpu-memory-utilization', given.gpu_memory_utilization),
    ...flag('--quantization', given.quantization),
    ...flag('--dtype', given.dtype),
    ...(given.trust_remote_code === true || tokenizer.trust_remote_code === true ? ['--trust-remote-code'] : []),
  ]
}

function lmdeployFlags(type: string, model: Settings): string[] {
  const [engine, gpus] = [fieldsOf(model.engine_config), fieldsOf(model.run_cfg).num_gpus]
  const isPytorch = type.startsWith('Lmdeploy') || model.backend === 'pytorch'
  return [
    ...(isPytorch ? ['--backend', 'pytorch'] : []),
    ...flag('--tp', engine.tp ?? (isMany(gpus) ? gpus : undefined)),
    ...flag('--session-len', engine.session_len ?? model.max_seq_len),
    ...flag('--max-batch-size', engine.max_batch_size),
    ...flag('--cache-max-entry-count', engine.cache_max_entry_count),
    ...flag('--model-format', engine.model_format),
  ]
}

function isMany(gpus: unknown): boolean {
  return typeof gpus === 'number' && gpus > 1
}

function flag(name: string, value: unknown): string[] {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? [name, String(value)] : []
}

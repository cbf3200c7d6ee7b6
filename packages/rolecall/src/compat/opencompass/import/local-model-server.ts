import { fieldsOf } from './imported-entry.ts'

/** How to start a server for a model of a local class: the words of the command, and the address it then has. */
export type LocalModelServer = { command: string[]; url: string }

type Settings = Readonly<Record<string, unknown>>

/** Programs that serve a model's weights on an OpenAI-compatible address. */
export const engineNames = ['vllm', 'sglang', 'lmdeploy', 'llama-server'] as const
export type EngineName = (typeof engineNames)[number]

/** The words of the command that serves a model with the settings that the engine shares; `port`: 0 stands for the engine's own. */
const engines: Readonly<
  Record<EngineName, { port: number; words: (path: string, type: string, model: Settings, port: number) => string[] }>
> = {
  vllm: {
    port: 8000,
    words: (path, type, model, port) => ['vllm', 'serve', path, ...vllmFlags(type, path, model), ...portFlag('--port', port)],
  },
  sglang: {
    port: 30000,
    words: (path, _, model, port) => [
      'python3',
      '-m',
      'sglang.launch_server',
      '--model-path',
      path,
      ...sglangFlags(path, model),
      ...portFlag('--port', port),
    ],
  },
  lmdeploy: {
    port: 23333,
    words: (path, type, model, port) => [
      'lmdeploy',
      'serve',
      'api_server',
      path,
      ...lmdeployFlags(type, model),
      ...portFlag('--server-port', port),
    ],
  },
  'llama-server': {
    port: 8080,
    words: (path, _, model, port) => ['llama-server', '-m', path, ...flag('-c', model.max_seq_len), ...portFlag('--port', port)],
  },
}

/** The port that an engine has by default. */
export function enginePort(engine: EngineName): number {
  return engines[engine].port
}

/** The command that serves a model's `path` with an engine, with the settings of its config that the engine shares. */
export function engineCommand(engine: EngineName, { type, path, ...model }: Settings, port: number): string[] {
  return engines[engine].words(String(path), typeof type === 'string' ? type : '', model, port)
}

/** Whether a model is of a class that loads weights from its `path`, and has no server. */
export function loadsWeights({ type, path, base_url: address }: Settings): boolean {
  if (typeof type !== 'string' || typeof path !== 'string' || path === '' || address !== undefined) return false
  return /(?:^|\.)(?:HuggingFace|VLLM(?:withChatTemplate)?$|TurboMind(?:Tis)?Model|LmdeployPytorchModel|InternLM$|Llama2|GLM130B$|AlayaLM$)/.test(
    type,
  )
}

/**
 * The command that serves the model of an OpenCompass class as its config loads it, with the settings that the server shares.
 * Undefined for other classes and for models that have a server.
 *
 * @example localModelServer({ type: 'VLLM', path: 'org/m', model_kwargs: { tensor_parallel_size: 2 } })?.command.join(' ')
 * // => 'vllm serve org/m --tensor-parallel-size 2'
 */
export function localModelServer(model: Settings): LocalModelServer | undefined {
  const { type } = model
  if (typeof type !== 'string' || !loadsWeights(model) || !/^(?:HuggingFace|VLLM|TurboMind|Lmdeploy)/.test(type)) return undefined
  const engine = /^(?:TurboMind|Lmdeploy)/.test(type) ? 'lmdeploy' : 'vllm'
  return { command: engineCommand(engine, model, 0), url: `http://127.0.0.1:${engines[engine].port}/v1` }
}

function portFlag(name: string, port: number): string[] {
  return port === 0 ? [] : [name, String(port)]
}

function sglangFlags(path: string, model: Settings): string[] {
  const [given, gpus] = [fieldsOf(model.model_kwargs), fieldsOf(model.run_cfg).num_gpus]
  return [
    ...flag('--tokenizer-path', model.tokenizer_path === path ? undefined : model.tokenizer_path),
    ...flag('--tp-size', given.tensor_parallel_size ?? (isMany(gpus) ? gpus : undefined)),
    ...flag('--context-length', given.max_model_len),
    ...flag('--quantization', given.quantization),
    ...flag('--dtype', given.dtype),
    ...(given.trust_remote_code === true ? ['--trust-remote-code'] : []),
  ]
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

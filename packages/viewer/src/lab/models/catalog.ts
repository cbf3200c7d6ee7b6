import type { ModelSettings } from '../engine/contract.ts'

/** A model of the lab: its template is a file of the site, fetched when it is chosen. */
export type LabModel = {
  id: string
  name: string
  /** Its repository on the hub, for links and for Python. */
  repository: string
  /** Where `make-lab-models.ts` takes the template from; absent for a format that the library knows. */
  source?: string
  /** The special tokens that the template reads. */
  tokens?: Readonly<Record<string, string>>
  settings?: ModelSettings
  /** The vocabulary, by the name of its file; only where that of the model itself may be passed on. */
  vocabulary?: string
  /** The licence of the vocabulary. */
  licence?: string
}

const chatml = { eos_token: '<|im_end|>' }
const llama = { bos_token: '<|begin_of_text|>', eos_token: '<|eot_id|>' }
const gemma = { bos_token: '<bos>', eos_token: '<eos>' }
const mistral = { bos_token: '<s>', eos_token: '</s>' }
const deepseek = { bos_token: '<｜begin▁of▁sentence｜>', eos_token: '<｜end▁of▁sentence｜>' }
const cohere = { bos_token: '<BOS_TOKEN>', eos_token: '<|END_OF_TURN_TOKEN|>' }

/** In the order of the menu. */
export const labModels: readonly LabModel[] = [
  {
    id: 'qwen3',
    name: 'Qwen3',
    repository: 'Qwen/Qwen3-8B',
    source: 'Qwen-Qwen3-0.6B.jinja',
    tokens: chatml,
    vocabulary: 'qwen3',
    licence: 'Apache-2.0',
  },
  {
    id: 'qwen3-coder',
    name: 'Qwen3-Coder',
    repository: 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    source: 'Qwen3-Coder.jinja',
    tokens: chatml,
    vocabulary: 'qwen3',
    licence: 'Apache-2.0',
  },
  {
    id: 'qwen3-next',
    name: 'Qwen3-Next',
    repository: 'Qwen/Qwen3-Next-80B-A3B-Instruct',
    source: 'gguf-library-qwen3-next-80b',
    tokens: chatml,
    vocabulary: 'qwen3',
    licence: 'Apache-2.0',
  },
  { id: 'qwen3.5', name: 'Qwen3.5', repository: 'Qwen/Qwen3.5-4B', source: 'hfjs-qwen-qwen3.5-4b', tokens: chatml },
  { id: 'qwen2.5', name: 'Qwen2.5', repository: 'Qwen/Qwen2.5-7B-Instruct', source: 'Qwen-Qwen2.5-7B-Instruct.jinja', tokens: chatml },
  {
    id: 'qwen2.5-vl',
    name: 'Qwen2.5-VL',
    repository: 'Qwen/Qwen2.5-VL-7B-Instruct',
    source: 'hfjs-qwen-qwen2.5-vl-7b-instruct',
    tokens: chatml,
  },
  { id: 'qwq', name: 'QwQ 32B', repository: 'Qwen/QwQ-32B', source: 'Qwen-QwQ-32B.jinja', tokens: chatml },
  {
    id: 'llama-3.1',
    name: 'Llama 3.1',
    repository: 'meta-llama/Llama-3.1-8B-Instruct',
    source: 'meta-llama-Llama-3.1-8B-Instruct.jinja',
    tokens: llama,
  },
  {
    id: 'llama-3.2',
    name: 'Llama 3.2',
    repository: 'meta-llama/Llama-3.2-3B-Instruct',
    source: 'meta-llama-Llama-3.2-3B-Instruct.jinja',
    tokens: llama,
  },
  {
    id: 'llama-3.3',
    name: 'Llama 3.3',
    repository: 'meta-llama/Llama-3.3-70B-Instruct',
    source: 'meta-llama-Llama-3.3-70B-Instruct.jinja',
    tokens: llama,
  },
  { id: 'gpt-oss', name: 'gpt-oss', repository: 'openai/gpt-oss-120b', source: 'llamacpp-openai-gpt-oss-120b' },
  { id: 'gemma-2', name: 'Gemma 2', repository: 'google/gemma-2-2b-it', source: 'google-gemma-2-2b-it.jinja', tokens: gemma },
  { id: 'gemma-3', name: 'Gemma 3', repository: 'google/gemma-3-4b-it', source: 'gguf-library-gemma3-270m', tokens: gemma },
  { id: 'gemma-4', name: 'Gemma 4', repository: 'google/gemma-4-31B-it', source: 'google-gemma-4-31B-it.jinja', tokens: gemma },
  {
    id: 'deepseek-r1',
    name: 'DeepSeek-R1',
    repository: 'deepseek-ai/DeepSeek-R1',
    source: 'hfjs-deepseek-ai-deepseek-r1',
    tokens: deepseek,
    vocabulary: 'deepseek_v3',
    licence: 'MIT',
  },
  {
    id: 'deepseek-v3.1',
    name: 'DeepSeek-V3.1',
    repository: 'deepseek-ai/DeepSeek-V3.1',
    source: 'deepseek-ai-DeepSeek-V3.1.jinja',
    tokens: deepseek,
  },
  {
    id: 'deepseek-v3.2',
    name: 'DeepSeek-V3.2',
    repository: 'deepseek-ai/DeepSeek-V3.2',
    source: 'deepseek-ai-DeepSeek-V3.2.jinja',
    tokens: deepseek,
  },
  {
    id: 'deepseek-v4',
    name: 'DeepSeek-V4-Flash',
    repository: 'deepseek-ai/DeepSeek-V4-Flash',
    source: 'deepseek-ai-DeepSeek-V4-Flash-0731.jinja',
    tokens: deepseek,
  },
  { id: 'kimi-k2', name: 'Kimi K2', repository: 'moonshotai/Kimi-K2-Instruct', source: 'Kimi-K2-Instruct.jinja' },
  { id: 'kimi-k2-thinking', name: 'Kimi K2 Thinking', repository: 'moonshotai/Kimi-K2-Thinking', source: 'Kimi-K2-Thinking.jinja' },
  { id: 'glm-4.6', name: 'GLM-4.6', repository: 'zai-org/GLM-4.6', source: 'GLM-4.6.jinja' },
  { id: 'minimax-m2', name: 'MiniMax-M2', repository: 'MiniMaxAI/MiniMax-M2', source: 'MiniMax-M2.jinja' },
  {
    id: 'mistral-nemo',
    name: 'Mistral Nemo',
    repository: 'mistralai/Mistral-Nemo-Instruct-2407',
    source: 'mistralai-Mistral-Nemo-Instruct-2407.jinja',
    tokens: mistral,
    vocabulary: 'mistral_nemo',
    licence: 'Apache-2.0',
  },
  {
    id: 'mistral-small-3.2',
    name: 'Mistral Small 3.2',
    repository: 'mistralai/Mistral-Small-3.2-24B-Instruct-2506',
    source: 'Mistral-Small-3.2-24B-Instruct-2506.jinja',
    tokens: mistral,
  },
  {
    id: 'devstral',
    name: 'Devstral Small',
    repository: 'mistralai/Devstral-Small-2507',
    source: 'unsloth-mistral-Devstral-Small-2507.jinja',
    tokens: mistral,
  },
  {
    id: 'phi-3.5',
    name: 'Phi-3.5-mini',
    repository: 'microsoft/Phi-3.5-mini-instruct',
    source: 'microsoft-Phi-3.5-mini-instruct.jinja',
    tokens: { bos_token: '<s>', eos_token: '<|endoftext|>' },
  },
  {
    id: 'phi-4-mini',
    name: 'Phi-4-mini',
    repository: 'microsoft/Phi-4-mini-instruct',
    source: 'gguf-library-phi4-mini-3.8b',
    tokens: { bos_token: '<|endoftext|>', eos_token: '<|endoftext|>' },
  },
  { id: 'smollm3', name: 'SmolLM3', repository: 'HuggingFaceTB/SmolLM3-3B', source: 'HuggingFaceTB-SmolLM3-3B.jinja', tokens: chatml },
  {
    id: 'granite-3.3',
    name: 'Granite 3.3',
    repository: 'ibm-granite/granite-3.3-2b-instruct',
    source: 'ibm-granite-granite-3.3-2B-Instruct.jinja',
  },
  { id: 'granite-4.0', name: 'Granite 4.0', repository: 'ibm-granite/granite-4.0-h-tiny', source: 'ibm-granite-granite-4.0.jinja' },
  {
    id: 'command-r7b',
    name: 'Command R7B',
    repository: 'CohereLabs/c4ai-command-r7b-12-2024',
    source: 'CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja',
    tokens: cohere,
  },
  {
    id: 'hermes-3',
    name: 'Hermes 3',
    repository: 'NousResearch/Hermes-3-Llama-3.1-8B',
    source: 'NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja',
    tokens: { bos_token: '<|begin_of_text|>', eos_token: '<|im_end|>' },
  },
  {
    id: 'nemotron-3-nano',
    name: 'Nemotron 3 Nano',
    repository: 'nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16',
    source: 'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.jinja',
  },
  {
    id: 'lfm2',
    name: 'LFM2',
    repository: 'LiquidAI/LFM2-8B-A1B',
    source: 'LFM2-8B-A1B.jinja',
    tokens: { bos_token: '<|startoftext|>', eos_token: '<|im_end|>' },
  },
  {
    id: 'seed-oss',
    name: 'Seed-OSS',
    repository: 'ByteDance-Seed/Seed-OSS-36B-Instruct',
    source: 'ByteDance-Seed-OSS.jinja',
    tokens: { bos_token: '<seed:bos>', eos_token: '<seed:eos>', pad_token: '<seed:pad>' },
  },
  {
    id: 'minicpm5',
    name: 'MiniCPM5',
    repository: 'openbmb/MiniCPM5-1B',
    source: 'openbmb-MiniCPM5-1B.jinja',
    tokens: { bos_token: '<s>', eos_token: '<|im_end|>' },
  },
  {
    id: 'internlm2.5',
    name: 'InternLM2.5',
    repository: 'internlm/internlm2_5-7b-chat',
    source: 'internlm2-chat-hf',
    tokens: { bos_token: '<s>', eos_token: '</s>' },
    vocabulary: 'internlm2',
    licence: 'Apache-2.0',
  },
  {
    id: 'tiny-chat',
    name: 'tiny-chat (answers in this page)',
    repository: '',
    settings: { format: 'internlm2' },
    vocabulary: 'embedded',
    licence: 'Apache-2.0',
  },
]

export function labModel(id: string): LabModel | undefined {
  return labModels.find((model) => model.id === id)
}

const templates = new Map<string, Promise<string>>()

/** The settings of a model, as a config would have them. */
export async function settingsOf({ id, source, tokens, settings }: LabModel): Promise<ModelSettings> {
  if (source === undefined) return settings ?? {}
  let template = templates.get(id)
  if (template === undefined) {
    template = readTemplate(id)
    template.catch(() => templates.delete(id))
    templates.set(id, template)
  }
  return { chat_template: await template, ...(tokens === undefined ? {} : { special_tokens: tokens }), ...settings }
}

async function readTemplate(id: string): Promise<string> {
  const inlined = document.querySelector(`script[data-file="lab/models/${id}.jinja"]`)
  if (inlined) return JSON.parse(inlined.textContent ?? '""') as string
  const response = await fetch(new URL(`lab/models/${id}.jinja`, document.baseURI))
  if (!response.ok) throw new Error(`lab/models/${id}.jinja: status ${response.status}`)
  return response.text()
}

/** The serving stacks whose treatment of messages can be reproduced. */
export const partsEngines = ['vllm', 'sglang', 'llama.cpp', 'transformers', 'transformers-serve'] as const
export type PartsEngine = (typeof partsEngines)[number]

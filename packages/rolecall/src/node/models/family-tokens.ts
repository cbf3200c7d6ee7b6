/** The special tokens of model families, by a mark that only their templates contain. The first that matches counts. */
const known: readonly (readonly [mark: RegExp, family: string, tokens: Readonly<Record<string, string>>])[] = [
  [/<start_of_turn>|<\|turn>/, 'Gemma', { bos_token: '<bos>', eos_token: '<eos>' }],
  [/<\|start_header_id\|>/, 'Llama 3', { bos_token: '<|begin_of_text|>', eos_token: '<|eot_id|>' }],
  [/<\|header_start\|>/, 'Llama 4', { bos_token: '<|begin_of_text|>', eos_token: '<|eot|>' }],
  [/<｜(?:Assistant|User)｜>/, 'DeepSeek', { bos_token: '<｜begin▁of▁sentence｜>', eos_token: '<｜end▁of▁sentence｜>' }],
  [/<\|START_OF_TURN_TOKEN\|>/, 'Cohere Command', { bos_token: '<BOS_TOKEN>', eos_token: '<|END_OF_TURN_TOKEN|>' }],
  [/<\|tool_list_start\|>|<\|tool_call_start\|>/, 'LFM2', { bos_token: '<|startoftext|>', eos_token: '<|im_end|>' }],
  [/<\|start_of_role\|>/, 'Granite', { bos_token: '<|end_of_text|>', eos_token: '<|end_of_text|>' }],
  [/<\|action_start\|>/, 'InternLM2', { bos_token: '<s>', eos_token: '</s>' }],
  [/\[\/?INST\]/, 'Mistral', { bos_token: '<s>', eos_token: '</s>' }],
]

/** BOS and EOS where a template reads them and no file gives them: those of its family, with the family's name, and those that stay unknown. */
export function familyTokens(
  template: string,
  given: Readonly<Record<string, string>>,
): { tokens: Readonly<Record<string, string>>; family?: string; unknown: readonly string[] } {
  const source = template.replace(/\{#[\s\S]*?(?:#\}|$)/g, '')
  const missing = ['bos_token', 'eos_token'].filter((name) => !Object.hasOwn(given, name) && new RegExp(`\\b${name}\\b`).test(source))
  const found = missing.length === 0 ? undefined : known.find(([mark]) => mark.test(source))
  if (found === undefined) return { tokens: {}, unknown: missing }
  const [, family, tokens] = found
  return { tokens: Object.fromEntries(missing.map((name) => [name, tokens[name]!])), family, unknown: [] }
}

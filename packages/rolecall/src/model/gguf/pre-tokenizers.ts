/** How a byte-level vocabulary splits a text into words before merging: one pattern after the other, each within the words so far. */
export type PreTokenizer = {
  patterns: readonly string[]
  /** The model's own tokenizer composes characters first; llama.cpp does not, and differs for the few texts where that matters. */
  composes?: true
  /** A word that is a token as a whole is not built by merges. */
  ignoreMerges?: true
  /** The tokenizer writes BOS although the file does not say so. */
  addBos?: true
}

const gpt2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)"
const contraction = "'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])"
const spaces = '\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+'
const marks = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*'
/** As tiktoken's cl100k splits; families differ in how many digits stay together. */
const words = (digits: string) => `${contraction}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}|${marks}|${spaces}`
/** As tiktoken's o200k splits: words end where capitals begin. */
const capitals = (digits: string, ending: string) => {
  const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]'
  const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]'
  const before = '[^\\r\\n\\p{L}\\p{N}]?'
  return `${before}${upper}*${lower}+${ending}|${before}${upper}+${lower}*${ending}|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|${spaces}`
}
const cjk = '[一-龥぀-ゟ゠-ヿ]+'
const deepseekWords = [
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+',
  '[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+',
  ' ?[\\p{P}\\p{S}]+[\\r\\n]*',
  spaces,
].join('|')

const llama3: PreTokenizer = { patterns: [words('\\p{N}{1,3}')], ignoreMerges: true, addBos: true }
const digitByDigit: PreTokenizer = { patterns: ['\\p{N}', gpt2] }
const plainGpt2: PreTokenizer = { patterns: [gpt2] }
const qwen2: PreTokenizer = { patterns: [words('\\p{N}')] }
const deepseek3: PreTokenizer = { patterns: ['\\p{N}{1,3}', cjk, deepseekWords] }
const glm4: PreTokenizer = { patterns: [words('\\p{N}{1,3}')] }
const gpt4o: PreTokenizer = { patterns: [capitals('\\p{N}{1,3}', `(?:${contraction})?`)] }
const bailing: PreTokenizer = {
  patterns: [`'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|${marks}|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+`],
}

/**
 * By the name in a GGUF file's `tokenizer.ggml.pre`, which llama.cpp's converter gives to what a model's tokenizer.json does:
 * https://github.com/ggml-org/llama.cpp/blob/master/convert_hf_to_gguf_update.py
 */
export const preTokenizers: Readonly<Record<string, PreTokenizer>> = {
  default: { patterns: ['[\\p{P}\\$\\+<=>\\^~\\|]+', gpt2, '\\p{N}+', '[0-9][0-9][0-9]'] },
  'gpt-2': plainGpt2,
  'phi-2': plainGpt2,
  mpt: plainGpt2,
  olmo: plainGpt2,
  jais: plainGpt2,
  trillion: plainGpt2,
  gigachat: plainGpt2,
  mellum: plainGpt2,
  'a.x-4.0': plainGpt2,
  exaone4: plainGpt2,
  'granite-docling': plainGpt2,
  starcoder: digitByDigit,
  refact: digitByDigit,
  'command-r': digitByDigit,
  smollm: digitByDigit,
  codeshell: digitByDigit,
  exaone: digitByDigit,
  'minerva-7b': digitByDigit,
  mellum2: digitByDigit,
  llama3,
  'llama-v3': llama3,
  'llama-bpe': llama3,
  falcon3: llama3,
  'falcon-h1': llama3,
  pixtral: llama3,
  'midm-2.0': llama3,
  lfm2: llama3,
  dbrx: glm4,
  'smaug-bpe': glm4,
  glm4,
  'chatglm-bpe': glm4,
  qwen2: { ...qwen2, composes: true },
  'deepseek-r1-qwen': qwen2,
  stablelm2: qwen2,
  hunyuan: qwen2,
  'solar-open': qwen2,
  megrez: qwen2,
  kormo: qwen2,
  'grok-2': qwen2,
  qwen35: {
    composes: true,
    patterns: [`${contraction}|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|${spaces}`],
  },
  'seed-coder': {
    patterns: [`${contraction}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|${spaces}`],
  },
  'deepseek-v3': deepseek3,
  'hunyuan-dense': deepseek3,
  'joyai-llm': deepseek3,
  'deepseek-llm': {
    patterns: ['[\\r\\n]', '\\s?[\\p{Lu}\\p{Ll}\\p{Lt}]+', '\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+', '\\s+$', '[一-龥ࠀ-一가-퟿]+', '\\p{N}+'],
  },
  'deepseek-coder': { patterns: ['[\\r\\n]', '\\s?\\p{L}+', '\\s?\\p{P}+', '[一-龥ࠀ-一가-퟿]+', '\\p{N}'] },
  falcon: { patterns: ['[\\p{P}\\$\\+<=>\\^~\\|`]+', gpt2, '[0-9][0-9][0-9]'] },
  tekken: { patterns: [capitals('\\p{N}', '')], ignoreMerges: true, addBos: true },
  'gpt-4o': gpt4o,
  llama4: gpt4o,
  kanana2: gpt4o,
  'minimax-m2': gpt4o,
  bailingmoe: bailing,
  bailingmoe2: bailing,
  'llada-moe': bailing,
  bloom: { patterns: [' ?[^(\\s|.,!?…。，、।۔،)]+'] },
  'gpt3-finnish': { patterns: [' ?[^(\\s|.,!?…。，、।۔،)]+'] },
  'poro-chat': { patterns: [' ?[^(\\s|.,!?…。，、।۔،)]+'] },
  viking: { patterns: [' ?[^(\\s|.,!?…。，、।۔،)]+', '\\p{N}'] },
}

// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../prompt/tokenizer/check-tokens.ts'
export * from '../prompt/tokenizer/count-tokens.ts'
export * from '../prompt/tokenizer/hugging-face/hugging-face-tokenizer.ts'
export * from '../prompt/tokenizer/look-alikes.ts'
export * from '../prompt/tokenizer/protected-tokens.ts'
export * from '../prompt/tokenizer/run-memo.ts'
export * from '../prompt/tokenizer/sentencepiece/read-model.ts'
export * from '../prompt/tokenizer/sentencepiece/sentencepiece-tokenizer.ts'
export * from '../prompt/tokenizer/token-decoder.ts'
export * from '../prompt/tokenizer/tokenize.ts'
export * from '../prompt/tokenizer/tokenizer.ts'

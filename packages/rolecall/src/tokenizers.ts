// `rolecall/tokenizers`: prompts as token ids, in which text from data never becomes a control token.
export * from '@rolecall/core/tokenizers'

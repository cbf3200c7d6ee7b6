// `@rolecall/adapters/transformers`: chat templates in transformers.js whose special tokens users cannot type.
export { type ChatInputs, type ChatTokenizer, safeApplyChatTemplate } from './transformers/safe-apply-chat-template.ts'

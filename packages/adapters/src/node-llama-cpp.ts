// `@rolecall/adapters/node-llama-cpp`: a chat wrapper that writes a model's own chat template, safe from what users type.
export { type ChatWrapperOptions, chatWrapper } from './node-llama-cpp/chat-wrapper.ts'

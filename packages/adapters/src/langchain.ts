// `@rolecall/adapters/langchain`: a chat model with exact prompts for LangChain.
export { ChatRolecall, type ChatRolecallCallOptions, type ChatRolecallFields } from './langchain/chat-rolecall.ts'

// `@rolecall/adapters/ai-sdk`: models with exact prompts for the AI SDK, and replies read where a server does not.
export { type RolecallSettings, rolecall } from './ai-sdk/provider.ts'
export { type ReadRepliesOptions, readReplies } from './ai-sdk/read-replies.ts'
export type { AiSdkMiddleware, AiSdkModel } from './ai-sdk/specification.ts'

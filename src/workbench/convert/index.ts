export { type Conversion, type ConvertOptions, convertFormat, type Target, targets } from './convert-format.ts'
export type { Layout, StopsAndPrefix } from './format-layout.ts'
export { type ConversationCase, type Feature, features, generateConversations } from './generate-conversations.ts'
export { type Difference, excerpts, type Proof, proveSame } from './prove-same.ts'

export { type Case, type Feature, features, generateConversations } from './conversations.ts'
export { type Conversion, type ConvertOptions, convertFormat, type Target, targets } from './convert-format.ts'
export type { Besides, Layout } from './layout.ts'
export { type Difference, excerpts, type Proof, proveSame } from './prove.ts'

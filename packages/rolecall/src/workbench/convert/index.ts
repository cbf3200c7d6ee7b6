export { type Conversion, type ConvertOptions, convertFormat, type Target, targets } from './convert-format.ts'
export type { StopsAndPrefix } from './format-layout.ts'
export { type Feature, generateConversations } from './generate-conversations.ts'
export { type Difference, excerpts, type Proof, proveSame } from './prove-same.ts'

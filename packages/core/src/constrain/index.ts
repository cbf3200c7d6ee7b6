export { compileConstraint } from './compile-constraint.ts'
export { type Constraint, constraintKey } from './constraint.ts'
export { type GuideState, TokenGuide, type TokenMask } from './tokens/token-guide.ts'
export { tokenTrie } from './tokens/token-trie.ts'

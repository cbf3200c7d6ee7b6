export { compileConstraint } from './compile-constraint.ts'
export { type Constraint, constraintKey } from './constraint.ts'
export { GuidedReply, TokenGuide, type TokenMask } from './tokens/token-guide.ts'

export { LinearPattern } from './linear-pattern.ts'
export { UnsupportedPattern } from './parse-pattern.ts'
export { type PatternRisk, patternRisk } from './pattern-risk.ts'

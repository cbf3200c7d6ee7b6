export { GuardedPattern, guardedPattern } from './guarded.ts'
export { escapePattern, findAll, pythonRegex, search, splitBy, substitute } from './python-regex.ts'
export type { PatternFlags } from './translate-pattern.ts'

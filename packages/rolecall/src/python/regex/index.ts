export { type GuardedMatch, type GuardedPattern, guardedPattern } from './guarded.ts'
export { escapePattern, findAll, pythonRegex, search, splitBy, substitute } from './python-regex.ts'
export { groupNames, replaceMatches, replacer } from './replacement.ts'
export type { PatternFlags } from './translate-pattern.ts'

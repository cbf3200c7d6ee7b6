export { type CheckConfig, type ChecksConfig, checkKindNames, checkSchema, checksSchema } from './check-schema.ts'
export { type ScoringConfig, scoringOfChecks } from './scoring-of-checks.ts'

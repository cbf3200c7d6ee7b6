import { datasetRules } from './dataset-rules.ts'
import { ignoreComment } from './ignore-comments.ts'
import type { RuleText } from './rule.ts'
import { templateRules } from './template-rules.ts'

/** The descriptions of all rules. */
export const lintRules: readonly RuleText[] = [...templateRules, ignoreComment, ...datasetRules]

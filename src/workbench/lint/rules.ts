import { datasetRules } from './dataset-rules.ts'
import { ignoreComment } from './ignore-comments.ts'
import type { RuleText } from './rule.ts'
import { templateRules } from './template-rules.ts'

/** Every rule, with what it says of itself. */
export const lintRules: readonly RuleText[] = [...templateRules, ignoreComment, ...datasetRules]

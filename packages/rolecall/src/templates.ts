// `rolecall/templates`: the template workbench: lint, diff, convert.

// ── Convert ──
export type { Conversion, ConvertOptions, Difference, Proof, Target } from './workbench/convert/index.ts'
export { convertFormat, proveSame } from './workbench/convert/index.ts'
// ── Diff ──
export { type Cause, diffPrompts, type PromptDiff, type PromptPair, type Side as PromptSide } from './workbench/diff/diff-prompts.ts'
// ── Lint ──
export type { Finding, Severity } from './workbench/lint/finding.ts'
export { lintRules } from './workbench/lint/lint-rules.ts'
export type { Linted, LintSettings } from './workbench/lint/lint-settings.ts'
export { lintTemplate, type TemplateToLint } from './workbench/lint/lint-template.ts'
export { asSarif } from './workbench/lint/sarif.ts'

// `rolecall/templates`: the template workbench: lint, diff, convert, and Python configs read as ours.

// ── Convert ──
export type { Conversion, ConvertOptions, Difference, Proof, Target } from '../convert/index.ts'
export { convertFormat, proveSame } from '../convert/index.ts'
// ── Diff ──
export { type Cause, diffPrompts, type PromptDiff, type PromptPair, type Side as PromptSide } from '../diff/diff-prompts.ts'
// ── Import ──
export { type ImportedConfig, type ImportOptions, importConfig } from '../import/import-config.ts'
export { promptHash } from '../import/prompt-hash.ts'
// ── Lint ──
export type { Finding, Severity } from '../lint/finding.ts'
export { lintTemplate, type TemplateToLint } from '../lint/lint-template.ts'
export { lintRules } from '../lint/rules.ts'
export { asSarif } from '../lint/sarif.ts'
export type { Linted, LintSettings } from '../lint/settings.ts'

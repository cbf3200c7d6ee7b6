import { lintTemplate } from 'rolecall/internal/workbench/lint/lint-template'
import type { LintFinding } from './contract.ts'

export function lintSource(source: string): LintFinding[] {
  return lintTemplate({ source }).findings.map(({ rule, severity, place, problem, fix, shown }) => ({
    rule,
    severity,
    ...(place.kind === 'template' ? { line: place.line } : {}),
    problem,
    fix,
    ...(shown === undefined ? {} : { shown: shown.text }),
  }))
}

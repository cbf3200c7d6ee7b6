import type { DatasetSubject } from './dataset-rule.ts'
import { datasetRules } from './dataset-rules.ts'
import type { Whose } from './finding.ts'
import { isSelected, type Linted, type LintSettings, settle } from './lint-settings.ts'
import { findingOf } from './rule.ts'

/** Lints a dataset with some of its rows. `place` is its path in the config: `datasets[0]`. */
export function lintDataset(subject: DatasetSubject, where: Whose, place: string, settings: LintSettings = {}): Linted {
  const findings = datasetRules
    .filter(({ id }) => isSelected(id, settings))
    .flatMap((rule) =>
      rule.check(subject).map(({ path, ...found }) => findingOf(rule, found, where, { kind: 'config', path: `${place}.${path}` })),
    )
  return settle(findings, settings)
}

import type { Finding } from './finding.ts'
import { lintRules } from './lint-rules.ts'

/**
 * Findings as SARIF 2.1.0, which code hosts show beside the lines of a file.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function asSarif(findings: readonly Finding[], version: string): object {
  const index = new Map(lintRules.map(({ id }, number) => [id, number]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'rolecall lint',
            version,
            rules: lintRules.map(({ id, severity, finds, why, fix }) => ({
              id,
              shortDescription: { text: finds },
              fullDescription: { text: why },
              help: { text: fix },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: 'unicodeCodePoints',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: index.get(finding.rule),
          level: finding.severity,
          message: { text: `${finding.problem}. Fix: ${finding.fix}` },
          locations: [locationOf(finding)],
          ...(finding.shown ? { properties: { shown: finding.shown } } : {}),
        })),
      },
    ],
  }
}

/** A config location is a path, because the line of a key is unknown. */
function locationOf({ subject, part, place }: Finding): object {
  const artifactLocation = { uri: encodeURI(subject.replaceAll('\\', '/')) }
  if (place.kind === 'config')
    return { physicalLocation: { artifactLocation }, logicalLocations: [{ fullyQualifiedName: place.path }], message: { text: place.path } }
  // Lines are relative to the part, not the file.
  if (part !== undefined) {
    const name = `${part}:${place.line}:${place.column}`
    return { physicalLocation: { artifactLocation }, logicalLocations: [{ fullyQualifiedName: name }], message: { text: name } }
  }
  const { line: startLine, column: startColumn, code } = place
  const snippet = code === '' ? {} : { snippet: { text: code } }
  return { physicalLocation: { artifactLocation, region: { startLine, startColumn, ...snippet } } }
}

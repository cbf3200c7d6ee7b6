import { writeFileSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'

/** A test case in CI. */
export type TestCase = {
  name: string
  seconds?: number
  /** A failed check. */
  failure?: string
  /** A check that could not be made. */
  error?: string
  output?: string
}

export type TestSuite = {
  name: string
  /** Where the suite stands, e.g. `prompt: careful`. */
  properties?: Readonly<Record<string, string | number | undefined>>
  cases: readonly TestCase[]
}

/** JUnit XML, for Jenkins, GitLab, GitHub Actions and others. */
export function junitXml(suites: readonly TestSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rolecall" ${counts(all)}>`,
    ...suites.flatMap(({ name, properties = {}, cases }) => [
      `  <testsuite name="${escapeXml(name)}" ${counts(cases)}>`,
      ...propertyLines(properties),
      ...cases.map((one) => testCase(name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}

export function writeJunit(file: string, suites: readonly TestSuite[]): void {
  try {
    writeFileSync(file, junitXml(suites))
  } catch (error) {
    throw new PromptError('no-file', {
      where: `--junit ${file}`,
      problem: `cannot write the file: ${(error as Error).message}`,
      fix: 'choose a file in an existing folder',
    })
  }
}

function counts(cases: readonly TestCase[]): string {
  const number = (test: (one: TestCase) => boolean) => cases.filter(test).length
  const seconds = cases.reduce((sum, { seconds: one = 0 }) => sum + one, 0)
  return `tests="${cases.length}" failures="${number(({ failure }) => failure !== undefined)}" errors="${number(({ error }) => error !== undefined)}" time="${seconds.toFixed(3)}"`
}

function propertyLines(properties: NonNullable<TestSuite['properties']>): string[] {
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`      <property name="${escapeXml(name)}" value="${escapeXml(String(value))}"/>`],
  )
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>']
}

function testCase(suite: string, { name, seconds = 0, failure, error, output }: TestCase): string {
  const parts = [
    ...(failure === undefined ? [] : [`      <failure message="${escapeXml(failure)}">${escapeXml(failure)}</failure>`]),
    ...(error === undefined ? [] : [`      <error message="${escapeXml(error)}">${escapeXml(error)}</error>`]),
    ...(output === undefined ? [] : [`      <system-out>${escapeXml(output)}</system-out>`]),
  ]
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="${seconds.toFixed(3)}"`
  return parts.length === 0 ? `${head}/>` : [`${head}>`, ...parts, '    </testcase>'].join('\n')
}

/** Most control characters cannot be represented in XML. */
function escapeXml(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rules } from '../../conformance/rules.ts'
import { runFolder } from '../../conformance/run-folder.ts'
import { readCases } from '../read-cases.ts'

/** Rules that need more than a vector, and where they are tested. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'internlm2-call-rewritten': 'proof/conformance/chat/lagent.test.ts',
  'web-llm-function-list': 'packages/core/src/prompt/format/mlc',
  'reasoning-scored': 'packages/rolecall/src/evaluation/run/samples-and-judges.test.ts',
  'judge-reference-empty': 'packages/rolecall/src/evaluation/run/samples-and-judges.test.ts',
  'judge-first-letter': 'packages/rolecall/src/evaluation/run/samples-and-judges.test.ts',
  'judge-undecided': 'packages/rolecall/src/evaluation/run/samples-and-judges.test.ts',
  'judge-nothing-read': 'packages/rolecall/src/compat/opencompass/postprocessors/judge/judged-metrics.test.ts',
  'nothing-to-score': 'packages/rolecall/src/compat/opencompass/evaluators/evaluator-edges.test.ts',
  'language-detection': 'packages/rolecall/src/compat/opencompass/evaluators',
  'computer-algebra': 'packages/rolecall/src/compat/opencompass/evaluators',
  'expression-distance': 'packages/rolecall/src/compat/opencompass/evaluators',
  'bfcl-other-id': 'packages/rolecall/src/evaluation/dataset/bfcl',
  'text-stays-text': 'packages/rolecall/src/workbench/training',
  'nothing-to-train': 'packages/rolecall/src/workbench/training',
}

test('each vector is judged by a rule, and every rule has a case', async () => {
  const failures: string[] = []
  const { files, mangled } = await runFolder(fileURLToPath(new URL('.', import.meta.url)), {
    onFailure: ({ id, why }) => failures.push(`${id}: ${why.slice(0, 500)}`),
    mangle: true,
  })
  expect(failures).toEqual([])
  for (const [name, { total, rules: counts }] of Object.entries(files)) {
    const byRule = Object.values(counts).reduce((sum, count) => sum + count, 0)
    expect({ name, byRule }).toEqual({ name, byRule: total })
  }
  const shown = new Set(Object.values(files).flatMap((file) => Object.keys(file.rules)))
  const inCases = new Set(readCases().flatMap(({ cases }) => cases.flatMap(({ rule }) => rule ?? [])))
  const missing = Object.keys(rules).filter((rule) => !shown.has(rule) && !inCases.has(rule as never) && !(rule in testedElsewhere))
  expect(missing).toEqual([])
  for (const [kind, { distorted, unnoticed }] of Object.entries(mangled!))
    expect({ kind, unnoticed: unnoticed.length <= 0.1 * distorted ? [] : unnoticed }).toEqual({ kind, unnoticed: [] })
}, 120_000)

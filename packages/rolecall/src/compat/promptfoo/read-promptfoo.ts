import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { rubricsIn } from './assertions.ts'
import { assertionsColumn, type RunJavaScript, rubricColumn } from './assertions-evaluator.ts'
import { checkPromptfooKeys } from './check-promptfoo-keys.ts'
import { defaultTestOf } from './find-tests.ts'
import type { PromptfooTest } from './judge-test.ts'
import { fieldsOf, type LeaveOut, type PromptfooFields, type PromptfooHost } from './promptfoo-host.ts'
import { isNamed, type PromptfooPrompt, readPrompts } from './promptfoo-prompts.ts'
import { readProviders } from './read-provider.ts'
import { readTests, type TestRow } from './read-tests.ts'
import { type PromptRows, promptRows } from './write-prompts.ts'

/** Whether a config is promptfoo's: by two of its keys, because one may be misspelt. */
export function isPromptfooConfig(given: unknown): given is PromptfooFields {
  const has = (key: string) => typeof given === 'object' && given !== null && Object.hasOwn(given, key)
  const found = [has('prompts'), has('providers') || has('targets'), has('tests') || has('defaultTest') || has('scenarios')].filter(Boolean)
  return found.length > 1 && !has('models') && !has('datasets') && !has('data')
}

/** What a config is read with: its files, and the sandbox of its functions. */
type PromptfooOptions = { host: PromptfooHost; run: RunJavaScript }

/**
 * Reads a `promptfooconfig.yaml`: a model for each provider, a dataset for each prompt, a row for each test. What cannot run is left out,
 * with a note; it is an error if nothing remains.
 */
export async function readPromptfoo(
  given: PromptfooFields,
  { host, run }: PromptfooOptions,
): Promise<{ config: PromptfooFields; notes: Note[] }> {
  const notes: Note[] = []
  const leaveOut: LeaveOut = (where, text) => notes.push({ code: 'left-out', where, text: `left out: ${text}` })
  checkPromptfooKeys(given, 'config', '', leaveOut)
  const models = readProviders(given, host, leaveOut)
  const tests = readTests(given, host, leaveOut)
  if (tests.length > 0 && tests.every(({ assert }) => assert.length === 0))
    notes.push({ code: 'left-out', where: 'tests', text: 'no test has an assertion: all pass, as in promptfoo' })
  const judge = judgeOf(defaultTestOf(given, host), host, leaveOut)
  const datasets: PromptfooFields[] = []
  for (const prompt of readPrompts(given, host, leaveOut)) {
    const own = tests.filter(({ prompts }) => isNamed(prompt, prompts))
    if (own.length === 0) continue
    const written = await promptRows(prompt, own, run)
    if (typeof written === 'string') {
      leaveOut(prompt.where, written)
      continue
    }
    datasets.push(datasetOf(prompt, own, written, judge))
  }
  for (const [what, list] of Object.entries({ providers: models, tests, prompts: datasets })) {
    if (list.length > 0) continue
    const reasons = notes.filter(({ where = '' }) => where.startsWith(what)).map(({ where, text }) => `${where} is ${text}`)
    throw new PromptError('nothing-runs', {
      where: what,
      problem: `none of the ${what} can run${reasons.length > 0 ? `: ${reasons.slice(0, 3).join('; ')}` : ''}`,
      fix: 'docs/import.md lists what is read of a promptfoo config',
    })
  }
  return { config: { models, datasets }, notes }
}

function datasetOf(
  { label, isStructured }: PromptfooPrompt,
  tests: readonly TestRow[],
  { template, columns }: PromptRows,
  judge: PromptfooFields | undefined,
): PromptfooFields {
  const rubrics = tests.map(({ assert }) => rubricsIn(assert))
  const hasRubrics = rubrics.some(({ length }) => length > 0)
  const several = rubrics.some(({ length }) => length > 1)
  const names = new Set(tests.flatMap(({ vars }, index) => [...Object.keys(vars), ...Object.keys(columns[index] ?? {})]))
  return {
    abbr: label,
    rows: tests.map(({ vars, assert, threshold, transform }, index) => ({
      // All rows have the same columns.
      ...Object.fromEntries([...names].map((name) => [name, ''])),
      ...vars,
      ...columns[index],
      [assertionsColumn]: JSON.stringify({
        assert,
        threshold,
        transform,
        ...(isStructured ? { isStructured } : {}),
      } satisfies PromptfooTest),
      ...(hasRubrics ? { [rubricColumn]: rubricText(rubrics[index] ?? [], several) } : {}),
    })),
    reader_cfg: { input_columns: [...names] },
    infer_cfg: { prompt_template: 'messages' in template ? template : { template } },
    eval_cfg: {
      evaluator: {
        type: 'PromptfooAssertions',
        ...(hasRubrics ? { judge_cfg: judge ?? {} } : {}),
        ...(several ? { several } : {}),
      },
    },
  }
}

function rubricText(rubrics: readonly string[], several: boolean): string {
  if (!several) return rubrics[0] ?? ''
  return rubrics.map((rubric, index) => `Rubric ${index + 1}:\n${rubric}`).join('\n\n')
}

/** The model that reads rubrics, if the config names one: `defaultTest.options.provider`. */
function judgeOf(defaults: PromptfooFields, host: PromptfooHost, leaveOut: LeaveOut): PromptfooFields | undefined {
  const { provider } = fieldsOf(defaults.options)
  const { text = provider } = fieldsOf(provider)
  return text === undefined ? undefined : readProviders({ providers: [text] }, host, leaveOut, 'defaultTest.options.provider')[0]
}

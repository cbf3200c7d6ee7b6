import type { Assertion } from './assertions.ts'
import type { JavaScript } from './call-javascript.ts'
import { checkPromptfooKeys } from './check-promptfoo-keys.ts'
import { defaultTestOf, findTests } from './find-tests.ts'
import { fieldsOf, type LeaveOut, listOf, type PromptfooFields, type PromptfooHost } from './promptfoo-host.ts'
import { readAssertions, readTransform } from './read-assertions.ts'
import { combinations, resolvedVars } from './read-vars.ts'

/** A test with one value for each variable. */
export type TestRow = {
  where: string
  vars: PromptfooFields
  assert: Assertion[]
  threshold?: number
  transform?: JavaScript
  /** The labels of the prompts that it is for; all by default. */
  prompts?: readonly string[]
  prefix: string
  suffix: string
}

/** Keys of a test that make it another test, and are not read. */
const refused: Readonly<Record<string, string>> = {
  assertScoringFunction: 'a function scores its assertions together',
  provider: 'it has a provider of its own',
  providers: 'it is for some providers only',
  providerOutput: 'its output is written in the config, and no model is asked',
}
const refusedOptions: Readonly<Record<string, string>> = {
  rubricPrompt: 'its rubric has a prompt of its own',
  storeOutputAs: 'later tests use its output',
  transformVars: 'its variables are transformed',
  postprocess: 'postprocess is the old name of transform',
}

/** The tests with the defaults of the config; a test with a list as a variable is one for each of its values. */
export function readTests(config: PromptfooFields, host: PromptfooHost, leaveOut: LeaveOut): TestRow[] {
  const defaults = defaultTestOf(config, host)
  checkTest(defaults, 'defaultTest', leaveOut)
  const templates = fieldsOf(config.assertionTemplates)
  return findTests(config, host, leaveOut).flatMap(({ test, where }) => {
    checkTest(test, where, leaveOut)
    const read = readTest(test, where, { defaults, templates, host })
    const rows: TestRow[] = []
    for (const one of read)
      if ('reason' in one) leaveOut(one.where, one.reason)
      else rows.push(one)
    return rows
  })
}

type TestContext = { defaults: PromptfooFields; templates: PromptfooFields; host: PromptfooHost }

function readTest(
  test: PromptfooFields,
  where: string,
  { defaults, templates, host }: TestContext,
): (TestRow | { where: string; reason: string })[] {
  const options = { ...fieldsOf(defaults.options), ...fieldsOf(test.options) }
  const both = { ...defaults, ...test }
  for (const [key, reason] of Object.entries(refused)) if (both[key] !== undefined) return [{ where, reason }]
  for (const [key, reason] of Object.entries(refusedOptions)) if (options[key] !== undefined) return [{ where, reason }]
  const { transform: given, prefix = '', suffix = '', disableVarExpansion } = options
  const transform = given === undefined ? undefined : readTransform(given, host)
  if (transform !== undefined && 'reason' in transform) return [{ where, reason: transform.reason }]
  const { threshold = defaults.threshold, prompts } = test
  const assertions = [...listOf(defaults.assert), ...listOf(test.assert)]
  const all = combinations({ ...fieldsOf(defaults.vars), ...fieldsOf(test.vars) }, host, disableVarExpansion !== true)
  if (typeof all === 'string') return [{ where, reason: all }]
  return all.map((values) => {
    const vars = resolvedVars(values, host)
    if (typeof vars === 'string') return { where, reason: vars }
    const assert = readAssertions(assertions, { vars, host, templates })
    if ('reason' in assert) return { where: placeOf(assert.index, listOf(defaults.assert).length, where), reason: assert.reason }
    return {
      where,
      vars,
      assert,
      prefix: String(prefix),
      suffix: String(suffix),
      ...(typeof threshold === 'number' ? { threshold } : {}),
      ...(transform === undefined ? {} : { transform }),
      ...(Array.isArray(prompts) ? { prompts: prompts.map(String) } : {}),
    }
  })
}

/** Where an assertion stands: among those of all tests, or its own. */
function placeOf(index: number, common: number, where: string): string {
  return index < common ? `${where} (defaultTest.assert[${index}])` : `${where}.assert[${index - common}]`
}

function checkTest(test: PromptfooFields, where: string, leaveOut: LeaveOut): void {
  checkPromptfooKeys(test, 'test', where, leaveOut)
  checkPromptfooKeys(fieldsOf(test.options), 'options', `${where}.options`, leaveOut)
  for (const [number, one] of listOf(test.assert).entries())
    checkPromptfooKeys(fieldsOf(one), 'assertion', `${where}.assert[${number}]`, leaveOut)
}

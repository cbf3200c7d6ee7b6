import { type Assertion, whyUnsupported } from './assertions.ts'
import { checkPromptfooKeys } from './check-promptfoo-keys.ts'

export type PromptfooFields = Readonly<Record<string, unknown>>

/** A test with one value for each variable. */
export type TestRow = { where: string; vars: PromptfooFields; assert: Assertion[]; threshold?: number }

type LeaveOut = (where: string, text: string) => void

/** The tests with the defaults of the config; a test with a list as a variable is one for each of its values. */
export function readTests({ tests, defaultTest, scenarios }: PromptfooFields, leaveOut: LeaveOut): TestRow[] {
  if (scenarios !== undefined) leaveOut('scenarios', 'scenarios are not read')
  if (!Array.isArray(tests)) {
    leaveOut('tests', tests === undefined ? 'there are none' : 'tests in other files are not read')
    return []
  }
  const defaults = fieldsOf(defaultTest)
  checkTest(defaults, 'defaultTest', leaveOut)
  return tests.flatMap((test, number) => {
    const where = `tests[${number}]`
    if (typeof test !== 'object' || test === null) {
      leaveOut(where, 'tests in other files are not read')
      return []
    }
    checkTest(test as PromptfooFields, where, leaveOut)
    const { vars, assert = [], threshold = defaults.threshold, options } = test as PromptfooFields
    const transform = fieldsOf(options).transform ?? fieldsOf(defaults.options).transform
    if (transform !== undefined) {
      leaveOut(where, 'its transform would run code of the config outside a sandbox')
      return []
    }
    const all = [...listOf(defaults.assert), ...listOf(assert)].map(fieldsOf)
    return combinations({ ...fieldsOf(defaults.vars), ...fieldsOf(vars) }).flatMap((values) => {
      const file = Object.entries(values).find(([, value]) => typeof value === 'string' && value.startsWith('file://'))
      if (file) {
        leaveOut(where, `its variable ${file[0]} is in another file`)
        return []
      }
      const row: TestRow = { where, vars: values, assert: all.flatMap((one) => assertionsOf(one, values)) }
      return [typeof threshold === 'number' ? { ...row, threshold } : row]
    })
  })
}

function checkTest(test: PromptfooFields, where: string, leaveOut: LeaveOut): void {
  checkPromptfooKeys(test, 'test', where, leaveOut)
  checkPromptfooKeys(fieldsOf(test.options), 'options', `${where}.options`, leaveOut)
  for (const [number, one] of listOf(test.assert).entries())
    checkPromptfooKeys(fieldsOf(one), 'assertion', `${where}.assert[${number}]`, leaveOut)
}

/** An assertion with its variables filled in; the members of an `assert-set` without a threshold count each. */
function assertionsOf({ type, value, weight, transform, assert, threshold }: PromptfooFields, vars: PromptfooFields): Assertion[] {
  if (transform !== undefined) return [{ type: `${type} with a transform` }]
  if (type === 'assert-set' && threshold === undefined && weight === undefined)
    return listOf(assert).flatMap((one) => assertionsOf(fieldsOf(one), vars))
  const filled = fill(value, vars)
  const [unread] = unreadIn(value, vars)
  // An assertion that cannot be evaluated at all keeps that reason.
  if (unread !== undefined && whyUnsupported({ type: String(type), value: filled }) === undefined)
    return [{ type: `${type} with ${unread}` }]
  return [{ type: String(type), ...(filled === undefined ? {} : { value: filled }), ...(typeof weight === 'number' ? { weight } : {}) }]
}

/** The parts of a value that promptfoo would replace: files, and templates other than a variable of the test. */
function unreadIn(value: unknown, vars: PromptfooFields): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unreadIn(one, vars))
  if (typeof value !== 'string') return []
  if (value.startsWith('file://')) return [value]
  const parts = value.match(/\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}/gs) ?? []
  return parts.filter((part) => !Object.hasOwn(vars, variable.exec(part)?.[1] ?? ''))
}

const variable = /^\{\{\s*([\w-]+)\s*\}\}$/

function fill(value: unknown, vars: PromptfooFields): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, vars))
  if (typeof value !== 'string') return value
  return value.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (written, name: string) => (Object.hasOwn(vars, name) ? String(vars[name]) : written))
}

/** Every combination of the values of variables that are lists. */
function combinations(vars: PromptfooFields): PromptfooFields[] {
  let rows: PromptfooFields[] = [{}]
  for (const [name, value] of Object.entries(vars))
    rows = rows.flatMap((row) => (Array.isArray(value) ? value : [value]).map((one) => ({ ...row, [name]: one })))
  return rows
}

function fieldsOf(value: unknown): PromptfooFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PromptfooFields) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

import { parse } from 'yaml'
import { type Assertion, isLinearPattern, whyUnsupported } from './assertions.ts'
import type { JavaScript } from './call-javascript.ts'
import { renderNunjucks } from './nunjucks.ts'
import {
  fieldsOf,
  fileIn,
  functionIn,
  isScript,
  listOf,
  needsAllowExec,
  type PromptfooFields,
  type PromptfooHost,
} from './promptfoo-host.ts'

/** What an assertion is read with. */
type AssertionContext = { vars: PromptfooFields; host: PromptfooHost; templates: PromptfooFields }

/** An assertion, or why it cannot be evaluated. */
type Read = { assertion: Assertion } | { reason: string }

/** The assertions of a test with their variables filled in, or why one cannot be evaluated. */
export function readAssertions(given: readonly unknown[], context: AssertionContext): Assertion[] | { reason: string; index: number } {
  const assertions: Assertion[] = []
  for (const [index, one] of given.entries()) {
    const read = readAssertion(fieldsOf(one), context)
    if ('reason' in read) return { reason: read.reason, index }
    assertions.push(read.assertion)
  }
  return assertions
}

function readAssertion(written: PromptfooFields, context: AssertionContext): Read {
  const given = referenced(written, context.templates)
  if (given === undefined) return { reason: `it names a template that is not there: ${String(written.$ref)}` }
  const { type, value, weight, threshold, transform, assert, config, metric } = given
  if (typeof type !== 'string') return { reason: 'an assertion has no type' }
  const changes = transform === undefined ? undefined : readTransform(transform, context.host)
  if (changes !== undefined && 'reason' in changes) return changes
  const common: Assertion = {
    type,
    ...(typeof weight === 'number' ? { weight } : {}),
    ...(typeof threshold === 'number' ? { threshold } : {}),
    ...(typeof metric === 'string' ? { metric } : {}),
    ...(changes === undefined ? {} : { transform: changes }),
  }
  if (type === 'assert-set') {
    const members = readAssertions(listOf(assert), context)
    return 'reason' in members ? members : { assertion: { ...common, assert: members } }
  }
  if (type.replace(/^not-/, '') === 'javascript')
    return readScript({ ...common, ...(config === undefined ? {} : { config }) }, value, context)
  const filled = filledValue(value, context)
  if ('reason' in filled) return { reason: `${type} with ${filled.reason}` }
  const assertion: Assertion = { ...common, ...(filled.value === undefined ? {} : { value: filled.value }) }
  if (type.replace(/^not-/, '') === 'regex' && typeof assertion.value === 'string' && !isLinearPattern(assertion.value)) {
    if (!isPattern(assertion.value)) return { reason: `${assertion.value} is not a regular expression` }
    const code = `return new RegExp(${JSON.stringify(assertion.value)}).test(output)`
    return { assertion: { ...assertion, javascript: { kind: 'body', code, parameters: ['output'] } } }
  }
  const reason = whyUnsupported(assertion)
  return reason === undefined ? { assertion: asSchema(assertion) } : { reason }
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

/** A schema may be written as text. */
function asSchema(assertion: Assertion): Assertion {
  const isJson = /^(?:not-)?(?:is|contains)-json$/.test(assertion.type)
  return isJson && typeof assertion.value === 'string' ? { ...assertion, value: parse(assertion.value) } : assertion
}

function referenced(given: PromptfooFields, templates: PromptfooFields): PromptfooFields | undefined {
  const name = typeof given.$ref === 'string' ? /^#\/assertionTemplates\/(.+)$/.exec(given.$ref)?.[1] : undefined
  if (given.$ref === undefined) return given
  return name !== undefined && Object.hasOwn(templates, name) ? { ...fieldsOf(templates[name]), ...given, $ref: undefined } : undefined
}

function readScript(common: Assertion, value: unknown, { vars, host }: AssertionContext): Read {
  if (typeof value !== 'string') return { reason: `${common.type} has no code` }
  const file = fileIn(value)
  if (file !== undefined) {
    const script = scriptOf(file, host)
    return 'reason' in script
      ? { reason: `${common.type} ${script.reason}` }
      : { assertion: { ...common, value: file, javascript: script } }
  }
  const rendered = renderNunjucks(value, vars)
  if ('reason' in rendered) return { reason: `${common.type} with ${rendered.reason}` }
  const code = rendered.text.trimEnd()
  const body = code.includes('\n') ? code : bodyOfLine(code)
  return { assertion: { ...common, value: code, javascript: { kind: 'body', code: body, parameters: ['output', 'context'] } } }
}

/** A transform of an output: an expression, the body of a function, or a file. */
export function readTransform(given: unknown, host: PromptfooHost): JavaScript | { reason: string } {
  if (typeof given !== 'string') return { reason: 'its transform is no text' }
  const file = fileIn(given)
  if (file !== undefined) {
    const script = scriptOf(file, host)
    return 'reason' in script ? { reason: `its transform ${script.reason}` } : script
  }
  return { kind: 'body', code: given.includes('\n') ? given : `return ${given}`, parameters: ['output', 'context'] }
}

/** A file with a function, if files may run. */
export function scriptOf(file: string, host: PromptfooHost): JavaScript | { reason: string } {
  const { path, name } = functionIn(file)
  if (!isScript(path)) return { reason: `is a program in another language: ${path}` }
  if (!host.allowExec) return { reason: `(${path}) ${needsAllowExec}` }
  return { kind: 'file', code: host.readScript(path), name }
}

/** One line of code is an expression, or declarations before one. */
function bodyOfLine(line: string): string {
  const code = line.trim().replace(/;+\s*$/, '')
  if (!/^(?:const|let|var)\s/.test(code)) return `return ${code}`
  const end = lastSemicolon(code)
  const expression = code.slice(end + 1).trim()
  return end < 0 || expression === '' ? code : `${code.slice(0, end + 1)} return ${expression}`
}

/** The last semicolon outside quotes. */
function lastSemicolon(code: string): number {
  let quote = ''
  let last = -1
  for (let at = 0; at < code.length; at++) {
    const character = code.charAt(at)
    if (character === '\\') at++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (/["'`]/.test(character)) quote = character
    else if (character === ';') last = at
  }
  return last
}

/** A value with its templates filled and its file read. */
function filledValue(value: unknown, context: AssertionContext): { value: unknown } | { reason: string } {
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      const filled = typeof item === 'string' ? filledValue(item, context) : { value: item }
      if ('reason' in filled) return filled
      items.push(filled.value)
    }
    return { value: items }
  }
  if (typeof value !== 'string') return { value }
  const file = fileIn(value)
  if (file === undefined) {
    const rendered = renderNunjucks(value, context.vars)
    return 'reason' in rendered ? rendered : { value: rendered.text }
  }
  const { path } = functionIn(file)
  if (isScript(path) || /\.(?:py|rb)$/.test(path)) return { reason: `${file}, a program` }
  const text = context.host.readText(path)
  if (/\.ya?ml$/.test(path)) return { value: parse(text) }
  return { value: path.endsWith('.json') ? JSON.parse(text) : text.trim() }
}

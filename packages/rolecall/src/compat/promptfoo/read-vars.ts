import { yamlOf } from './find-tests.ts'
import { isTemplate, renderNunjucks } from './nunjucks.ts'
import { fileIn, isScript, type PromptfooFields, type PromptfooHost } from './promptfoo-host.ts'

/** More combinations than this are a mistake of the config. */
const mostCombinations = 10_000

/** Every combination of the values of variables that are lists of texts, and of files that a pattern names. */
export function combinations(vars: PromptfooFields, host: PromptfooHost, expands: boolean): PromptfooFields[] | string {
  let rows: PromptfooFields[] = [{}]
  for (const [name, value] of Object.entries(vars)) {
    const values = valuesOf(value, host, expands)
    if (values.length === 0) return `its variable ${name} names no file: ${String(value)}`
    if (rows.length * values.length > mostCombinations) return `its lists make more than ${mostCombinations} combinations`
    rows = rows.flatMap((row) => values.map((one) => ({ ...row, [name]: one })))
  }
  return rows
}

function valuesOf(value: unknown, host: PromptfooHost, expands: boolean): readonly unknown[] {
  const pattern = fileIn(value)
  if (pattern !== undefined) return expands ? host.matching(pattern).map((path) => `file://${path}`) : [value]
  return expands && Array.isArray(value) && typeof value[0] === 'string' ? value : [value]
}

/** The variables of a test with files read and templates filled, or why they cannot be read. */
export function resolvedVars(vars: PromptfooFields, host: PromptfooHost): PromptfooFields | string {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(vars)) {
    const path = fileIn(value)
    if (path === undefined) read[name] = typeof value === 'string' ? value.replace(/\n$/, '') : value
    else {
      const content = contentOf(path, host)
      if ('reason' in content) return `its variable ${name} ${content.reason}`
      read[name] = content.text
    }
  }
  return filled(read)
}

function contentOf(path: string, host: PromptfooHost): { text: string } | { reason: string } {
  if (isScript(path) || path.endsWith('.py')) return { reason: `is made by a program, ${path}` }
  if (/\.(?:pdf|png|jpe?g|gif|webp|bmp|svg|ico|avif|mp[34]|m4a|wav|ogg|flac|webm|mov|avi)$/i.test(path))
    return { reason: `is no text: ${path}` }
  if (path.startsWith('/') || path.split('/').includes('..')) return { reason: `is a file outside the folder of the config: ${path}` }
  const text = host.readText(path)
  if (/\.ya?ml$/.test(path)) return { text: JSON.stringify(yamlOf(text, path)) }
  return { text: text.trim() }
}

/** Variables in variables: each is filled with the others, as long as it names only known ones. */
function filled(vars: PromptfooFields): PromptfooFields | string {
  let current = vars
  for (let round = 0; round < 5; round++) {
    const next: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(current)) {
      if (typeof value !== 'string' || !isTemplate(value) || namesUnknown(value, current)) {
        next[name] = value
        continue
      }
      const { [name]: _, ...others } = current
      const rendered = renderNunjucks(value, others)
      if ('reason' in rendered) return `its variable ${name}: ${rendered.reason}`
      next[name] = rendered.text
    }
    if (Object.entries(next).every(([name, value]) => current[name] === value)) return next
    current = next
  }
  return current
}

function namesUnknown(text: string, vars: PromptfooFields): boolean {
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)/g)].some(([, name = '']) => !Object.hasOwn(vars, name))
}

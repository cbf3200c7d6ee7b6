import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import { isObject } from './check-user-config.ts'
import { readExports } from './read-module.ts'

/** `score.ts:mine`: a function exported by a TypeScript or JavaScript file; Python's are found by `own-classes.ts`. */
const functionInModule = /^(.+\.[cm]?[jt]s):([A-Za-z_$][\w$]*)$/

/** A config whose evaluators and postprocessors named in modules are the functions themselves. Paths are relative to the config. */
export async function withOwnModules(config: unknown, folder: string, where: string): Promise<unknown> {
  if (!isObject(config) || !Array.isArray(config.datasets)) return config
  const modules = new Map<string, Promise<unknown>>()
  const open = (file: string, place: string) => {
    const path = resolve(folder, file)
    if (!existsSync(path))
      throw new PromptError('no-file', {
        where: place,
        problem: `there is no file ${file}`,
        fix: "give a path relative to the config's folder",
      })
    const known = modules.get(path) ?? readExports(path, place)
    modules.set(path, known)
    return known
  }
  const datasets: unknown[] = []
  for (const [index, dataset] of config.datasets.entries()) {
    const scoring = isObject(dataset) ? dataset.eval_cfg : undefined
    const place = `${where}datasets[${index}].eval_cfg`
    datasets.push(isObject(scoring) ? { ...dataset, eval_cfg: await withFunctions(scoring, place, open) } : dataset)
  }
  return { ...config, datasets }
}

type Open = (file: string, place: string) => Promise<unknown>
type Fields = Record<string, unknown>

/** An `eval_cfg`, or a check of several, with its functions. */
async function withFunctions(scoring: Fields, where: string, open: Open): Promise<Fields> {
  const made: Fields = { ...scoring }
  for (const key of ['pred_postprocessor', 'dataset_postprocessor'])
    if (scoring[key] !== undefined) made[key] = await stepsOf(scoring[key], `${where}.${key}`, open)
  const { evaluator } = scoring
  if (typeof evaluator === 'string' || isObject(evaluator)) made.evaluator = await evaluatorOf(evaluator, `${where}.evaluator`, open)
  return made
}

async function evaluatorOf(evaluator: string | Fields, where: string, open: Open): Promise<unknown> {
  const { type, ...settings }: Fields = typeof evaluator === 'string' ? { type: evaluator } : evaluator
  const found = await exportNamed(type, where, open)
  if (found !== undefined) {
    if (typeof found === 'function') return Object.keys(settings).length === 0 ? found : { judge: found, ...settings }
    return { ...(found as Fields), ...settings }
  }
  if (typeof evaluator === 'string' || !Array.isArray(evaluator.checks)) return evaluator
  const checks: unknown[] = []
  for (const [index, check] of evaluator.checks.entries())
    checks.push(isObject(check) ? await withFunctions(check, `${where}.checks[${index}]`, open) : check)
  return { ...evaluator, checks }
}

async function stepsOf(steps: unknown, where: string, open: Open): Promise<unknown> {
  if (Array.isArray(steps)) return Promise.all(steps.map((step, index) => stepsOf(step, `${where}[${index}]`, open)))
  const type = isObject(steps) ? steps.type : steps
  const found = await exportNamed(type, where, open)
  if (found === undefined || typeof found === 'function') return found ?? steps
  throw new PromptError('no-function', {
    where,
    problem: `${String(type)} is no function`,
    fix: 'export a function that is given the text',
  })
}

async function exportNamed(type: unknown, where: string, open: Open): Promise<unknown> {
  const [, file, name] = typeof type === 'string' ? (functionInModule.exec(type) ?? []) : []
  if (file === undefined || name === undefined) return undefined
  const exports = await open(file, where)
  const found = isObject(exports) || typeof exports === 'object' ? (exports as Fields)[name] : undefined
  if (typeof found === 'function' || (isObject(found) && typeof found.judge === 'function')) return found
  const names = Object.keys((exports ?? {}) as Fields).filter((one) => one !== 'default')
  const near = nearestName(name, names)
  throw new PromptError('no-function', {
    where,
    problem: `${file} exports no function "${name}"${names.length === 0 ? '' : ` (it exports: ${names.join(', ')})`}`,
    fix: near === undefined ? `export it: export function ${name}({ prediction, reference }) { … }` : `did you mean ${file}:${near}?`,
  })
}

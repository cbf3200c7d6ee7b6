import { PromptError } from '@rolecall/core/internal/errors'
import { parse } from 'yaml'
import { testsOfCsv } from './csv-tests.ts'
import {
  fieldsOf,
  fileIn,
  functionIn,
  isScript,
  type LeaveOut,
  listOf,
  type PromptfooFields,
  type PromptfooHost,
} from './promptfoo-host.ts'

/** A test as written, and where. */
type WrittenTest = { test: PromptfooFields; where: string }

/** The tests of a config and of the files that it names, in order; without any, one test without variables. */
export function findTests({ tests, scenarios }: PromptfooFields, host: PromptfooHost, leaveOut: LeaveOut): WrittenTest[] {
  const found = testsIn(tests, 'tests', host, leaveOut)
  const ofScenarios = listOf(scenarios).flatMap((scenario, number) => testsOfScenario(scenario, `scenarios[${number}]`, host, leaveOut))
  if (tests === undefined && scenarios === undefined) return [{ test: {}, where: 'tests' }]
  return [...found, ...ofScenarios]
}

function testsIn(given: unknown, where: string, host: PromptfooHost, leaveOut: LeaveOut): WrittenTest[] {
  if (given === undefined || given === null) return []
  if (typeof given === 'string') return testsOfFile(given, where, host, leaveOut)
  if (!Array.isArray(given)) {
    leaveOut(where, 'tests that a function makes are not read')
    return []
  }
  return given.flatMap((test, number) => {
    const place = `${where}[${number}]`
    if (typeof test === 'string') return testsOfFile(test, place, host, leaveOut)
    const path = fileIn(fieldsOf(test).path) ?? fieldsOf(test).path
    if (typeof path === 'string') return testsOfFile(path, place, host, leaveOut)
    return [{ test: fieldsOf(test), where: place }]
  })
}

function testsOfFile(given: string, where: string, host: PromptfooHost, leaveOut: LeaveOut): WrittenTest[] {
  if (/^(?:https?|huggingface):/.test(given)) {
    leaveOut(where, `tests are not downloaded from ${given}: save them beside the config`)
    return []
  }
  const pattern = fileIn(given) ?? given
  const paths = host.matching(functionIn(pattern).path)
  if (paths.length === 0)
    throw new PromptError('no-file', { where, problem: `no file matches ${pattern}`, fix: 'paths are relative to the config' })
  return paths.flatMap((path) => {
    const list = readList(path, where, host, leaveOut)
    return list.map((test, number) => ({ test: fieldsOf(test), where: `${where} › ${path}[${number}]` }))
  })
}

function readList(path: string, where: string, host: PromptfooHost, leaveOut: LeaveOut): readonly unknown[] {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? ''
  if (ending === 'csv') return testsOfCsv(host.readText(path), path)
  if (ending === 'jsonl')
    return host
      .readText(path)
      .split('\n')
      .flatMap((line, index) => (line.trim() === '' ? [] : [jsonOf(line, `${path}:${index + 1}`)]))
  if (ending === 'json') return [jsonOf(host.readText(path), path)].flat()
  if (ending === 'yaml' || ending === 'yml') return [yamlOf(host.readText(path), path)].flat()
  leaveOut(
    where,
    isScript(path) || ending === 'py'
      ? `${path} makes its tests by a program, which is not run`
      : `tests are not read from .${ending} files`,
  )
  return []
}

function testsOfScenario(given: unknown, where: string, host: PromptfooHost, leaveOut: LeaveOut): WrittenTest[] {
  const scenario = fieldsOf(fileIn(given) === undefined ? given : yamlOf(host.readText(fileIn(given) ?? ''), where))
  const tests = testsIn(scenario.tests ?? [{}], `${where}.tests`, host, leaveOut)
  return listOf(scenario.config).flatMap((common, number) => {
    const { vars, assert, options, ...rest } = fieldsOf(common)
    return tests.map(({ test, where: place }) => ({
      test: {
        ...rest,
        ...test,
        vars: { ...fieldsOf(vars), ...fieldsOf(test.vars) },
        assert: [...listOf(assert), ...listOf(test.assert)],
        options: { ...fieldsOf(options), ...fieldsOf(test.options) },
      },
      where: `${place} with ${where}.config[${number}]`,
    }))
  })
}

/** `defaultTest`, which may be in a file. */
export function defaultTestOf({ defaultTest }: PromptfooFields, host: PromptfooHost): PromptfooFields {
  const path = fileIn(defaultTest)
  return fieldsOf(path === undefined ? defaultTest : yamlOf(host.readText(path), path))
}

export function yamlOf(text: string, where: string): unknown {
  try {
    return parse(text, { merge: true, maxAliasCount: 1_000 })
  } catch (error) {
    throw new PromptError('bad-yaml', { where, problem: (error as Error).message.split('\n')[0] ?? '', fix: 'mend the file' })
  }
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PromptError('bad-json', { where, problem: `it is not JSON: ${(error as Error).message}`, fix: 'mend the file' })
  }
}

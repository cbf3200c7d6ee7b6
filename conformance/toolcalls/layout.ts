import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openRows } from '../../src/app/node/rows/open-rows.ts'
import { PromptError } from '../../src/base/errors/prompt-error.ts'
import type { ScoringRuleName } from '../../src/base/fidelity/scoring-fidelity.ts'
import {
  dictEntries,
  dictGet,
  dictHas,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  pyEqual,
  stringifyJson,
} from '../../src/base/python/index.ts'
import { bfclRow, type ClassFunctions, classFile } from '../../src/evaluation/dataset/bfcl/bfcl-row.ts'
import { functionsToTools } from '../../src/evaluation/dataset/bfcl/functions-to-tools.ts'
import { withLanguageHint } from '../../src/evaluation/dataset/bfcl/language-hint.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'

/** Files in the leaderboard's layout, loaded like a dataset with `answers_path`. */
export const toolcallLayout: Suite = {
  name: 'toolcalls',
  recognises: (vector) => ['files', 'version', 'category', 'expected'].every((key) => dictHas(vector, key)),
  async judge(json): Promise<Verdict> {
    const vector = json as PyDict
    const files = new Map(dictEntries(dictGet(vector, 'files') as PyDict) as [string, string][])
    const name = `${dictGet(vector, 'version')}_${dictGet(vector, 'category')}.json`
    const expected = dictGet(dictGet(vector, 'expected') as PyDict, 'rows')
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-bfcl-'))
    try {
      for (const [path, text] of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      const ours = await readRows(folder, name, String(dictGet(vector, 'category')))
      if (!isList(expected)) return ours instanceof PromptError ? { kind: 'passed' } : unexpected(files.get(name) ?? '', ours)
      if (ours instanceof PromptError) return refused(ours)
      const wrong = expected.find((row, index) => !isSame(row as PyDict, ours[index]))
      return wrong === undefined && ours.length === expected.length
        ? { kind: 'passed' }
        : { kind: 'failed', why: `expected ${stringifyJson(wrong ?? expected)}, ours ${stringifyJson(ours as readonly PyValue[])}` }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Rows that the reference can read. */
function refused({ code, message }: PromptError): Verdict {
  return code === 'other-answer-row'
    ? { kind: 'deviation', rule: 'bfcl-other-id' satisfies ScoringRuleName }
    : { kind: 'failed', why: message }
}

/** Rows that the reference cannot read. */
function unexpected(text: string, ours: readonly PyDict[]): Verdict {
  // Empty lines are skipped in every JSONL file.
  if (/^[^\S\n]*\n/m.test(text)) return { kind: 'deviation', rule: 'bfcl-blank-line' satisfies ScoringRuleName }
  return { kind: 'failed', why: `the reference fails, ours ${stringifyJson(ours)}` }
}

/** Relevance has no answers: only whether the model calls anything counts. */
async function readRows(folder: string, name: string, category: string): Promise<PyDict[] | PromptError> {
  const answers = category.includes('relevance') ? {} : { answers_path: `possible_answer/${name}` }
  const { test } = openRows({ path: name, file_type: 'jsonl', ...answers }, folder)
  try {
    const rows: PyDict[] = []
    for await (const { row } of test) rows.push(row)
    return rows.map((row) => read(row, folder))
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
}

function read(row: PyDict, folder: string): PyDict {
  try {
    return bfclRow(row, classFunctions(folder))
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    // The reference reads the row, but fails when it converts its functions to tools.
    const functions = dictGet(row, 'function') as readonly PyValue[]
    try {
      functionsToTools(withLanguageHint(functions, ''))
    } catch {
      return { ...(row as { [key: string]: PyValue }), functions, tools_raises: true }
    }
    throw error
  }
}

function classFunctions(folder: string): ClassFunctions {
  return (name) => {
    const text = readFileSync(join(folder, 'multi_turn_func_doc', classFile(name)), 'utf8')
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line))
  }
}

function isSame(expected: PyDict, ours: PyDict | undefined): boolean {
  if (ours === undefined) return false
  return dictEntries(expected).every(([key, value]) => {
    if (key === 'tools_raises') return dictHas(ours, key)
    if (key === 'category' && dictHas(ours, 'tools_raises')) return true
    return pyEqual(dictGet(ours, key) ?? null, value)
  })
}

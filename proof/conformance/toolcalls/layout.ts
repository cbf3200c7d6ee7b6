import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import {
  dictEntries,
  dictGet,
  dictHas,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
} from '../../../packages/core/src/base/python/index.ts'
import { bfclRow, type ClassFunctions, classFile } from '../../../packages/rolecall/src/evaluation/dataset/bfcl/bfcl-row.ts'
import { functionsToTools } from '../../../packages/rolecall/src/evaluation/dataset/bfcl/functions-to-tools.ts'
import { withLanguageHint } from '../../../packages/rolecall/src/evaluation/dataset/bfcl/language-hint.ts'
import { openRows } from '../../../packages/rolecall/src/node/rows/open-rows.ts'
import { agrees, type Outcome, outcomeLater, sameValue, show } from '../outcome.ts'
import { givesSo } from '../rules.ts'
import { plain } from '../scoring/vector.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'

/** Files in the leaderboard's layout, loaded like a dataset with `answers_path`. */
export const toolcallLayout: Suite = {
  name: 'toolcalls',
  recognises: (vector) => ['files', 'version', 'category', 'expected'].every((key) => dictHas(vector, key)),
  async examine(json) {
    const vector = json as PyDict
    const files = new Map(dictEntries(dictGet(vector, 'files') as PyDict) as [string, string][])
    const name = `${dictGet(vector, 'version')}_${dictGet(vector, 'category')}.json`
    const expected = dictGet(dictGet(vector, 'expected') as PyDict, 'rows')
    const category = String(dictGet(vector, 'category'))
    const withoutBlanks = new Map([...files].map(([path, text]) => [path, linesOf(text).join('\n')]))
    const ours = await rowsIn(files, name, category)
    const promised = await rowsIn(withoutBlanks, name, category)
    return trial(ours, (result) => judgeRows(result, isList(expected) ? expected.map(plain) : undefined, promised, files, name))
  },
}

async function rowsIn(files: ReadonlyMap<string, string>, name: string, category: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-bfcl-'))
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await outcomeLater(async () => (await readRows(folder, name, category)).map(plain))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Empty lines are skipped; answers belong to their questions by id. */
function judgeRows(
  ours: Outcome,
  expected: readonly unknown[] | undefined,
  promised: Outcome,
  files: ReadonlyMap<string, string>,
  name: string,
): Verdict {
  const text = files.get(name) ?? ''
  if (agreesWith(ours, expected)) return identical
  const hasBlankLine = /^[^\S\n]*\n/m.test(text)
  // As without its empty lines.
  if (expected === undefined && hasBlankLine && 'value' in ours && 'value' in promised && sameValue(ours.value, promised.value))
    return { kind: 'rule', rule: 'bfcl-blank-line' }
  const answers = files.get(`possible_answer/${name}`)
  if (expected !== undefined && answers !== undefined && idsIn(answers).join() !== idsIn(text).join() && givesSo('bfcl-other-id', ours))
    return { kind: 'rule', rule: 'bfcl-other-id' }
  return failed(`ours ${show(ours)}, expected ${expected === undefined ? 'an error' : JSON.stringify(expected)}`)
}

function agreesWith(ours: Outcome, expected: readonly unknown[] | undefined): boolean {
  if (expected === undefined || 'error' in ours) return agrees(ours, expected && { value: expected })
  const rows = ours.value as Record<string, unknown>[]
  return (
    Array.isArray(rows) &&
    rows.length === expected.length &&
    expected.every((row, index) => isSame(row as Record<string, unknown>, rows[index]))
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function idsIn(text: string): string[] {
  return linesOf(text).map((line) => String((JSON.parse(line) as { id?: string }).id))
}

/** Relevance has no answers: only whether the model calls anything counts. */
async function readRows(folder: string, name: string, category: string): Promise<PyDict[]> {
  const answers = category.includes('relevance') ? {} : { answers_path: `possible_answer/${name}` }
  const { test } = openRows({ path: name, file_type: 'jsonl', ...answers }, folder)
  const rows: PyDict[] = []
  for await (const { row } of test) rows.push(row)
  return rows.map((row) => read(row, folder))
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

function isSame(expected: Record<string, unknown>, ours: Record<string, unknown> | undefined): boolean {
  if (ours === undefined) return false
  return Object.entries(expected).every(([key, value]) => {
    if (key === 'tools_raises') return key in ours
    if (key === 'category' && 'tools_raises' in ours) return true
    return sameValue(ours[key] ?? null, value)
  })
}

import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { rolecall } from '../../testing/rolecall.ts'
import type { Statement } from './statement.ts'
import { filesOf, surfaces } from './surfaces.ts'

/** What holds of a statement in one language: "works", the error that is expected, or what is wrong. */
export type Tried = { statement: Statement; file: string; holds: Readonly<Record<string, string>> }

/** As `render --json` prints it. */
type Shown = { prompt: { pieces: { text: string }[] } }

/** Tries a statement on every surface, in a folder that has its files; `whole`: the only language that commands are tried in. */
export async function tryStatement(statement: Statement, folder: string, whole?: string): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const file of Object.keys(filesOf(statement))) {
    const holds: Record<string, string> = {}
    for (const [name, surface] of Object.entries(surfaces)) {
      if (whole !== undefined && whole !== file && name !== 'library') continue
      const expected = statement.except?.[name] ?? (statement.works?.includes(name) ? undefined : statement.refused)
      const problem = await surface(file, folder).catch((error: unknown) => errorOf(error))
      holds[name] = problem === undefined ? 'works' : isExpected(problem, expected) ? `says ${expected}` : `FAILS: ${problem}`
    }
    if (statement.prompt !== undefined) {
      const { stdout, stderr } = await rolecall(['render', file, '--text'], folder)
      holds.prompt = stdout === statement.prompt ? 'works' : `FAILS: ${JSON.stringify(stdout)} ${stderr}`
    }
    if (statement.shows !== undefined) {
      const { stdout, stderr } = await rolecall(['render', file, '--json'], folder)
      const shown =
        stdout === '' ? [] : (JSON.parse(stdout) as Shown[]).map(({ prompt: { pieces } }) => pieces.map(({ text }) => text).join(''))
      holds.prompt = JSON.stringify(shown) === JSON.stringify(statement.shows) ? 'works' : `FAILS: ${JSON.stringify(shown)} ${stderr}`
    }
    tried.push({ statement, file, holds })
  }
  return tried
}

/** Commands print their errors, with the fix on the last line. */
function errorOf(error: unknown): string {
  if (error instanceof PromptError) return error.code
  return error instanceof Error ? error.message : String(error)
}

/** A command says in words what the library says as a code. */
const words: Readonly<Record<string, RegExp>> = {
  'two-parts': /have their own|has its own/,
  missing: /no template that it fills/,
  'unknown-role': /is not in the meta template/,
  'unknown-template': /there is no conversation template/,
}

function isExpected(problem: string, expected: string | undefined): boolean {
  return expected !== undefined && (problem === expected || words[expected]?.test(problem) === true)
}

/** The table: a line for each statement and language. */
export function showTable(tried: readonly Tried[]): string {
  const names = ['prompt', ...Object.keys(surfaces)]
  const cells = tried.map(({ statement: { document, name }, file, holds }) => [
    document,
    name,
    file,
    ...names.map((surface) => (holds[surface] ?? '').slice(0, 60)),
  ])
  const rows = [['document', 'statement', 'file', ...names], ...cells]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

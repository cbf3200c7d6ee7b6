import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { entryPoints } from '../src/node/entry-points.ts'

const root = fileURLToPath(new URL('../src/', import.meta.url))

/** An import between two folders of `src`, and whether anything of it is there when the code runs. */
type Edge = { from: string; to: string; isType: boolean; place: string }

/** What users import is made of all parts. */
const entries = new Set(Object.values(entryPoints).map((file) => `${file}.ts`))

/** What users may write as functions or open by name is typed where it is used; the config only names those types. */
const typesOfConfigs = new Set(['format', 'model', 'tokenize', 'retrieve', 'score'])

const edges = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !entries.has(file))
  .flatMap(edgesOf)

test('folders import each other in one direction', () => {
  expect(circles(edges.filter(({ isType }) => !isType))).toEqual([])
})

test('types do, too, but for those of what a config may hold', () => {
  expect(circles(edges.filter(({ from, to, isType }) => !(isType && from === 'config' && typesOfConfigs.has(to))))).toEqual([])
})

function edgesOf(file: string): Edge[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest)
  return source.statements.flatMap((statement): Edge[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier } = statement
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.')) return []
    const target = posix.join(posix.dirname(file), moduleSpecifier.text)
    const [from, to] = [folderOf(file), folderOf(target)]
    return from === to ? [] : [{ from, to, isType: isTypeOnly(statement), place: `${file} -> ${target}` }]
  })
}

function folderOf(file: string): string {
  return file.split('/')[0]!
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const clause = statement.importClause
  if (!clause || clause.isTypeOnly) return clause !== undefined
  const { namedBindings: named, name } = clause
  return name === undefined && named !== undefined && ts.isNamedImports(named) && named.elements.every(({ isTypeOnly: alone }) => alone)
}

/** The imports of folders that lead back to where they came from. */
function circles(given: readonly Edge[]): string[] {
  const reached = new Map<string, Set<string>>()
  const reach = (folder: string): Set<string> => {
    const known = reached.get(folder)
    if (known) return known
    const found = new Set<string>()
    reached.set(folder, found)
    const open = [folder]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { from, to } of given) {
        if (from !== next || found.has(to)) continue
        found.add(to)
        open.push(to)
      }
    }
    return found
  }
  return given.filter(({ from, to }) => reach(to).has(from)).map(({ place }) => place)
}

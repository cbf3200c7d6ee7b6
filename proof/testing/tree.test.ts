import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { recursiveFolders, storeys } from './storeys.ts'

const root = fileURLToPath(new URL('../../packages/rolecall/src/', import.meta.url))

/** An import between two files of `src`, `import()` and types included. */
type Edge = { from: string; to: string }

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const sources = new Map(
  files.map((file) => [file, ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest)]),
)
const edges = files.flatMap(edgesOf)
/** The position of each room: its storey's height, and its index in the storey. */
const rooms = new Map<string, { height: number; storey: string; place: number }>(
  storeys.flatMap((level, height) =>
    Object.entries(level).flatMap(([storey, its]) =>
      Object.keys(its).map((room, place) => [`${storey}/${room}`, { height, storey, place }] as const),
    ),
  ),
)

describe('the house', () => {
  test('has the rooms of the table, and entry points next to them', () => {
    const found = new Set(files.filter((file) => file.includes('/')).map(roomOf))
    expect([...found].sort()).toEqual([...rooms.keys()].sort())
  })

  test('imports point down: to the same room, a room below it or a lower storey', () => {
    expect(edges.filter(pointsUp).map(show)).toEqual([])
  })

  test('no file imports itself through others, except in recursive evaluators and parsers', () => {
    const circles = circlesOf(edges).filter(
      (circle) => !recursiveFolders.some((folder) => circle.every((file) => file.startsWith(`${folder}/`))),
    )
    expect(circles).toEqual([])
  })

  test('no two files and no two exported types share a name', () => {
    const names = files.map((file) => posix.basename(file)).filter((name) => name !== 'index.ts')
    expect(sharedNames(names)).toEqual([])
    expect(sharedNames(files.flatMap(exportedTypes))).toEqual([])
  })
})

function sharedNames(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort()
}

/** The types and classes that a file declares and exports; re-exports do not count. */
function exportedTypes(file: string): string[] {
  return sources.get(file)!.statements.flatMap((node) => {
    if (!ts.isTypeAliasDeclaration(node) && !ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return []
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported && node.name ? [node.name.text] : []
  })
}

/** Entry points use all storeys, and nothing imports them. */
function pointsUp({ from, to }: Edge): boolean {
  if (!from.includes('/')) return false
  const [importer, imported] = [rooms.get(roomOf(from)), rooms.get(roomOf(to))]
  if (!importer || !imported) return true
  if (importer.storey !== imported.storey) return imported.height >= importer.height
  return imported.place > importer.place
}

function edgesOf(file: string): Edge[] {
  const found: Edge[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('.')) found.push({ from: file, to: posix.join(posix.dirname(file), specifier) })
    ts.forEachChild(node, visit)
  }
  visit(sources.get(file)!)
  return found
}

/** The imports of a node: a declaration, a re-export, `import()` as an expression or as a type. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return textOf(node.arguments[0])
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  return undefined
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

function show({ from, to }: Edge): string {
  return `${from} -> ${to}`
}

/** Sets of nodes that reach each other (Tarjan), each sorted. */
function circlesOf(given: readonly Edge[]): string[][] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of given) if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const [index, low, stack, circles] = [new Map<string, number>(), new Map<string, number>(), [] as string[], [] as string[][]]
  const connect = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of targets.get(node) ?? []) {
      if (!index.has(next)) connect(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const circle = stack.splice(stack.indexOf(node)).sort()
    if (circle.length > 1) circles.push(circle)
  }
  for (const node of targets.keys()) if (!index.has(node)) connect(node)
  return circles.sort()
}

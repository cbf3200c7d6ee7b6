import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { type Room, recursiveFolders, rooms } from './storeys.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** An import between two source files, `import()` and types included. */
type Edge = { from: string; to: string }

const sourceFolders = ['packages/core/src', 'packages/rolecall/src', 'packages/adapters/src']
const files = sourceFolders.flatMap(sourcesIn)
const sources = new Map([...files, ...sourcesIn('packages/viewer/src')].map((file) => [file, parsed(file)]))
const edges = files.flatMap(edgesOf)

describe('the house', () => {
  test('has the rooms of the table, and entry points next to them', () => {
    const inRooms = files.filter((file) => roomOf(file) !== undefined)
    expect(new Set(inRooms.map((file) => roomOf(file)!.folder))).toEqual(new Set(rooms.map(({ folder }) => folder)))
    const others = files.filter((file) => !inRooms.includes(file))
    expect(others.filter((file) => !/^packages\/(?:core|rolecall|adapters)\/src\/(?:internal\/)?[^/]+$/.test(file))).toEqual([])
  })

  test('imports point down: to the same room, a room below it or a lower storey', () => {
    expect(edges.filter(pointsUp).map(show)).toEqual([])
  })

  test('a package imports another through its entry points, and only one below it; the viewer shows cases as data', () => {
    const allowed = {
      core: /^$/,
      rolecall: /^@rolecall\/core(?:$|\/)|^rolecall\/files$/,
      adapters: /^@rolecall\/core(?:$|\/)|^rolecall(?:$|\/)/,
      viewer: /^@rolecall\/core(?:$|\/)|^rolecall\//,
    }
    const wrong = [...sources.keys()].flatMap((file) => {
      const [, name] = file.split('/') as [string, keyof typeof allowed]
      const outside = specifiersIn(file).filter((specifier) =>
        specifier.startsWith('.')
          ? !posix.join(posix.dirname(file), specifier).startsWith(`packages/${name}/src/`) && !/\/proof\/cases\/.*\.json$/.test(specifier)
          : /^(?:@rolecall\/|rolecall(?:\/|$))/.test(specifier) && !allowed[name].test(specifier),
      )
      return outside.map((specifier) => `${file} -> ${specifier}`)
    })
    expect(wrong).toEqual([])
  })

  test('no file imports itself through others, except in recursive evaluators and parsers', () => {
    const circles = circlesOf(edges).filter(
      (circle) => !recursiveFolders.some((folder) => circle.every((file) => file.startsWith(`${folder}/`))),
    )
    expect(circles).toEqual([])
  })

  test('no two files and no two exported types share a name', () => {
    const names = files
      .filter((file) => roomOf(file))
      .map((file) => posix.basename(file))
      .filter((name) => name !== 'index.ts')
    expect(sharedNames(names)).toEqual([])
    expect(sharedNames(files.filter((file) => roomOf(file)).flatMap(exportedTypes))).toEqual([])
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
  const [importer, imported] = [roomOf(from), roomOf(to)]
  if (!importer) return false
  if (!imported) return true
  if (importer.storey !== imported.storey || importer.height !== imported.height) return imported.height >= importer.height
  return imported.place > importer.place
}

function edgesOf(file: string): Edge[] {
  return specifiersIn(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: file, to: posix.join(posix.dirname(file), specifier) }))
}

function specifiersIn(file: string): string[] {
  const specifiers: string[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier !== undefined) specifiers.push(specifier)
    ts.forEachChild(node, visit)
  }
  visit(sources.get(file)!)
  return specifiers
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

function roomOf(file: string): Room | undefined {
  return rooms.find(({ folder }) => file.startsWith(`${folder}/`))
}

function sourcesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest)
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

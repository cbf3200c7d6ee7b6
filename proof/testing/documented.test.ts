import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { adapterEntryPoints, coreEntryPoints, entryPoints } from '../../scripts/entry-points.ts'
import { sourceFiles } from '../../scripts/source-files.mjs'

// Every public export has a doc comment: editors show it, and the API pages of the site are generated from it.

const files = sourceFiles()
const parsed = new Map<string, ts.SourceFile>()

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file)
  if (known) return known
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  parsed.set(file, source)
  return source
}

/** The public names of a file, with their declarations. */
function exportsOf(file: string): Map<string, { file: string; name: string }> {
  const found = new Map<string, { file: string; name: string }>()
  for (const statement of parse(file).statements) {
    if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier ? moduleOf(statement.moduleSpecifier, file) : file
      const clause = statement.exportClause
      if (!clause) for (const [name, place] of exportsOf(from)) found.set(name, place)
      else if (ts.isNamedExports(clause)) {
        for (const { name, propertyName } of clause.elements) found.set(name.text, { file: from, name: (propertyName ?? name).text })
      }
    } else if (isExported(statement)) for (const name of namesOf(statement)) found.set(name, { file, name })
  }
  return found
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.Statement & { name?: ts.Identifier }
  return name ? [name.text] : []
}

/** Whether the declaration of a name has a doc comment; re-exports are followed to their source. */
function isDocumented({ file, name }: { file: string; name: string }): boolean {
  const declared = parse(file).statements.filter((statement) => namesOf(statement).includes(name))
  if (declared.length > 0) return declared.some((statement) => ts.getJSDocCommentsAndTags(statement).length > 0)
  const place = importedAs(name, file) ?? exportsOf(file).get(name)
  return place !== undefined && place.file !== file && isDocumented(place)
}

/** The module from which a file re-exports a name. */
function importedAs(name: string, file: string): { file: string; name: string } | undefined {
  for (const statement of parse(file).statements) {
    const names = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
    if (!names || !ts.isNamedImports(names)) continue
    const found = names.elements.find((element) => element.name.text === name)
    if (found)
      return { file: moduleOf((statement as ts.ImportDeclaration).moduleSpecifier, file), name: (found.propertyName ?? found.name).text }
  }
  return undefined
}

/** The file of a module that another imports: of ours, by its entry point or its path. */
function moduleOf(specifier: ts.Expression, importer: string): string {
  const { text } = specifier as ts.StringLiteral
  return files[text] ?? join(dirname(importer), text)
}

/** Entry points that are imported for what they do. */
const exportNothing = ['rolecall/all-formats', '@rolecall/core/all-formats']
const exporting = Object.keys({ ...entryPoints, ...coreEntryPoints, ...adapterEntryPoints }).filter(
  (entry) => !exportNothing.includes(entry),
)

test.each(exporting)('everything that %s exports has a doc comment', (entry) => {
  const names = exportsOf(files[entry]!)
  expect(names.size).toBeGreaterThan(1)
  const missing = [...names].filter(([, place]) => !isDocumented(place)).map(([name, { file }]) => `${name} (${relative('.', file)})`)
  expect(missing).toEqual([])
})

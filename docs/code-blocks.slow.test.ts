import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { keepPythonSnapshot } from '../proof/testing/python-snapshot.ts'
import { testWhatChanged } from '../proof/testing/test-what-changed.ts'
import { entryPoints } from '../scripts/entry-points.ts'
import { runPage } from './code-blocks.ts'
import { blocksOf, isProgram, readPages } from './page.ts'
import { originalOf } from './translations.ts'

keepPythonSnapshot()

const pages = readPages()

describe('the code on our pages prints what they say; if not, run node scripts/ts.mjs docs/code-blocks.ts --write', () => {
  // Pages with Python start it, which on a busy machine takes its time.
  const originals = pages.filter(({ name }) => originalOf(name) === undefined)
  testWhatChanged(originals, async (page) => expect(await runPage(page)).toBe(page.text), 120_000)
})

test('the README has a program to paste', () => {
  expect(blocksOf(pages[0]!).some(isProgram)).toBe(true)
})

describe('type errors', () => {
  const name = 'programs on our pages have none'
  testWhatChanged([{ name, text: pages.map(({ text }) => text).join('\0') }], async () => expect(typeErrors()).toEqual([]), 60_000)
})

function typeErrors(): string[] {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const programs = new Map<string, string>()
  for (const page of pages) {
    for (const [index, { code }] of blocksOf(page).filter(isProgram).entries())
      programs.set(`${root}${page.name.replaceAll('/', '-')}-${index}.ts`, `${code}\nexport {}\n`)
  }
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: Object.fromEntries(Object.entries(entryPoints).map(([name, file]) => [name, [`${root}packages/rolecall/src/${file}.ts`]])),
    // `@rolecall/core` as its sources say, not as it was last built.
    customConditions: ['rolecall-source'],
    allowImportingTsExtensions: true,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (path) => programs.has(path) || fileExists(path)
  host.readFile = (path) => programs.get(path) ?? readFile(path)
  const program = ts.createProgram([...programs.keys()], options, host)
  const mistakes = [...programs.keys()].flatMap((path) => program.getSemanticDiagnostics(program.getSourceFile(path)))
  return mistakes.map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

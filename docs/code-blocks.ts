import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Anthropic } from '@anthropic-ai/sdk'
import { OpenAI } from 'openai'
import ts from 'typescript'
import { entryPoints } from '../scripts/entry-points.ts'
import { blocksOf, hasCodeToRun, isProgram, type Page, readPage, readPages, withCode } from './page.ts'
import { runCommand } from './run-command.ts'
import { originalOf, withBlocksOf } from './translations.ts'
import { recordTried } from './tried-versions.ts'

// The code on our pages runs. A `ts` block that imports 'rolecall' (and readFileSync) prints what the `text` block after it says. A `console` block runs the
// command behind `$` with the config above it (the last `yaml` block with `models:`), or in this repository where there is none. Beside
// the config lie the `csv`, `tsv` and `jsonl` blocks above it, as rows.csv and so on, and `python` blocks that begin with their name (`# eval.py`).

// On a page with `<!-- session -->`, the commands run one after the other in one folder, and the commands to continue with are shown, too.

const root = new URL('../', import.meta.url)
const sessionMark = '<!-- session -->'

/** The page as it should be: every output replaced by what its code prints now. A translation has the code of its original. */
export async function runPage(page: Page): Promise<string> {
  const original = originalOf(page.name)
  if (original !== undefined) return withBlocksOf(page, readPage(original))
  let output: string | undefined
  let config: string | undefined
  const data = new Map<string, string>()
  const written: string[] = []
  const session = page.text.includes(sessionMark) ? join(mkdtempSync(join(tmpdir(), 'rolecall-docs-')), 'my-folder') : undefined
  for (const block of blocksOf(page)) {
    const { language, code } = block
    if (language === 'yaml' && /^(models|datasets):/m.test(code)) config = code
    if (['csv', 'tsv', 'jsonl'].includes(language)) data.set(`rows.${language}`, code)
    const name = language === 'python' ? /^# (\S+\.py)$/m.exec(code)?.[1] : undefined
    if (name !== undefined) data.set(name, code)
    if (language === 'console') written.push(await runConsole(code, config, data, session))
    else written.push(language === 'text' && output !== undefined ? output : code)
    output = isProgram(block) ? await runProgram(code) : undefined
  }
  if (session !== undefined) rmSync(dirname(session), { recursive: true, force: true })
  return withCode(page, written)
}

/** What a program on a page may import. */
async function importFor(module: string): Promise<unknown> {
  // Programs read files of this repository, wherever they run.
  if (module === 'node:fs') return { readFileSync: (path: string, encoding: 'utf8') => readFileSync(new URL(path, root), encoding) }
  if (module === 'node:http') return import('node:http')
  if (module === 'openai') return { OpenAI }
  if (module === '@anthropic-ai/sdk') return { Anthropic }
  const file = entryPoints[module]
  if (file === undefined) throw new Error(`programs on our pages cannot import ${module}`)
  return import(/* @vite-ignore */ module)
}

/** Runs a pasted program and returns what it prints. */
async function runProgram(code: string): Promise<string> {
  const pasted = code
    .replace(/^import (type )?\{([^}]*)\} from '([^']+)'$/gm, (_, type, names: string, module: string) =>
      type ? '' : `const {${names.replace(/\btype \w+,?/g, '').replaceAll(' as ', ': ')}} = await importFor('${module}')`,
    )
    .replace(/^import '([^']+)'$/gm, "await importFor('$1')")
  const { outputText } = ts.transpileModule(pasted, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
  let printed = ''
  const log = (...values: unknown[]) => {
    printed += `${values.join(' ')}\n`
  }
  const AsyncFunction = (async () => {}).constructor as new (...names: string[]) => (...values: unknown[]) => Promise<void>
  const run = () => new AsyncFunction('importFor', 'console', outputText)(importFor, { log })
  // What writes results does so elsewhere.
  if (code.includes('runEvaluation(')) await inEmptyFolder(run)
  else await run()
  return printed
}

async function inEmptyFolder(run: () => Promise<void>): Promise<void> {
  const before = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-docs-'))
  process.chdir(folder)
  try {
    await run()
  } finally {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runConsole(
  code: string,
  config: string | undefined,
  data: ReadonlyMap<string, string>,
  session: string | undefined,
): Promise<string> {
  const [command] = code.split('\n', 1)
  const words = /^\$ npx rolecall (.+)$/.exec(command!)?.[1]?.split(' ')
  if (!words) throw new Error(`a console block starts with "$ npx rolecall …", not with: ${command}`)
  const files = [...data, ...(config === undefined ? [] : [['rolecall.config.yaml', config] as const])]
  const needsFolder = config !== undefined || files.some(([name]) => name.endsWith('.py')) || words.some((word) => data.has(word))
  const folder = session ?? (needsFolder ? mkdtempSync(join(tmpdir(), 'rolecall-docs-')) : undefined)
  try {
    if (folder)
      for (const [name, text] of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    const printed = await runCommand(words, folder ?? fileURLToPath(root), session !== undefined)
    // Editors and reviewers lose spaces at the end of a line; where they matter, --show-whitespace shows them.
    return `${command}\n${printed.replace(/[ ]+$/gm, '').replace(/\n*$/, '\n')}`
  } finally {
    if (folder && session === undefined) rmSync(folder, { recursive: true })
  }
}

// `--write`: all pages, or those named behind it (docs/evaluate.md), with their translations.
if (process.argv.includes('--write')) {
  const named = process.argv.slice(process.argv.indexOf('--write') + 1)
  // In this order an original comes before its translation.
  for (const page of readPages()) {
    const original = originalOf(page.name)
    if (named.length > 0 && !named.includes(page.name) && !named.includes(original ?? page.name)) continue
    writeFileSync(page.path, await runPage(page))
    if (original === undefined && hasCodeToRun(page)) recordTried(page.name)
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Beside `src`, as `dist` is: what the code finds relative to itself is where it looks. */
const built = join(root, '.built')

/**
 * Writes the sources as JavaScript, once for all tests that start the command line: through jiti every start takes seconds. Types
 * are not checked here, and files that have not changed are not written again.
 */
export default function buildCli(): void {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, module: 'esnext', noEmit: false, incremental: false },
    root,
  )
  const sources = filesIn(join(root, 'src')).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  for (const file of sources) {
    const target = targetOf(file)
    const { mtime } = statSync(join(root, 'src', file))
    if (existsSync(target) && statSync(target).mtimeMs === mtime.getTime()) continue
    const { outputText } = ts.transpileModule(readFileSync(join(root, 'src', file), 'utf8'), { compilerOptions: options, fileName: file })
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, outputText)
    utimesSync(target, mtime, mtime)
  }
  const wanted = new Set(sources.map(targetOf))
  for (const file of filesIn(built)) if (!wanted.has(join(built, file))) rmSync(join(built, file))
}

function targetOf(file: string): string {
  return join(built, file.replace(/\.ts$/, '.js'))
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile())
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import ts from 'typescript'

type Evaluate = (module: { exports: object }, exports: object, load: (name: string) => unknown, url: string) => void

/**
 * The modules of a source tree, evaluated in this process as often as wanted. They are compiled once, so that evaluating a few
 * hundred of them anew, with one of them changed, takes a fraction of a second. Packages are loaded once and shared.
 */
export class ModuleTree {
  readonly #compiled = new Map<string, Script>()
  readonly #require: NodeJS.Require

  constructor(
    readonly root: string,
    /** Packages to be replaced, such as the test runner. */
    readonly substitutes: Readonly<Record<string, unknown>>,
    /** What was transpiled before. */
    readonly transpiled: ReadonlyMap<string, string>,
  ) {
    this.#require = createRequire(join(root, 'package.json'))
  }

  /** A function that loads modules by their path in the tree; `changed` has other sources for some of them. */
  fresh(changed: ReadonlyMap<string, string> = new Map()): (path: string) => unknown {
    const modules = new Map<string, { exports: object }>()
    const load = (path: string): unknown => {
      const known = modules.get(path)
      if (known !== undefined) return known.exports
      const module = { exports: {} }
      modules.set(path, module)
      if (path.endsWith('.json')) module.exports = JSON.parse(readFileSync(join(this.root, path), 'utf8')) as object
      else {
        const source = changed.get(path)
        const script = source === undefined ? this.#scriptOf(path) : compile(transpile(source, path), path)
        const resolve = (name: string): unknown => {
          if (name.startsWith('.')) return load(normalize(join(dirname(path), name)))
          return Object.hasOwn(this.substitutes, name) ? this.substitutes[name] : this.#require(name)
        }
        ;(script.runInThisContext() as Evaluate)(module, module.exports, resolve, pathToFileURL(join(this.root, path)).href)
      }
      return module.exports
    }
    return load
  }

  #scriptOf(path: string): Script {
    const known = this.#compiled.get(path)
    if (known !== undefined) return known
    const script = compile(this.transpiled.get(path) ?? transpile(readFileSync(join(this.root, path), 'utf8'), path), path)
    this.#compiled.set(path, script)
    return script
  }
}

/** TypeScript → a CommonJS module. */
export function transpile(source: string, path: string): string {
  const { outputText } = ts.transpileModule(source.replaceAll('import.meta.url', '__moduleUrl'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true },
    fileName: path,
  })
  return outputText
}

function compile(script: string, path: string): Script {
  return new Script(`(function (module, exports, require, __moduleUrl) {${script}\n})`, { filename: path })
}

/** The modules that a module imports itself, as paths in the tree. */
export function directImports(root: string, path: string): string[] {
  if (!/\.[cm]?tsx?$/.test(path)) return []
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'))
  return importedFiles.flatMap(({ fileName }) => (fileName.startsWith('.') ? [normalize(join(dirname(path), fileName))] : []))
}

/** All modules that are loaded with a module, itself included. */
export function importsOf(root: string, path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const imported of directImports(root, path)) importsOf(root, imported, found)
  return found
}

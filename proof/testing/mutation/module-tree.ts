import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import ts from 'typescript'

type Evaluate = (module: { exports: object }, exports: object, load: (name: string) => unknown, url: string) => void

/**
 * The modules of a source tree, evaluated in this process any number of times. They are compiled once, so that evaluating a few
 * hundred of them again, with one of them changed, takes a fraction of a second. Packages are loaded once and shared.
 */
export class ModuleTree {
  readonly #compiled = new Map<string, Script>()
  readonly #require: NodeJS.Require

  constructor(
    readonly root: string,
    /** Packages to replace, such as the test runner. */
    readonly substitutes: Readonly<Record<string, unknown>>,
    /** A cache of transpiled modules. */
    readonly transpiled: ReadonlyMap<string, string>,
  ) {
    this.#require = createRequire(join(root, 'package.json'))
  }

  /** Returns a function that loads modules by their path in the tree; `changed` overrides some sources. */
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

/** Transpiles TypeScript to a CommonJS module. */
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

/** The direct imports of a module, as paths in the tree. */
export function directImports(root: string, path: string): string[] {
  if (!/\.[cm]?tsx?$/.test(path)) return []
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'))
  return importedFiles.flatMap(({ fileName }) => (fileName.startsWith('.') ? [normalize(join(dirname(path), fileName))] : []))
}

/** All modules loaded with a module, including itself. */
export function importsOf(root: string, path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const imported of directImports(root, path)) importsOf(root, imported, found)
  return found
}

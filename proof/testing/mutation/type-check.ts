import { dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * Checks whether the compiler accepts a changed source. Many mutants are mistakes that could not be committed: a kind
 * that is not a member of its union, a possibly undefined value. `npm test` checks types, so such a mutant is
 * detected. Unused names and errors in other files are ignored.
 */
export class TypeCheck {
  readonly #service: ts.LanguageService
  readonly #root: string
  readonly #changed = new Map<string, { source: string; version: number }>()

  constructor(root: string, project = 'packages/rolecall/tsconfig.json') {
    const { config } = ts.readConfigFile(join(root, project), ts.sys.readFile)
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(join(root, project)))
    this.#root = root
    this.#service = ts.createLanguageService({
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      realpath: ts.sys.realpath,
      getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => String(this.#changed.get(file)?.version ?? 0),
      getScriptSnapshot: (file) => {
        const source = this.#changed.get(file)?.source ?? ts.sys.readFile(file)
        return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source)
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    })
  }

  /** The compiler's first error in a file with this source; undefined if there is none. */
  objectionTo(file: string, source: string): string | undefined {
    const path = join(this.#root, file)
    const before = ts.sys.readFile(path) ?? ''
    this.#change(path, source)
    const errors = [...this.#service.getSyntacticDiagnostics(path), ...this.#service.getSemanticDiagnostics(path)]
    this.#change(path, before)
    return errors[0] && ts.flattenDiagnosticMessageText(errors[0].messageText, ' ')
  }

  #change(path: string, source: string): void {
    this.#changed.set(path, { source, version: (this.#changed.get(path)?.version ?? 0) + 1 })
  }
}

import { join } from 'node:path'
import ts from 'typescript'

/**
 * Says of a changed source whether the compiler still takes it. Many mistakes are none that a person could leave behind: a kind
 * that is not a member of its union, a value that may be undefined where it is used. `npm test` checks types, so such a mutant is
 * noticed. Names that are no longer used do not count, and neither do errors in other files than the changed one.
 */
export class TypeCheck {
  readonly #service: ts.LanguageService
  readonly #root: string
  readonly #changed = new Map<string, { source: string; version: number }>()

  constructor(root: string, project = 'tsconfig.core.json') {
    const { config } = ts.readConfigFile(join(root, project), ts.sys.readFile)
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
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

  /** The compiler's first objection to a file, were this its source; undefined where it has none. */
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

import type { Scope } from './scope.ts'

/** Files and folders that code may read as data. Paths are as the code writes them. */
export type DataFiles = {
  bytes(path: string): Uint8Array | undefined
  /** The names in a folder, in the order of the disk; undefined if there is none. */
  names(path: string): readonly string[] | undefined
  kind(path: string): 'file' | 'folder' | undefined
}

/**
 * Packages whose code is run as Python runs it: a module once, found by its name from the root, and classes and functions in the registries
 * that their decorators name. It outlives the sessions in which its functions are called.
 */
export class PackageProgram {
  /** The modules that were run, or are being run, by their file. */
  readonly modules = new Map<string, Scope>()
  /** The files that were read, and those that are not there. */
  readonly texts = new Map<string, string | undefined>()
  /** `os.environ`. */
  readonly environment: ReadonlyMap<string, string>
  readonly data: DataFiles

  constructor({ data, environment = new Map() }: { data: DataFiles; environment?: ReadonlyMap<string, string> }) {
    this.data = data
    this.environment = environment
  }
}

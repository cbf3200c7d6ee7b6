import type { Value } from '@rolecall/core/internal/python'

/** The names of a module, a call or a comprehension. */
export class Scope {
  readonly names = new Map<string, Value>()
  /** Names that are assigned here and belong to the module, or to a function around this one. */
  readonly elsewhere = new Map<string, 'global' | 'nonlocal'>()
  /** What a generator function has given so far. */
  yielded?: Value[]

  constructor(
    /** The file whose names these are, relative to the root. */
    readonly file: string,
    readonly parent?: Scope,
    /** A comprehension's own names hide nothing from `locals()`. */
    readonly kind: 'module' | 'call' | 'comprehension' = 'module',
  ) {}

  get(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const value = scope.names.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  set(name: string, value: Value): void {
    this.#ownerOf(name).names.set(name, value)
  }

  delete(name: string): boolean {
    return this.#ownerOf(name).names.delete(name)
  }

  #ownerOf(name: string): Scope {
    const where = this.elsewhere.get(name)
    if (where === 'global') return this.module
    if (where === undefined) return this
    for (let scope = this.parent; scope; scope = scope.parent) if (scope.names.has(name)) return scope
    return this
  }

  /** The scope whose names `locals()` shows, and where `:=` puts its name. */
  get function(): Scope {
    return this.kind === 'comprehension' && this.parent ? this.parent.function : this
  }

  get module(): Scope {
    return this.parent?.module ?? this
  }
}

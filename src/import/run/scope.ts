import type { Value } from '../../jinja/values/value.ts'

/** The names of a module, a call or a comprehension. */
export class Scope {
  readonly names = new Map<string, Value>()
  /** Names that belong to the module although they are assigned here (`global`). */
  readonly globals = new Set<string>()

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
    if (this.globals.has(name)) this.module.names.set(name, value)
    else this.names.set(name, value)
  }

  /** The scope whose names `locals()` shows, and where `:=` puts its name. */
  get function(): Scope {
    return this.kind === 'comprehension' && this.parent ? this.parent.function : this
  }

  get module(): Scope {
    return this.parent?.module ?? this
  }
}

import type { PromptError } from '@rolecall/core/internal/errors'
import type {
  BinaryOperator,
  CompareOperator,
  EntryComments,
  Expression,
  Kwargs,
  Parameter,
  Statement,
  Value,
} from '@rolecall/core/internal/python'
import { PyObject } from '@rolecall/core/internal/python'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'

/** A class, function or module that a config imports and of which only the name is known. */
export class NameRef extends PyObject {
  readonly typeName = 'type'

  constructor(
    /** The name as the config uses it: the last part of the import, `PromptTemplate`. */
    readonly name: string,
    /** With its module, as it was imported. */
    readonly path: string,
    /** Whether the file says where it comes from. Snippets in documents do not. */
    readonly declared: boolean,
  ) {
    super()
  }
}

/** A class of the config itself: its plain attributes are known, what its methods do is not. */
export class ClassRef extends NameRef {
  constructor(
    name: string,
    readonly attributes: ReadonlyMap<string, Value>,
  ) {
    super(name, name, true)
  }
}

/** A value that only Python could compute. It may be passed around, but not be part of a model or dataset. */
export class Unknown extends PyObject {
  readonly typeName = 'unknown'

  constructor(
    readonly error: PromptError,
    /** Whether it is unknown only because a name has no value here, as in a snippet. */
    readonly fromUndeclared = false,
    /** The environment variable that it is read from. */
    readonly variable?: string,
  ) {
    super()
  }
}

/** `...`: what a document leaves out. */
export class Ellipsis extends PyObject {
  readonly typeName = 'ellipsis'
}
export const ellipsis = new Ellipsis()

/** A `def` or `lambda` of the config. */
export class UserFunction extends PyObject {
  readonly typeName = 'function'

  constructor(
    readonly name: string,
    readonly parameters: readonly Parameter[],
    readonly body: Expression | readonly Statement[],
    readonly scope: Scope,
    readonly defaults: ReadonlyMap<string, Value>,
    /** It is a generator function. */
    readonly yields = false,
  ) {
    super()
  }
}

export type NativeFunction = (session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope) => Value

/** A function of Python's own. */
export class Builtin extends PyObject {
  readonly typeName = 'builtin_function_or_method'

  constructor(
    readonly name: string,
    readonly call: NativeFunction,
    readonly attributes: ReadonlyMap<string, Value> = new Map(),
  ) {
    super()
  }
}

export class ModuleValue extends PyObject {
  readonly typeName = 'module'

  constructor(
    readonly name: string,
    readonly attributes: ReadonlyMap<string, Value>,
  ) {
    super()
  }
}

/** A file of the root that was opened to be read. */
export class FileValue extends PyObject {
  readonly typeName = 'TextIOWrapper'
  /** Where reading goes on. */
  position = 0

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    super()
  }

  /** What has not been read yet. */
  rest(): string {
    const rest = this.text.slice(this.position)
    this.position = this.text.length
    return rest
  }

  /** At most so many characters. */
  some(count: number): string {
    let end = this.position
    for (let left = count; left > 0 && end < this.text.length; left--) end += (this.text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    const part = this.text.slice(this.position, end)
    this.position = end
    return part
  }

  /** The next line with its end; empty behind the last. */
  line(): string {
    const end = this.text.indexOf('\n', this.position)
    const line = this.text.slice(this.position, end < 0 ? undefined : end + 1)
    this.position += line.length
    return line
  }
}

/** A `pathlib.Path`, as text: no disk is looked at. */
export class PathValue extends PyObject {
  readonly typeName = 'PosixPath'

  readonly path: string

  constructor(path: string) {
    super()
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    this.path = (path.startsWith('/') ? '/' : '') + parts.join('/') || '.'
  }

  override show(): string {
    return `PosixPath('${this.path}')`
  }
}

/** An object of a module that is written here: a match of a pattern, a dataset, a generator of random numbers. */
export abstract class NativeObject extends PyObject {
  /** An attribute or method; undefined where it has none of this name. */
  abstract attribute(session: Session, name: string): Value | undefined
  call?(session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value
  /** `str(object)`, where it is not `repr(object)`. */
  toStr?(): string
  /** `len(object)`, where it is not the number of items. */
  length?(session: Session): number
  /** `bool(object)`; without it, an object is true. */
  truth?(session: Session): boolean
  /** What iterating it gives. */
  items?(session: Session): readonly Value[]
  item?(session: Session, key: Value): Value
  /** `object[key] = value`. */
  assign?(session: Session, key: Value, value: Value): void
  /** An operator with it on either side; undefined if it has none. */
  operate?(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined
}

/** Comments on the entries of a dict or list, by key or index. */
export type Remarks = Map<Value, EntryComments>

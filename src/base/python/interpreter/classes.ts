import { typeError } from '../python-error.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import type { Kwargs, Value } from '../values/value.ts'
import { call } from './call.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, NativeObject, UserFunction } from './values.ts'

/** A method with one of Python's own decorators. */
export class DecoratedMethod extends NativeObject {
  readonly typeName = 'function'

  constructor(
    readonly decorator: 'staticmethod' | 'classmethod' | 'property',
    readonly method: UserFunction,
  ) {
    super()
  }

  attribute(): undefined {
    return undefined
  }
}

/** A class of a file whose functions are run: its methods run, too. Its bases are classes of the same kind, or nothing is known of them. */
export class UserClass extends NativeObject {
  readonly typeName = 'type'
  /** The class and its ancestors, in the order in which names are looked up. */
  readonly order: readonly Value[]

  constructor(
    readonly name: string,
    bases: readonly Value[],
    readonly names: ReadonlyMap<string, Value>,
  ) {
    super()
    this.order = [this, ...resolutionOrder(bases.filter((base) => !(base instanceof Builtin && base.name === 'object')))]
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === '__name__') return this.name
    return bound(session, this.find(session, name), this, undefined)
  }

  override call(session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
    const made = new Instance(this)
    const start = this.find(session, '__init__')
    if (start !== undefined) call(session, start, [made, ...args], kwargs, scope)
    else if (args.length + (kwargs?.size ?? 0) > 0) throw typeError(`${this.name}() takes no arguments`)
    return made
  }

  /** A name of the class or the first of its ancestors that has it; with `after`, of those that follow this one. */
  find(session: Session, name: string, after?: UserClass): Value | undefined {
    for (const one of after === undefined ? this.order : this.order.slice(this.order.indexOf(after) + 1)) {
      if (!(one instanceof UserClass))
        throw notUnderstood(
          session.at,
          `"${name}" of ${this.name}, which inherits from a class that is not read here,`,
          'write a function instead',
        )
      const found = one.names.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The ancestors of a class with these bases, in Python's order (C3): each class before its bases, and bases in the order given. */
function resolutionOrder(bases: readonly Value[]): Value[] {
  const order: Value[] = []
  let left = [...bases.map((base) => (base instanceof UserClass ? base.order : [base])), bases]
  for (;;) {
    left = left.filter(({ length }) => length > 0)
    if (left.length === 0) return order
    const next = left.map(([first]) => first!).find((one) => left.every((list) => list.indexOf(one) <= 0))
    if (next === undefined) throw typeError('Cannot create a consistent method resolution order (MRO) for the bases of a class')
    order.push(next)
    left = left.map((list) => (list[0] === next ? list.slice(1) : list))
  }
}

/** An object of such a class. */
export class Instance extends NativeObject {
  readonly fields = new Map<string, Value>()

  constructor(readonly type: UserClass) {
    super()
  }

  get typeName(): string {
    return this.type.name
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === '__class__') return this.type
    const own = this.fields.get(name)
    return own === undefined ? bound(session, this.type.find(session, name), this.type, this) : own
  }

  override call(session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
    const run = this.attribute(session, '__call__')
    if (run === undefined) throw typeError(`'${this.typeName}' object is not callable`)
    return call(session, run, args, kwargs, scope)
  }
}

/** What a class gives when it is read through an object or, without one, through the class. */
function bound(session: Session, value: Value | undefined, type: UserClass, self: Instance | undefined): Value | undefined {
  if (value instanceof DecoratedMethod) {
    const { decorator, method } = value
    if (decorator === 'staticmethod') return method
    if (decorator === 'classmethod') return withFirst(method, type)
    return self === undefined ? value : call(session, method, [self], undefined, method.scope)
  }
  const isMethod = value instanceof UserFunction || value instanceof Builtin
  return isMethod && self !== undefined ? withFirst(value, self) : value
}

function withFirst(method: UserFunction | Builtin, first: Value): Builtin {
  return new Builtin(method.name, (session, args, kwargs, scope) => call(session, method, [first, ...args], kwargs, scope))
}

/** The hidden name by which methods find the class that they are written in. */
export const ownClass = '__class__'

/** `super()`: what follows the class that the running method is written in, in the order of the object's class. */
export function superOf(session: Session, scope: Scope): Value {
  const type = scope.get(ownClass)
  const [self] = scope.function.names.values()
  if (!(type instanceof UserClass) || !(self instanceof Instance)) throw notUnderstood(session.at, 'this super()', 'name the class')
  return new Super(type, self)
}

class Super extends NativeObject {
  readonly typeName = 'super'

  constructor(
    readonly type: UserClass,
    readonly self: Instance,
  ) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const found = bound(session, this.self.type.find(session, name, this.type), this.self.type, this.self)
    // Every object can be made.
    return found === undefined && name === '__init__' ? new Builtin(name, () => null) : found
  }
}

/** `isinstance(value, type)` for a class that is run; undefined for other classes. */
export function isInstanceOf(value: Value, type: Value): boolean | undefined {
  if (!(type instanceof UserClass)) return undefined
  return value instanceof Instance && value.type.order.includes(type)
}

import type { BinaryOperator, CompareOperator } from '@rolecall/core/internal/python'
import {
  equals,
  isInt,
  type Kwargs,
  notUnderstood,
  PythonError,
  Tuple,
  truthy,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import { call } from './call.ts'
import { isMutableDict, itemsOf, newDict } from './containers.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, NativeObject, UserFunction } from './values.ts'

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
    readonly names: Map<string, Value>,
    /** The fields that a dataclass declares itself. */
    readonly ownFields?: readonly string[],
    /** The class of this class, if it is one of the code. */
    readonly metaclass?: UserClass,
  ) {
    super()
    this.order = [this, ...resolutionOrder(bases.filter((base) => !addsNothing(base)))]
  }

  /** The fields of a dataclass, those of its ancestors first; undefined for other classes. */
  get fields(): readonly string[] | undefined {
    const declared = this.order.flatMap((one) => (one instanceof UserClass && one.ownFields ? [one.ownFields] : []))
    return declared.length === 0 ? undefined : [...new Set(declared.reverse().flat())]
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === '__name__') return this.name
    const own = bound(session, this.find(session, name), this, undefined)
    if (own !== undefined || this.metaclass === undefined) return own
    const ofClass = this.metaclass.find(session, name)
    return ofClass instanceof UserFunction ? withFirst(ofClass, this) : ofClass
  }

  override call(session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
    const maker = this.find(session, '__new__')
    const made = maker instanceof UserFunction ? call(session, maker, [this, ...args], kwargs, scope) : new Instance(this)
    if (!(made instanceof Instance) || !made.type.order.includes(this)) return made
    const start = this.find(session, '__init__')
    if (start !== undefined) call(session, start, [made, ...args], kwargs, scope)
    else if (this.fields !== undefined) setFields(session, made, this.fields, args, kwargs, scope)
    else if (args.length + (kwargs?.size ?? 0) > 0 && maker === undefined) throw typeError(`${this.name}() takes no arguments`)
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

/** `object`, `ABC` and the like: bases without methods that matter here. */
function addsNothing(base: Value): boolean {
  if (base instanceof Builtin) return base.name === 'object' || base.name === 'type'
  return base instanceof NameRef && ['object', 'abc.ABC', 'typing.Protocol', 'typing.Generic'].includes(base.path)
}

/** `dataclasses.field(…)`: what a field is when it is not given. */
export class FieldDefault extends NativeObject {
  readonly typeName = 'Field'

  constructor(
    readonly value: Value | undefined,
    readonly factory: Value | undefined,
  ) {
    super()
  }

  attribute(): undefined {
    return undefined
  }
}

/** The `__init__` of a dataclass. */
function setFields(
  session: Session,
  made: Instance,
  fields: readonly string[],
  args: readonly Value[],
  kwargs: Kwargs,
  scope: Scope,
): void {
  const { type } = made
  if (args.length > fields.length) throw typeError(`${type.name}.__init__() takes ${fields.length + 1} positional arguments`)
  const unexpected = [...(kwargs?.keys() ?? [])].find((name) => !fields.includes(name))
  if (unexpected !== undefined) throw typeError(`${type.name}.__init__() got an unexpected keyword argument '${unexpected}'`)
  for (const [place, name] of fields.entries()) {
    const given = place < args.length ? args[place] : kwargs?.get(name)
    const value = given === undefined ? byDefault(name) : given
    if (value === undefined) throw typeError(`${type.name}.__init__() missing 1 required positional argument: '${name}'`)
    made.fields.set(name, value)
  }
  const after = type.find(session, '__post_init__')
  if (after !== undefined) call(session, after, [made], undefined, scope)

  function byDefault(name: string): Value | undefined {
    const own = type.find(session, name)
    if (!(own instanceof FieldDefault)) return own
    return own.factory === undefined ? own.value : call(session, own.factory, [], undefined, scope)
  }
}

/** The methods that operators call. */
const operatorMethods: Readonly<Partial<Record<BinaryOperator | CompareOperator, string>>> = {
  '==': '__eq__',
  '<': '__lt__',
  '<=': '__le__',
  '>': '__gt__',
  '>=': '__ge__',
  '+': '__add__',
  '-': '__sub__',
  '*': '__mul__',
  '/': '__truediv__',
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

  /** The scope that methods are called from, of which they see nothing. */
  get scope(): Scope {
    return new Scope(this.type.name)
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

  /** Calls a method; undefined if the class has none of this name. */
  callMethod(session: Session, name: string, ...args: readonly Value[]): Value | undefined {
    const method = this.attribute(session, name)
    return method === undefined ? undefined : call(session, method, args, undefined, this.scope)
  }

  override length(session: Session): number {
    const length = this.callMethod(session, '__len__')
    if (length === undefined) throw typeError(`object of type '${this.typeName}' has no len()`)
    if (!isInt(length)) throw typeError(`'${typeName(length)}' object cannot be interpreted as an integer`)
    return Number(length)
  }

  override truth(session: Session): boolean {
    return truthy(this.callMethod(session, '__bool__') ?? this.callMethod(session, '__len__') ?? true)
  }

  override items(session: Session): readonly Value[] {
    const items = this.callMethod(session, '__iter__')
    if (items !== undefined) return itemsOf(session, items)
    if (this.attribute(session, '__getitem__') === undefined) throw typeError(`'${this.typeName}' object is not iterable`)
    const found: Value[] = []
    for (;;) {
      try {
        found.push(session.keepingDepth(() => this.item(session, found.length)))
      } catch (error) {
        if (error instanceof PythonError && error.type === 'IndexError') return found
        throw error
      }
      // An object that never raises IndexError is noticed after a million items.
      session.allocate(null, 1000)
    }
  }

  override item(session: Session, key: Value): Value {
    const found = this.callMethod(session, '__getitem__', key)
    if (found === undefined) throw typeError(`'${this.typeName}' object is not subscriptable`)
    return found
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    if (operator === '!=') {
      const same = this.operate(session, '==', left, right)
      return same === undefined ? undefined : !truthy(same)
    }
    const name = operatorMethods[operator]
    if (name === undefined) return undefined
    if (this === left) {
      const found = this.callMethod(session, name, right)
      if (found !== undefined) return found
    } else if (operator === '==') return this.callMethod(session, name, left)
    return operator === '==' ? sameFields(left, right) : undefined
  }
}

/** Objects of the same dataclass are equal if their fields are. */
function sameFields(left: Value, right: Value): boolean | undefined {
  const isData = left instanceof Instance && right instanceof Instance && left.type === right.type && left.type.fields !== undefined
  if (!isData) return undefined
  const values = ({ fields }: Instance) => new Tuple(left.type.fields!.map((name) => fields.get(name) ?? null))
  return equals(values(left), values(right))
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

/** `super()`: what follows the class that the running method is written in, in the order of the object's class; or what follows a named one. */
export function superOf(session: Session, scope: Scope, named?: Value, given?: Value): Value {
  const type = named ?? scope.get(ownClass)
  const self = given ?? [...scope.function.names.values()][0]
  if (!(type instanceof UserClass) || !(self instanceof Instance || self instanceof UserClass))
    throw notUnderstood(session.at, 'this super()', 'name the class')
  return new Super(type, self)
}

/** A class whose metaclass is one of the code: its `__new__` makes it, and its `__init__` may change it. */
export function madeByMetaclass(
  session: Session,
  metaclass: UserClass,
  { name, bases, names }: { name: string; bases: readonly Value[]; names: ReadonlyMap<string, Value> },
  scope: Scope,
): Value {
  const parts: Value[] = [metaclass, name, new Tuple([...bases]), newDict(session, names)]
  const maker = metaclass.find(session, '__new__')
  const made = maker === undefined ? typeNew(session, parts) : call(session, maker, parts, undefined, scope)
  const start = metaclass.find(session, '__init__')
  if (made instanceof UserClass && start !== undefined) call(session, start, [made, ...parts.slice(1)], undefined, scope)
  return made
}

/** `type.__new__(metaclass, name, bases, dict)`. */
function typeNew(session: Session, [metaclass, name, bases, names]: readonly Value[]): Value {
  const isClass = metaclass instanceof UserClass && typeof name === 'string' && bases instanceof Tuple && isMutableDict(names!)
  if (!isClass) throw notUnderstood(session.at, 'this __new__()', 'call super().__new__ with the arguments that it got')
  return new UserClass(name, bases.items, new Map([...names].map(([key, value]) => [String(key), value])), undefined, metaclass)
}

class Super extends NativeObject {
  readonly typeName = 'super'

  constructor(
    readonly type: UserClass,
    readonly self: Instance | UserClass,
  ) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const { type, self } = this
    const [owner, object] = self instanceof Instance ? [self.type, self] : [self, undefined]
    const isMeta = !owner.order.includes(type)
    const next = isMeta ? undefined : owner.find(session, name, type)
    // `__new__` is a static method: it is given its class.
    const found = name === '__new__' ? next : bound(session, next, owner, object)
    if (found !== undefined) return found
    // Every object can be made.
    if (name === '__init__') return new Builtin(name, () => null)
    if (name !== '__new__') return undefined
    return new Builtin(name, (session, args) => {
      const [of] = args
      return args.length === 4 ? typeNew(session, args) : of instanceof UserClass ? new Instance(of) : null
    })
  }
}

/** `isinstance(value, type)` for a class that is run; undefined for other classes. */
export function isInstanceOf(value: Value, type: Value): boolean | undefined {
  if (!(type instanceof UserClass)) return undefined
  return value instanceof Instance && value.type.order.includes(type)
}

import { stringRepr } from '../data/repr.ts'
import { PythonError } from '../python-error.ts'
import { objectTypeName } from './type-name.ts'
import { PyObject, type Value } from './value.ts'

/** The value of what is missing: empty and false, and an error when anything else is done with it. */
export class Undefined extends PyObject {
  readonly typeName = 'Undefined'

  constructor(
    readonly message: () => string,
    readonly errorType = 'UndefinedError',
  ) {
    super()
  }

  get error(): PythonError {
    return new PythonError(this.errorType, this.message())
  }
}

export function undefinedName(name: string): Undefined {
  return new Undefined(() => `${stringRepr(name)} is undefined`)
}

export function undefinedAttribute(object: Value, name: string): Undefined {
  return new Undefined(() => `${stringRepr(objectTypeName(object))} has no attribute ${stringRepr(name)}`)
}

export function undefinedElement(object: Value, shownKey: () => string): Undefined {
  return new Undefined(() => `${objectTypeName(object)} has no element ${shownKey()}`)
}

/** What the sandbox gives for an attribute that templates may not use. */
export function unsafeAttribute(typeName: string, name: string): Undefined {
  return new Undefined(() => `access to attribute ${stringRepr(name)} of ${stringRepr(typeName)} object is unsafe.`, 'SecurityError')
}

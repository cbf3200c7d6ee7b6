import { PythonError, Tuple, type Value } from '@rolecall/core/internal/python'
import type { Session } from './session.ts'
import { NativeObject } from './values.ts'

/** An exception as code catches it. */
export class ExceptionValue extends NativeObject {
  readonly typeName: string

  constructor(
    type: string,
    readonly message: string,
    /** Its class and the classes that it inherits from, of those that the code defines. */
    readonly kinds: readonly string[] = [type],
  ) {
    super()
    this.typeName = type
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name === 'args') return new Tuple([this.message])
    return name === 'msg' || name === 'message' ? this.message : undefined
  }

  override toStr(): string {
    return this.message
  }

  override show(): string {
    return `${this.typeName}(${this.message === '' ? '' : `'${this.message}'`})`
  }
}

/** An exception that code raises. */
export class RaisedError extends PythonError {
  constructor(readonly value: ExceptionValue) {
    super(value.typeName, value.message)
  }
}

export function exceptionOf(error: PythonError): ExceptionValue {
  return error instanceof RaisedError ? error.value : new ExceptionValue(error.type, error.message)
}

/** Exceptions that others are kinds of. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  LookupError: ['IndexError', 'KeyError'],
  ArithmeticError: ['ZeroDivisionError', 'OverflowError', 'FloatingPointError'],
  ValueError: ['JSONDecodeError', 'UnicodeError', 'UnicodeDecodeError', 'UnicodeEncodeError', 'StatisticsError'],
  UnicodeError: ['UnicodeDecodeError', 'UnicodeEncodeError'],
  RuntimeError: ['NotImplementedError', 'RecursionError'],
  NameError: ['UnboundLocalError'],
  SyntaxError: ['IndentationError'],
  ImportError: ['ModuleNotFoundError'],
  OSError: ['FileNotFoundError', 'PermissionError', 'FileExistsError', 'IsADirectoryError', 'NotADirectoryError', 'TimeoutError'],
}

const outsideException: readonly string[] = ['SystemExit', 'KeyboardInterrupt', 'GeneratorExit']

/** Whether an exception of this class is one of the named class. */
export function isKindOf(exception: ExceptionValue, name: string): boolean {
  const wanted = name === 'IOError' || name === 'EnvironmentError' ? 'OSError' : name
  if (wanted === 'BaseException') return true
  if (wanted === 'Exception') return !outsideException.includes(exception.typeName)
  return exception.kinds.some((kind) => kind === wanted || (kindsOf[wanted]?.includes(kind) ?? false))
}

/** Whether a name is that of one of Python's own exceptions. */
export function isExceptionName(name: string): boolean {
  return /^[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration)$/.test(name)
}

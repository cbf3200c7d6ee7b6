import type { BinaryOperator, CompareOperator } from '../../syntax/ast.ts'
import { Tuple, type Value } from '../../values/value.ts'
import { binary, holds } from '../operators.ts'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'

/** `numpy.array(True)`: an array without dimensions, which counts as its one item, but is no `bool`. */
export class NumpyBoolean extends NativeObject {
  readonly typeName = 'ndarray'

  constructor(readonly value: boolean) {
    super()
  }

  attribute(): undefined {
    return undefined
  }

  override show(): string {
    return this.value ? 'True' : 'False'
  }

  override truth(): boolean {
    return this.value
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value {
    const [first, second] = [left, right].map(withoutNumpy) as [Value, Value]
    const isComparison = ['==', '!=', '<', '<=', '>', '>='].includes(operator)
    const made = isComparison
      ? holds(session, operator as CompareOperator, first, second)
      : binary(session, operator as BinaryOperator, first, second)
    return typeof made === 'boolean' ? new NumpyBoolean(made) : made
  }
}

/** A value in which such arrays are plain booleans. */
export function withoutNumpy(value: Value): Value {
  return replaced(value, ({ value: own }) => own)
}

/** A value in which such arrays are texts, as where JSON is written with `default=str`. */
export function numpyAsText(value: Value): Value {
  return replaced(value, (one) => one.show())
}

function replaced(value: Value, by: (one: NumpyBoolean) => Value): Value {
  if (value instanceof NumpyBoolean) return by(value)
  if (Array.isArray(value)) return value.map((item) => replaced(item as Value, by))
  return value instanceof Tuple ? new Tuple(value.items.map((item) => replaced(item, by))) : value
}

import type { BinaryOperator, CompareOperator } from '@rolecall/core/internal/python'
import { calculate, isInt, isNumber, notUnderstood, PythonError, pyFloat, Tuple, type Value } from '@rolecall/core/internal/python'
import { cheapestPairs } from '../../library/cheapest-pairs.ts'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'

/** A `numpy.ndarray` of two dimensions: its items are read and set one by one, and a number operates on all. */
export class MatrixValue extends NativeObject {
  readonly typeName = 'ndarray'

  constructor(readonly rows: Value[][]) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name === 'shape') return new Tuple([this.rows.length, this.rows[0]?.length ?? 0])
    if (name === 'tolist') return native('tolist()', () => this.rows.map((row) => [...row]))
    return undefined
  }

  override item(session: Session, key: Value): Value {
    const [row, column] = this.#place(session, key)
    return this.rows[row]![column]!
  }

  override assign(session: Session, key: Value, value: Value): void {
    const [row, column] = this.#place(session, key)
    this.rows[row]![column] = pyFloat(numberOf(value))
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    if (!['+', '-', '*', '/'].includes(operator)) return undefined
    const isLeft = left === this
    const other = isLeft ? right : left
    if (!isNumber(other)) throw notUnderstood(session.at, 'an array of two dimensions with this', 'use a number')
    session.step(this.rows.length * (this.rows[0]?.length ?? 0))
    const change = (item: Value) => calculate(operator as '+', isLeft ? item : other, isLeft ? other : item)
    return new MatrixValue(this.rows.map((row) => row.map(change)))
  }

  #place(session: Session, key: Value): [row: number, column: number] {
    const [row, column] = key instanceof Tuple ? key.items : []
    if (!isInt(row ?? null) || !isInt(column ?? null))
      throw notUnderstood(session.at, 'this index of an array of two dimensions', 'write [ROW, COLUMN]')
    const [from, to] = [fromStart(Number(row), this.rows.length), fromStart(Number(column), this.rows[0]?.length ?? 0)]
    if (this.rows[from]?.[to] === undefined) throw new PythonError('IndexError', 'index is out of bounds')
    return [from, to]
  }
}

/** Negative indices count from the end. */
function fromStart(index: number, length: number): number {
  return index < 0 ? index + length : index
}

/** The part of `scipy.optimize` that tasks use. */
export const scipyOptimize = defineModule('scipy.optimize', {
  linear_sum_assignment: native('linear_sum_assignment(cost_matrix)', (session, [matrix]) => {
    if (!(matrix instanceof MatrixValue)) throw notUnderstood(session.at, 'linear_sum_assignment of this', 'use an array of two dimensions')
    const costs = matrix.rows.map((row) => row.map((item) => numberOf(item)))
    if (costs.flat().some((cost) => Number.isNaN(cost) || cost === Number.NEGATIVE_INFINITY))
      throw new PythonError('ValueError', 'matrix contains invalid numeric entries')
    session.step(costs.length ** 2 * (costs[0]?.length ?? 0))
    const pairs = cheapestPairs(costs)
    return new Tuple([pairs.map(([row]) => row), pairs.map(([, column]) => column)])
  }),
})

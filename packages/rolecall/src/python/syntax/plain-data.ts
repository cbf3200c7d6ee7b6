import {
  dictFromEntries,
  entriesOf,
  isDictValue,
  isListValue,
  PyFloat,
  PyObject,
  PySet,
  type PyValue,
  pyStr,
  stringOf,
  Tuple,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'

/**
 * A value as plain data: tuples and sets become lists, keys strings. `convert` turns other objects into data; without it they are errors.
 */
export function toPlainData(value: Value, convert?: (object: PyObject) => PyValue | undefined): PyValue {
  if (value === null || typeof value !== 'object' || value instanceof PyFloat) return value
  const text = stringOf(value)
  if (text !== undefined) return text
  if (isListValue(value)) return value.map((item) => toPlainData(item, convert))
  if (value instanceof Tuple || value instanceof PySet) return value.items.map((item) => toPlainData(item, convert))
  if (value instanceof PyObject) {
    const data = convert?.(value)
    if (data !== undefined) return data
  } else if (isDictValue(value)) {
    return dictFromEntries(
      entriesOf(value).map(([key, item]) => [stringOf(key) ?? pyStr(toPlainData(key, convert)), toPlainData(item, convert)] as const),
    )
  }
  throw typeError(`a value of type ${typeName(value)} is not plain data`)
}

import { PyObject } from '@rolecall/core/internal/python'

/** `!function module.name` in a task file: a Python function in a file beside it. */
export class FunctionMark extends PyObject {
  readonly typeName = 'function'

  constructor(
    /** As written: `utils.process_docs`. */
    readonly path: string,
    /** The file that names it; its module is searched for in the folder of that file. */
    readonly file: string,
  ) {
    super()
  }
}

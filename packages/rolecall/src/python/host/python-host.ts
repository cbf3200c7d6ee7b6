import { PromptError } from '@rolecall/core/internal/errors'
import type { PyDict, PyValue } from '@rolecall/core/internal/python'

/** What a class or function of a user's is used as, which decides how it is called. */
export type PythonKind = 'dataset' | 'evaluator' | 'postprocessor' | 'dict_postprocessor' | 'function'

/** A class or function of a user's own Python, as a config names it. */
export type PythonName = {
  kind: PythonKind
  /** `package.module.Name`, `folder/score.py:my_score`, or the name it is registered under (`MyEvaluator`, `my_post`). */
  name: string
  /** The file whose code names it; paths and modules are looked up beside it first. Relative to the folder that the host reads. */
  from?: string | undefined
}

/** How each kind is called, as plain data. Settings are the keyword arguments that a config has besides `type`. */
export type PythonCalls = {
  /** `Class.load(**settings)`; gives the rows of each split, or rows that are both train and test. */
  dataset: { settings: PyDict }
  /**
   * `Class(**settings).score(…)` with those of the arguments that it takes: `predictions`, `references`, `test_set` (rows), `origin_prompt`.
   * Gives what `score` returns. A new object for each call. A function gets `(prediction, reference, row)` of the one answer, or, if its first
   * parameter is called `predictions`, `(predictions, references, rows)`; as many of them as it has parameters.
   */
  evaluator: {
    settings: PyDict
    predictions: readonly PyValue[]
    references: readonly PyValue[]
    rows?: readonly PyDict[]
    prompts?: readonly PyValue[]
    /** The steps of an agent for each answer. */
    steps?: readonly PyValue[]
  }
  /** `function(text, **settings)`. */
  postprocessor: { text: PyValue; settings: PyDict }
  /**
   * `function(output, output_path, **settings)`: all replies of a judge, by the number of their row as text, each a dict with `prediction`,
   * `gold` and `origin_prompt`; with `dataset`, whose rows are given, if it takes that.
   */
  dict_postprocessor: { output: PyDict; settings: PyDict; rows?: readonly PyDict[] }
  /** `function(*args, **settings)`. */
  function: { args: readonly PyValue[]; settings?: PyDict }
}

/** Whether an evaluator that is a function scores all answers at once, by the name of its first parameter. */
export function takesAll(parameters: readonly string[] | undefined): boolean {
  return ['predictions', 'preds'].includes(parameters?.[0] ?? '')
}

/** A value, or the promise of one: the interpreter answers at once, another process later. */
export type Sooner<Result> = Result | Promise<Result>

/** A class or function that was loaded. */
export type PythonObject<Kind extends PythonKind = PythonKind> = {
  readonly kind: Kind
  /** The name that it has in its file. */
  readonly name: string
  /** The file that defines it, relative to the folder that the host reads, or absolute. */
  readonly file: string
  /** The names of the parameters that a call may be given, of `load`, `score` or the function; undefined if it takes any (`**kwargs`). */
  readonly parameters?: readonly string[] | undefined
  /** It is a function: as an evaluator it gets one answer, or all of them if its first parameter is called `predictions`. */
  readonly isFunction?: boolean
  /** Calls it; throws `PythonFailure`, and never anything else for what the user's code does. */
  call(given: PythonCalls[Kind]): Sooner<PyValue>
  /** Whether a call has read the rows that it was given; if none has, equal answers have equal results. */
  readRows?(rows: readonly PyDict[]): boolean
}

/** Loads and calls a user's own classes and functions: our interpreter, or the user's own Python. */
export type PythonHost = {
  readonly host: 'interpreter' | 'python' | 'sandbox'
  /** Throws `PythonFailure`. */
  load<Kind extends PythonKind>(name: PythonName & { kind: Kind }): Sooner<PythonObject<Kind>>
  close?(): Sooner<void>
}

/**
 * Why there is no result. `missing`: no such file, module, class or registered name; `unsupported`: this host cannot run the code, another
 * one may; `raised`: the code raises an exception; `stopped`: a limit of steps, memory or time, or a process that ended.
 */
export type PythonFailureReason = 'missing' | 'unsupported' | 'raised' | 'stopped'

/** A failure of a user's own class or function, with its place in their file. */
export class PythonFailure extends PromptError {
  readonly reason: PythonFailureReason
  /** The class or function that failed, as the config names it. */
  readonly object: string
  /** The class of the exception that the code raised. */
  readonly exception?: string | undefined

  constructor(
    reason: PythonFailureReason,
    object: string,
    details: ConstructorParameters<typeof PromptError>[1],
    exception?: string | undefined,
  ) {
    super(`python-${reason}`, details)
    this.reason = reason
    this.object = object
    this.exception = exception
  }
}

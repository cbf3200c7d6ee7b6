import type { PromptError } from '../../errors/prompt-error.ts'
import type { PyFloat } from '../values/data.ts'
import type { SourceLocation } from './import-error.ts'

/** The place of a node in its file. */
export type At = { at: SourceLocation }

export type Constant = null | boolean | number | bigint | string | PyFloat

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '&' | '|' | '^' | '<<' | '>>' | '@'
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not'

/** The comments before and after an entry. */
export type EntryComments = { before: readonly string[]; behind?: string }

/** An argument of a call: positional, `name=value`, `*list`, `**dict`, or, as in document 002, `"key": value`. */
export type Argument = { value: Expression; name?: string; key?: Expression; star?: '*' | '**'; remark?: EntryComments }

/** An entry of a dict; without a key it is `**dict`. */
export type Entry = { key?: Expression; value: Expression; remark?: EntryComments }

/** `for target in items if tests`. */
export type Clause = { target: AssignTarget; items: Expression; tests: Expression[] }

export type Parameter = { name: string; star?: '*' | '**'; byDefault?: Expression; keywordOnly?: boolean }

/** A part of an f-string: text, or an expression with its conversion and format. `written` is the source text between the braces. */
export type FormattedPart = string | { value: Expression; written: string; debug?: string; conversion?: string; format?: FormattedPart[] }

export type Expression = At &
  (
    | { kind: 'constant'; value: Constant }
    | { kind: 'ellipsis' }
    | { kind: 'formatted'; parts: FormattedPart[] }
    | { kind: 'bytes'; value: string }
    | { kind: 'name'; name: string }
    | { kind: 'list' | 'tuple' | 'set'; items: Expression[]; remarks?: (EntryComments | undefined)[] }
    | { kind: 'dict'; entries: Entry[] }
    | { kind: 'comprehension'; of: 'list' | 'set' | 'generator'; item: Expression; clauses: Clause[] }
    | { kind: 'dict-comprehension'; key: Expression; value: Expression; clauses: Clause[] }
    | { kind: 'attribute'; object: Expression; name: string }
    | { kind: 'item'; object: Expression; key: Expression }
    | { kind: 'slice'; start?: Expression; stop?: Expression; step?: Expression }
    | { kind: 'call'; callee: Expression; args: Argument[] }
    | { kind: 'unary'; operator: '-' | '+' | '~' | 'not'; operand: Expression }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
    | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
    | { kind: 'compare'; first: Expression; rest: { operator: CompareOperator; operand: Expression }[] }
    | { kind: 'condition'; test: Expression; value: Expression; otherwise: Expression }
    | { kind: 'lambda'; parameters: Parameter[]; body: Expression }
    | { kind: 'star'; value: Expression }
    | { kind: 'walrus'; name: string; value: Expression }
    | { kind: 'yield'; value?: Expression; isFrom: boolean }
    /** Python that a config does not need. It is an error only where it is run. */
    | { kind: 'foreign'; construct: string; fix: string }
  )

export type AssignTarget = Expression

export type Statement = At &
  (
    | { kind: 'expression'; value: Expression }
    /** `annotated`: written with a type, `name: int = 1`. */
    | { kind: 'assign'; targets: AssignTarget[]; value: Expression; remark?: EntryComments; annotated?: true }
    | { kind: 'augment'; target: AssignTarget; operator: BinaryOperator; value: Expression }
    | { kind: 'for'; target: AssignTarget; items: Expression; body: Statement[]; otherwise: Statement[] }
    | { kind: 'while'; test: Expression; body: Statement[]; otherwise: Statement[] }
    | { kind: 'if'; test: Expression; body: Statement[]; otherwise: Statement[] }
    | {
        kind: 'try'
        body: Statement[]
        handlers: { types?: Expression; name?: string; body: Statement[] }[]
        otherwise: Statement[]
        last: Statement[]
      }
    | { kind: 'with'; items: { value: Expression; target?: AssignTarget }[]; body: Statement[] }
    | { kind: 'import'; names: { module: string; as?: string }[] }
    | { kind: 'import-from'; level: number; module: string; names: { name: string; as?: string }[] }
    | ({ kind: 'function'; name: string; parameters: Parameter[]; body: Statement[]; decorated: boolean | MethodDecorator } & Decorators & {
          /** It is a generator function. */
          yields?: true
        })
    | ({
        kind: 'class'
        name: string
        bases: Expression[]
        metaclass?: Expression
        body: Statement[]
        decorated: boolean | 'dataclass'
      } & Decorators)
    | { kind: 'return'; value?: Expression }
    | { kind: 'delete'; targets: AssignTarget[] }
    | { kind: 'assert'; test: Expression }
    | { kind: 'raise'; value?: Expression }
    | { kind: 'global' | 'nonlocal'; names: string[] }
    /** `annotated`: the name in `name: int`, which sets nothing. */
    | { kind: 'pass'; annotated?: string }
    | { kind: 'break' | 'continue' }
    | { kind: 'foreign'; construct: string; fix: string }
    /** A statement that is not Python, with --lenient, and the names it would have set. */
    | { kind: 'broken'; error: PromptError; names: string[] }
  )

export type Module = {
  file: string
  body: Statement[] /** Slips that were read as they were meant. */
  slips: { at: SourceLocation; text: string }[]
}

/** What is written above a function or class: what `decorated` stands for, and what enters it into a registry. */
type Decorators = { decorators?: Expression[]; registers?: Expression[] }

/** Decorators of methods that are understood. */
export type MethodDecorator = 'staticmethod' | 'classmethod' | 'property'

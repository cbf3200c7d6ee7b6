import type { ArithmeticOperator } from '../../python/values/arithmetic.ts'
import type { PyFloat } from '../../python/values/data.ts'
import type { Span } from '../template-error.ts'

export type Keyword = { name: string; value: Expression }
export type Arguments = { args: Expression[]; kwargs: Keyword[]; dynArgs?: Expression; dynKwargs?: Expression }

export type Expression = Span &
  (
    | { kind: 'const'; value: null | boolean | number | bigint | string | PyFloat }
    | { kind: 'name'; name: string }
    | { kind: 'list' | 'tuple'; items: Expression[] }
    | { kind: 'dict'; entries: { key: Expression; value: Expression }[] }
    | { kind: 'attribute'; object: Expression; name: string }
    | { kind: 'item'; object: Expression; key: Expression }
    | { kind: 'slice'; parts: [Expression | undefined, Expression | undefined, Expression | undefined] }
    | ({ kind: 'call'; callee: Expression } & Arguments)
    /** Without an input in a filter block, which gives it. */
    | ({ kind: 'filter'; input: Expression | undefined; name: string } & Arguments)
    | ({ kind: 'test'; input: Expression; name: string } & Arguments)
    | { kind: 'not' | 'negative' | 'positive'; operand: Expression }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
    | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
    | { kind: 'concat'; items: Expression[] }
    | { kind: 'compare'; first: Expression; rest: { operator: CompareOperator; operand: Expression }[] }
    | { kind: 'condition'; test: Expression; value: Expression; otherwise: Expression | undefined }
  )

export type BinaryOperator = ArithmeticOperator
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

/** What can be assigned to: a name, an attribute of a namespace, or several of them. */
export type Target = Span &
  ({ kind: 'name'; name: string } | { kind: 'namespace'; name: string; attribute: string } | { kind: 'tuple'; items: Target[] })

export type Signature = { parameters: string[]; defaults: Expression[] }

export type Statement = Span &
  (
    | { kind: 'data'; text: string }
    | { kind: 'output'; value: Expression }
    | { kind: 'set'; target: Target; value: Expression }
    | { kind: 'set-block'; target: Target; filter: Expression | undefined; body: Statement[] }
    | {
        kind: 'for'
        target: Target
        iterable: Expression
        test: Expression | undefined
        recursive: boolean
        body: Statement[]
        otherwise: Statement[]
      }
    | { kind: 'if'; branches: { test: Expression; body: Statement[] }[]; otherwise: Statement[] }
    | ({ kind: 'macro'; name: string; body: Statement[] } & Signature)
    | ({ kind: 'call-block'; call: Expression & { kind: 'call' }; body: Statement[] } & Signature)
    | { kind: 'filter-block'; filter: Expression; body: Statement[] }
    | { kind: 'with'; targets: Target[]; values: Expression[]; body: Statement[] }
    | { kind: 'autoescape'; value: Expression; body: Statement[] }
    | { kind: 'generation'; body: Statement[] }
    | { kind: 'block'; name: string; required: boolean; body: Statement[] }
    | { kind: 'break' | 'continue' }
    /** What needs other templates: an error when it is reached. */
    | { kind: 'loader'; tag: string }
  )

import type { ArithmeticOperator } from '../../python/values/arithmetic.ts'
import type { PyFloat } from '../../python/values/data.ts'
import type { Span } from '../template-error.ts'

export type Keyword = { name: string; value: JinjaExpression }
export type Arguments = { args: JinjaExpression[]; kwargs: Keyword[]; dynArgs?: JinjaExpression; dynKwargs?: JinjaExpression }

export type JinjaExpression = Span &
  (
    | { kind: 'const'; value: null | boolean | number | bigint | string | PyFloat }
    | { kind: 'name'; name: string }
    | { kind: 'list' | 'tuple'; items: JinjaExpression[] }
    | { kind: 'dict'; entries: { key: JinjaExpression; value: JinjaExpression }[] }
    | { kind: 'attribute'; object: JinjaExpression; name: string }
    | { kind: 'item'; object: JinjaExpression; key: JinjaExpression }
    | { kind: 'slice'; parts: [JinjaExpression | undefined, JinjaExpression | undefined, JinjaExpression | undefined] }
    | ({ kind: 'call'; callee: JinjaExpression } & Arguments)
    /** Without an input in a filter block, which gives it. */
    | ({ kind: 'filter'; input: JinjaExpression | undefined; name: string } & Arguments)
    | ({ kind: 'test'; input: JinjaExpression; name: string } & Arguments)
    | { kind: 'not' | 'negative' | 'positive'; operand: JinjaExpression }
    | { kind: 'and' | 'or'; left: JinjaExpression; right: JinjaExpression }
    | { kind: 'binary'; operator: ArithmeticOperator; left: JinjaExpression; right: JinjaExpression }
    | { kind: 'concat'; items: JinjaExpression[] }
    | { kind: 'compare'; first: JinjaExpression; rest: { operator: JinjaCompareOperator; operand: JinjaExpression }[] }
    | { kind: 'condition'; test: JinjaExpression; value: JinjaExpression; otherwise: JinjaExpression | undefined }
  )

export type JinjaCompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

/** What can be assigned to: a name, an attribute of a namespace, or several of them. */
export type JinjaTarget = Span &
  ({ kind: 'name'; name: string } | { kind: 'namespace'; name: string; attribute: string } | { kind: 'tuple'; items: JinjaTarget[] })

export type Signature = { parameters: string[]; defaults: JinjaExpression[] }

export type JinjaStatement = Span &
  (
    | { kind: 'data'; text: string }
    | { kind: 'output'; value: JinjaExpression }
    | { kind: 'set'; target: JinjaTarget; value: JinjaExpression }
    | { kind: 'set-block'; target: JinjaTarget; filter: JinjaExpression | undefined; body: JinjaStatement[] }
    | {
        kind: 'for'
        target: JinjaTarget
        iterable: JinjaExpression
        test: JinjaExpression | undefined
        recursive: boolean
        body: JinjaStatement[]
        otherwise: JinjaStatement[]
      }
    | { kind: 'if'; branches: { test: JinjaExpression; body: JinjaStatement[] }[]; otherwise: JinjaStatement[] }
    | ({ kind: 'macro'; name: string; body: JinjaStatement[] } & Signature)
    | ({ kind: 'call-block'; call: JinjaExpression & { kind: 'call' }; body: JinjaStatement[] } & Signature)
    | { kind: 'filter-block'; filter: JinjaExpression; body: JinjaStatement[] }
    | { kind: 'with'; targets: JinjaTarget[]; values: JinjaExpression[]; body: JinjaStatement[] }
    | { kind: 'autoescape'; value: JinjaExpression; body: JinjaStatement[] }
    | { kind: 'generation'; body: JinjaStatement[] }
    | { kind: 'block'; name: string; required: boolean; body: JinjaStatement[] }
    | { kind: 'break' | 'continue' }
    /** What needs other templates: an error when it is reached. */
    | { kind: 'loader'; tag: string }
  )

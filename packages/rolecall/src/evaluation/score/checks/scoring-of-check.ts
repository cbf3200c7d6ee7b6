import { check, PromptError, suggestName } from '@rolecall/core/internal/errors'
import type { EvaluatorFunction, OwnEvaluator } from '../evaluate/own-evaluator.ts'
import { patternOf } from '../evaluate/text-check.ts'
import type { PostprocessorsConfig } from '../postprocess/postprocessor.ts'
import { type CheckConfig, type CheckKind, type CheckObject, checkKindNames, checkObjectSchema, plainKinds } from './check-schema.ts'
import { judgeTemplate } from './judge-template.ts'

/** An evaluator in a config: a type with options, or a function. */
export type WrittenEvaluator = ({ type: string } & Record<string, unknown>) | EvaluatorFunction | OwnEvaluator

/** A check as an evaluator with what reads reply and gold answer for it. */
export type CheckScoring = {
  name: string
  weight?: number
  evaluator: WrittenEvaluator
  pred_postprocessor?: PostprocessorsConfig
  dataset_postprocessor?: PostprocessorsConfig
  /** The expected answer of every row, in place of the gold answer. */
  value?: unknown
  /** The column with the expected answer, in place of the gold answer. */
  column?: string
}

const functionFile = /\.(?:py|[cm]?[jt]s):\w+$/

/**
 * The evaluator and postprocessors that a check stands for.
 *
 * @example
 * scoringOfCheck('number', 'check').pred_postprocessor // => 'final_number'
 * scoringOfCheck({ contains: 'Rome' }, 'check').evaluator // => { type: 'TextEvaluator', check: 'contains', value: 'Rome' }
 */
export function scoringOfCheck(given: CheckConfig, where: string): CheckScoring {
  if (typeof given === 'function') return { name: given.name === '' ? 'score' : given.name, evaluator: given }
  if (isOwn(given)) return { name: given.metric ?? 'score', evaluator: given }
  if (typeof given === 'string') return functionFile.test(given) ? scoringOfFile(given) : scoringOfCheck(namedKind(given, where), where)
  const { kind, value, ...more } = kindOf(check(checkObjectSchema, given, where), where)
  const { name, weight, column, extract } = more
  const scoring = scoringOfKind(kind, value, more, where)
  return {
    ...scoring,
    ...(name === undefined ? {} : { name }),
    ...(weight === undefined ? {} : { weight }),
    ...(column === undefined ? {} : { column }),
    ...(extract === undefined ? {} : { pred_postprocessor: extract as PostprocessorsConfig }),
  }
}

function isOwn(given: CheckConfig): given is OwnEvaluator {
  return typeof given === 'object' && typeof given.judge === 'function'
}

function namedKind(kind: string, where: string): CheckObject {
  if ((plainKinds as readonly string[]).includes(kind)) return { [kind]: true }
  const isOther = (checkKindNames as readonly string[]).includes(kind)
  throw new PromptError('unknown-check', {
    where,
    problem: isOther ? `"${kind}" needs a value` : `"${kind}" is not a check`,
    fix: isOther ? `write { ${kind}: … }` : `${suggestName(kind, plainKinds)} A function in a file is FILE:NAME, e.g. score.ts:mine`,
  })
}

type Settings = Omit<CheckObject, CheckKind>

function kindOf(given: CheckObject, where: string): { kind: CheckKind; value: unknown } & Settings {
  const kinds = checkKindNames.filter((kind) => given[kind] !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    throw new PromptError('unclear-check', {
      where,
      problem: kind === undefined ? 'it does not say what is checked' : `it has several kinds: ${kinds.join(', ')}`,
      fix:
        kind === undefined
          ? `add one of ${checkKindNames.join(', ')}`
          : `write a list of checks: [${kinds.map((one) => `{ ${one}: … }`).join(', ')}]`,
    })
  }
  const { not, options } = given
  const isText = isTextKind(kind)
  const misplaced = not !== undefined && !isText ? 'not' : options !== undefined && kind !== 'type' ? 'options' : undefined
  if (misplaced !== undefined || given[kind] === false)
    throw new PromptError('unclear-check', {
      where,
      problem: misplaced === undefined ? `"${kind}: false" checks nothing` : `"${misplaced}" has no meaning for "${kind}"`,
      fix: misplaced === undefined ? 'leave the check out' : `leave it out${misplaced === 'not' ? ', or write a function' : ''}`,
    })
  return { ...given, kind, value: given[kind] }
}

const textKinds = ['exact', 'iexact', 'contains', 'icontains', 'starts-with', 'ends-with', 'regex'] as const

function isTextKind(kind: CheckKind): kind is (typeof textKinds)[number] {
  return (textKinds as readonly CheckKind[]).includes(kind)
}

function scoringOfKind(kind: CheckKind, value: unknown, { not, column, options = {} }: Settings, where: string): CheckScoring {
  if (isTextKind(kind)) {
    if (kind === 'regex' && typeof value === 'string') patternOf(value, `${where}.regex`)
    const text = value === true ? {} : { value: Array.isArray(value) ? value : String(value) }
    const from = column === undefined ? {} : { column }
    return {
      name: not ? `not-${kind}` : kind,
      evaluator: { type: 'TextEvaluator', check: kind, ...text, ...from, ...(not ? { not } : {}) },
    }
  }
  const settings = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  switch (kind) {
    case 'number':
      return {
        name: kind,
        evaluator: { type: 'NumberEvaluator', ...settings },
        pred_postprocessor: 'final_number',
        dataset_postprocessor: 'final_number',
        ...(typeof value === 'number' ? { value: String(value) } : {}),
      }
    case 'choice': {
      const letters = typeof value === 'string' ? value : ((settings.options as string | undefined) ?? 'ABCDEFGHIJ')
      const texts = settings.texts === undefined ? {} : { choices: settings.texts }
      return { name: kind, evaluator: { type: 'AccEvaluator' }, pred_postprocessor: { type: 'choice_answer', options: letters, ...texts } }
    }
    case 'json': {
      const isWrapped = Object.keys(settings).length === 1 && typeof settings.schema === 'object'
      const schema = isWrapped ? settings.schema : settings
      return { name: kind, evaluator: { type: 'JsonEvaluator', ...(value === true ? {} : { schema }) } }
    }
    case 'fields':
      return { name: kind, evaluator: { type: 'FieldsEvaluator', ...(Array.isArray(value) ? { fields: value } : {}) } }
    case 'calls':
      return { name: kind, evaluator: { type: 'ToolCallEvaluator', ...(typeof value === 'string' ? { arguments: value } : {}) } }
    case 'python':
    case 'ts':
      return scoringOfFile(fileNamed(String(value), kind, where))
    case 'judge':
      return { name: kind, evaluator: { type: 'GenericLLMEvaluator', prompt_template: judgeTemplate(String(value)) } }
    case 'type':
      return { name: String(value), evaluator: { ...options, type: String(value) } }
    default:
      return kind satisfies never
  }
}

function scoringOfFile(file: string): CheckScoring {
  return { name: file.slice(file.lastIndexOf(':') + 1), evaluator: { type: file } }
}

function fileNamed(given: string, kind: 'python' | 'ts', where: string): string {
  if ((kind === 'python' ? /\.py:\w+$/ : /\.[cm]?[jt]s:\w+$/).test(given)) return given
  const example = kind === 'python' ? 'score.py:mine' : 'score.ts:mine'
  throw new PromptError('bad-function-name', {
    where: `${where}.${kind}`,
    problem: `"${given}" does not name a function in a file`,
    fix: `write FILE:NAME, e.g. ${example}`,
  })
}

import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../config/config-schema.ts'
import { shownAnswers } from '../config/judge-fields.ts'
import type { Evaluator } from '../score/evaluate/evaluator.ts'
import { fieldsOf } from './ask/template-fields.ts'

/** Refuses, before anything is sent, settings that prevent a judge from comparing the answers of two models. */
export function refuseOpponent({ asks }: Evaluator<unknown>, { n = 1 }: DatasetConfig, dataset: string, models: readonly string[]): void {
  const against = asks?.against
  if (!against) return
  if (n > 1) {
    throw new PromptError('several-answers', {
      where: `${dataset} › n`,
      problem: `a row has ${n} answers, but the judge compares one answer with one`,
      fix: 'leave n out, or score the answers one by one',
    })
  }
  if ('model' in against) refuseModel(against.model, `${dataset} › eval_cfg.evaluator.against`, models)
}

/** The baseline must be one of the models, and not the only one. */
export function refuseModel(name: string, where: string, models: readonly string[]): void {
  if (!models.includes(name)) {
    const near = nearestName(name, models)
    throw new PromptError('unknown-model', {
      where,
      problem: `there is no model "${name}" among those that run (${models.join(', ')})`,
      fix: near === undefined ? `choose it, too (--models), or name another` : `did you mean "${near}"?`,
    })
  }
  if (models.length > 1) return
  throw new PromptError('no-opponent', {
    where,
    problem: `"${name}" is the only model that runs: there is nothing to compare it with`,
    fix: 'run another model, too, or name a column with answers (against_column)',
  })
}

/** A template that does not show both answers has nothing to compare. */
export function refuseOneSided(template: unknown, where: string): void {
  const shown = new Set(fieldsOf(template as never, where).map(({ name }) => name))
  const missing = [shownAnswers.first, shownAnswers.second].find((names) => !names.some((name) => shown.has(name)))
  if (!missing) return
  throw new PromptError('one-sided', {
    where,
    problem: `it does not show {${missing[0]}}, but the judge has to compare two answers`,
    fix: 'show both: {answer_a} and {answer_b}',
  })
}

/** Whether the answers of a model are the baseline. */
export function isComparedWith({ asks }: Evaluator<unknown>, model: string): true | undefined {
  return asks?.against && 'model' in asks.against && asks.against.model === model ? true : undefined
}

/** The same metric for the baseline's answers, which have no score. */
export function unscored({ metric, kind, unit, direction, range }: Evaluator<unknown>): Evaluator<unknown> {
  return {
    metric,
    kind,
    unit,
    ...(direction ? { direction } : {}),
    ...(range ? { range } : {}),
    needsReference: false,
    judge: ({ prediction }) => ({ score: 0, unscored: true, detail: { pred: prediction } }),
  }
}

import type { Value } from '@rolecall/core/internal/python'
import { pyFloat, pyRound, typeError, valueError } from '@rolecall/core/internal/python'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { defineModule, native, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { matchRatio } from '../../../python/library/sequence-matcher.ts'
import { summaryNgrams, summaryRouge } from '../../opencompass/evaluators/long-context/summary-rouge.ts'
import { FixedObject } from './fixed-object.ts'

/** Likeness in whole per cent, by `difflib`: what the package computes where `python-Levenshtein` is not installed. */
function ratio(session: Session, [first = null, second = null]: readonly Value[]): Value {
  if (first === null || second === null) return 0
  const [a, b] = [textOf(first), textOf(second)]
  session.step(a.length * Math.ceil(b.length / 10))
  return a === b ? 100 : pyRound(100 * matchRatio(a, b), 0)
}

const fuzz = defineModule('fuzzywuzzy.fuzz', { ratio: native('ratio(s1, s2)', ratio) })
const fuzzywuzzy = defineModule('fuzzywuzzy', { fuzz })

const measures = {
  'rouge-1': (said: string, right: string) => summaryNgrams(said, right, 1),
  'rouge-2': (said: string, right: string) => summaryNgrams(said, right, 2),
  'rouge-l': summaryRouge,
}

type Overlap = Readonly<Record<'r' | 'p' | 'f', number>>

function getScores(session: Session, [hyps, refs, average = false]: readonly Value[]): Value {
  const [answers, golds] = [hyps!, refs!].map((given) => (typeof given === 'string' ? [given] : itemsOf(session, given).map(textOf)))
  if (answers!.length !== golds!.length) throw typeError('hyps and refs have different lengths')
  const found = answers!.map((said, index) => scoresOf(session, said, golds![index]!))
  const shown = (scores: (name: keyof typeof measures) => Overlap) =>
    newDict(
      session,
      (Object.keys(measures) as (keyof typeof measures)[]).map((name) => {
        const { r, p, f } = scores(name)
        return [
          name,
          newDict(
            session,
            Object.entries({ r, p, f }).map(([key, value]) => [key, pyFloat(value)] as const),
          ),
        ] as const
      }),
    )
  if (average !== true) return session.made(found.map((one) => shown((name) => one[name])))
  const mean = (name: keyof typeof measures, key: keyof Overlap) => found.reduce((sum, one) => sum + one[name][key], 0) / found.length
  return shown((name) => ({ r: mean(name, 'r'), p: mean(name, 'p'), f: mean(name, 'f') }))
}

function scoresOf(session: Session, said: string, right: string): Record<keyof typeof measures, Overlap> {
  session.step((said.length + 1) * Math.ceil(right.length / 10))
  const hasSentence = (text: string) => text.split('.').some((sentence) => sentence !== '')
  if (!hasSentence(said)) throw valueError('Hypothesis is empty.')
  if (!hasSentence(right)) throw valueError('Reference is empty.')
  const measured = (name: keyof typeof measures) => {
    const { precision: p, recall: r, f } = measures[name](said, right)
    return { r, p, f }
  }
  return { 'rouge-1': measured('rouge-1'), 'rouge-2': measured('rouge-2'), 'rouge-l': measured('rouge-l') }
}

const rouge = defineModule('rouge', {
  Rouge: native('Rouge()', () => {
    return new FixedObject('Rouge', { get_scores: native('get_scores(hyps, refs, avg=False)', getScores) })
  }),
})

/** Packages that compare texts, as far as tasks use them. */
export const likenessLibraries = [fuzz, fuzzywuzzy, rouge]

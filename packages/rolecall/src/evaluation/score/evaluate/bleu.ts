import { isList, type PyValue, pyStr, splitSpace, strip, stripEnd } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { exp, log } from '../../../python/library/libm.ts'
import { defineEvaluator } from './evaluator.ts'
import { meanOf } from './shares.ts'

const order = 4

/** The statistics of a sentence for BLEU: matching n-grams, all n-grams, its length and that of the nearest reference. */
export type BleuCounts = { correct: readonly number[]; total: readonly number[]; length: number; referenceLength: number }

export type BleuScore = {
  score: number
  counts: number[]
  totals: number[]
  precisions: number[]
  bp: number
  sys_len: number
  ref_len: number
}

/** Counts the n-grams of one sentence, each clipped to its maximum count in a reference. */
export function bleuCounts(prediction: string, references: readonly string[], tokenizer: BleuTokenizer = '13a'): BleuCounts {
  const words = (text: string) => splitSpace(bleuTokenize(stripEnd(text), tokenizer))
  const said = words(prediction)
  const right = references.map(words)
  const most = new Map<string, number>()
  for (const reference of right) for (const [ngram, count] of ngramsOf(reference)) most.set(ngram, Math.max(count, most.get(ngram) ?? 0))
  const correct = new Array<number>(order).fill(0)
  for (const [ngram, count] of ngramsOf(said)) correct[ngram.split(' ').length - 1]! += Math.min(count, most.get(ngram) ?? 0)
  const nearest = right
    .map((reference) => reference.length)
    .reduce((best, length) => {
      const [distance, least] = [Math.abs(length - said.length), Math.abs(best - said.length)]
      return distance < least || (distance === least && length < best) ? length : best
    }, Number.POSITIVE_INFINITY)
  return {
    correct,
    total: correct.map((_, index) => Math.max(0, said.length - index)),
    length: said.length,
    referenceLength: Number.isFinite(nearest) ? nearest : 0,
  }
}

function ngramsOf(words: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (let length = 1; length <= order; length++) {
    for (let at = 0; at + length <= words.length; at++) {
      const ngram = words.slice(at, at + length).join(' ')
      found.set(ngram, (found.get(ngram) ?? 0) + 1)
    }
  }
  return found
}

/** BLEU of one sentence; n-grams longer than it are ignored (sacrebleu's effective order). */
export function sentenceBleu(sentence: BleuCounts): BleuScore {
  const longest = sentence.total.filter((count) => count > 0).length
  return bleuOf([sentence], Math.max(1, longest))
}

/** BLEU of all sentences together, with sacrebleu's exponential smoothing. */
export function corpusBleu(sentences: readonly BleuCounts[]): BleuScore {
  return bleuOf(sentences, order)
}

function bleuOf(sentences: readonly BleuCounts[], longest: number): BleuScore {
  const sum = (pick: (one: BleuCounts) => number) => sentences.reduce((all, one) => all + pick(one), 0)
  const counts = Array.from({ length: order }, (_, index) => sum(({ correct }) => correct[index]!))
  const totals = Array.from({ length: order }, (_, index) => sum(({ total }) => total[index]!))
  const [length, referenceLength] = [sum((one) => one.length), sum((one) => one.referenceLength)]
  const bp = length >= referenceLength ? 1 : length > 0 ? exp(1 - referenceLength / length) : 0
  const precisions = new Array<number>(order).fill(0)
  const common = { counts, totals, bp, sys_len: length, ref_len: referenceLength }
  if (counts.every((count) => count === 0)) return { score: 0, ...common, precisions }
  let smoothing = 1
  for (let index = 0; index < order && totals[index]! > 0; index++) {
    if (counts[index] === 0) smoothing *= 2
    precisions[index] = counts[index] === 0 ? 100 / (smoothing * totals[index]!) : (100 * counts[index]!) / totals[index]!
  }
  const logarithms = precisions.slice(0, longest).map((precision) => (precision === 0 ? -9_999_999_999 : log(precision)))
  return { score: bp * exp(logarithms.reduce((all, one) => all + one, 0) / longest), ...common, precisions }
}

export const bleu = defineEvaluator({
  names: ['BleuEvaluator'],
  does: "BLEU of all rows together, as sacrebleu counts it; a row's own score is the BLEU of its sentence, without n-grams that are longer than it.",
  example: { answers: ['the cat sat on the mat'], gold: ['the cat sat on a mat'], figures: { score: 53.73 } },
  options: z.strictObject({
    tokenize: z._default(z.enum(['13a', 'zh', 'char', 'none']), '13a').check(z.describe("sacrebleu's tokenizer; zh for Chinese.")),
  }),
  with: ({ tokenize }) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
      const references = textsOf(reference)
      const keep = bleuCounts(pyStr(prediction), references, tokenize)
      const { score, bp } = sentenceBleu(keep)
      // Floating-point error may exceed one slightly.
      return { score: Math.min(1, score / 100), detail: { pred: prediction, answer: references, sentence_bleu: score, bp }, keep }
    },
    summarise(kept: readonly BleuCounts[]) {
      const { score, bp, sys_len, ref_len } = corpusBleu(kept)
      return { score, bp, sys_len, ref_len }
    },
  }),
})

function textsOf(reference: PyValue): string[] {
  return (isList(reference) ? reference : [reference]).map((one) => pyStr(one))
}

/** The tokenizers of sacrebleu that need no model. */
export const bleuTokenizers = ['13a', 'intl', 'zh', 'char', 'none'] as const
export type BleuTokenizer = (typeof bleuTokenizers)[number]

/** A line as words separated by single spaces, as produced by sacrebleu's tokenizer of this name. */
export function bleuTokenize(line: string, tokenizer: BleuTokenizer): string {
  switch (tokenizer) {
    case '13a':
      return punctuationApart(` ${unescapeEntities(line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' '))} `)
    case 'intl':
      return line
        .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
        .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
        .replace(/\p{S}/gu, ' $& ')
    case 'zh':
      return punctuationApart([...strip(line)].map((character) => (isChinese(character) ? ` ${character} ` : character)).join(''))
    case 'char':
      return [...line].join(' ')
    case 'none':
      return line
    default:
      return tokenizer satisfies never
  }
}

function unescapeEntities(line: string): string {
  return line.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}

function punctuationApart(line: string): string {
  const apart = line
    .replace(/[{-~[-` -&(-+:-@/]/gu, ' $& ')
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])(-)/gu, '$1 $2 ')
  return splitSpace(apart).join(' ')
}

/** sacrebleu's ranges. Two of them are meant for supplementary planes but, as written there, begin at U+2000 and U+2F80. */
const chinese = [
  ...[0x3400, 0x4db5, 0x4e00, 0x9fbb, 0xf900, 0xfa2d, 0xfa30, 0xfa6a, 0xfa70, 0xfad9, 0xff00, 0xffef, 0x2e80, 0x2eff],
  ...[0x3000, 0x303f, 0x31c0, 0x31ef, 0x2f00, 0x2fdf, 0x2ff0, 0x2fff, 0x3100, 0x312f, 0x31a0, 0x31bf, 0xfe10, 0xfe1f],
  ...[0xfe30, 0xfe4f, 0x2600, 0x26ff, 0x2700, 0x27bf, 0x3200, 0x33ff],
]

function isChinese(character: string): boolean {
  const code = character.codePointAt(0)!
  for (let index = 0; index < chinese.length; index += 2) if (code >= chinese[index]! && code <= chinese[index + 1]!) return true
  return (code >= 0x2000 && code <= 0x2a6d) || (code >= 0x2f80 && code <= 0x2fa1)
}

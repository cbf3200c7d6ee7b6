import { strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern } from '../../../../python/regex/index.ts'
import { afterThinking, withoutEndTokens } from '../thoughts.ts'

export const rna = definePostprocessor({
  names: ['RNA_postprocessor'],
  does: 'The sequence within <rna>…</rna>, with U for T; where only the end of the element is there, the last letters A, C, G, U before it.',
  example: { answer: 'Here: <rna>ACGT</rna>', becomes: 'ACGU' },
  finds: true,
  process(text) {
    const written = text.replaceAll('T', 'U').replaceAll('t', 'u')
    const element = guardedPattern('<rna>(.*?)</rna>', { dotAll: true, ignoreCase: true }).first(written)
    if (element) return strip(element.groups[0] ?? '')
    const before = guardedPattern('^(.*?)</rna>', { dotAll: true, ignoreCase: true }).first(written)
    const letters =
      before &&
      guardedPattern('[ACGU]+', { ignoreCase: true })
        .all(before.groups[0] ?? '')
        .at(-1)
    return letters?.text.toUpperCase() ?? notFound()
  },
})

const aminoAcids = 'ACDEFGHIKLMNPQRSTVWY'
const keep = (text: string, letters: string) => [...text].filter((letter) => letters.includes(letter)).join('')

export const proteinDesign = definePostprocessor({
  names: ['Mol_Instructions_postprocess_Protein_Design'],
  does: 'The amino acids within the first <protein>…</protein> of a line.',
  example: { answer: '<think>…</think><protein>MKV-x</protein>', becomes: 'MKV' },
  finds: true,
  process(text) {
    const found = guardedPattern('<protein>(.*?)</protein>').first(afterThinking(strip(text)))
    return found ? keep(found.groups[0] ?? '', aminoAcids) : notFound()
  },
})

export const proteinGeneration = definePostprocessor({
  names: ['UPG_postprocess'],
  does: 'The amino acids, and gaps, within the last <protein>…</protein>, in capitals.',
  example: { answer: '<protein>mk; v-</protein>', becomes: 'MKV-' },
  finds: true,
  process(text) {
    const found = guardedPattern('<protein>(.*?)</protein>', { dotAll: true }).all(text).at(-1)
    return found ? keep((found.groups[0] ?? '').toUpperCase(), `${aminoAcids}-`) : notFound()
  },
})

export const proteinText = definePostprocessor({
  names: ['Mol_Instructions_postprocess_Protein'],
  does: 'The answer without what the model thought and without tokens that end a text.',
  example: { answer: '<think>…</think> It binds zinc.<|im_end|>', becomes: 'It binds zinc.' },
  process: (text) => strip(afterThinking(withoutEndTokens(strip(text)))),
})

export const opi = definePostprocessor({
  names: ['opi_postprocess'],
  does: 'The answer without tokens that end a text.',
  example: { options: { task: 'Keywords' }, answer: 'zinc; kinase<|im_end|>', becomes: 'zinc; kinase' },
  options: z.strictObject({ task: z.string().describe('The task of OPI; all are read alike.') }),
  process: (text) => withoutEndTokens(strip(text)),
})

const biotextTasks = [
  'chemical_disease_interaction_extraction',
  'chemical_protein_interaction_extraction',
  'chemical_entity_recognition',
  'true_or_false_question',
  'multi_choice_question',
  'open_question',
]

export const biotext = definePostprocessor({
  names: ['Mol_Instructions_postprocess_BioText'],
  does: 'The answer without thinking, end tokens, and openings such as "Answer:" and "I would say that"; other tasks keep all but white space around it.',
  example: { options: { task: 'open_question' }, answer: 'Answer: I would say that zinc helps.', becomes: 'zinc helps.' },
  options: z.strictObject({ task: z.string().describe('The task of Mol-Instructions.') }),
  process(text, { task }) {
    if (!biotextTasks.includes(task)) return strip(text)
    const opened = guardedPattern(String.raw`^(Response:|Answer:)\s*`, { ignoreCase: true }).without(withoutEndTokens(strip(text)))
    return strip(
      guardedPattern(String.raw`^(I would say that|I would like to say that)\s*`, { ignoreCase: true }).without(afterThinking(opened)),
    )
  },
})

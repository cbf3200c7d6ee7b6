import { strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { type NotFound, notFound } from '../../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../../evaluation/score/postprocess/postprocessor.ts'
import { guardedPattern } from '../../../../python/regex/index.ts'
import { afterThinking, withoutEndTokens, withoutThinkElements } from '../thoughts.ts'

/** The element that contains a task's answer; a molecule description has none. */
const elements = {
  forward_synthesis: 'SMILES',
  retrosynthesis: 'SMILES',
  molecule_generation: 'SMILES',
  molecule_captioning: undefined,
  'name_conversion-i2f': 'MOLFORMULA',
  'name_conversion-i2s': 'SMILES',
  'name_conversion-s2f': 'MOLFORMULA',
  'name_conversion-s2i': 'IUPAC',
  'property_prediction-esol': 'NUMBER',
  'property_prediction-lipo': 'NUMBER',
  'property_prediction-bbbp': 'BOOLEAN',
  'property_prediction-clintox': 'BOOLEAN',
  'property_prediction-hiv': 'BOOLEAN',
  'property_prediction-sider': 'BOOLEAN',
} as const
type Task = keyof typeof elements

const formula = String.raw`[\[\(]?[A-Z][a-z]?\d*(?:\([A-Za-z0-9]+\)\d*)?[\]\)]?(?:[A-Z][a-z]?\d*|\([^\)]+\)\d*|\[[^\]]+\]\d*)*(?:[+-]{1,2})?(?:·\d*[A-Z][a-z]?\d*)*`

/** If an answer has no element: the last candidate. */
const without: Record<string, (text: string) => string | undefined> = {
  BOOLEAN(text) {
    const word = guardedPattern(String.raw`\b(?:yes|true|no|false)\b`, { ignoreCase: true }).all(text).at(-1)?.text.toLowerCase()
    return word && (word === 'yes' || word === 'true' ? 'Yes' : 'No')
  },
  NUMBER(text) {
    const apart = guardedPattern('<SMILES>.*?</SMILES>', { dotAll: true }).without(text)
    return guardedPattern(String.raw`-?\d*\.\d+|-?\d+`).all(apart).at(-1)?.text
  },
  MOLFORMULA: (text) => guardedPattern(formula).all(text).at(-1)?.text,
}

/** The text between the first opening and the first closing tag, whichever comes first. */
function inElement(text: string, name: string): string {
  const [begin, end] = [text.indexOf(`<${name}>`), text.indexOf(`</${name}>`)]
  return begin < 0 || end < 0 ? '' : strip(text.slice(begin + name.length + 2, end))
}

export const llm4Chem = definePostprocessor({
  names: ['LLM4Chem_postprocess'],
  does: 'What stands in the element of the task (<SMILES>, <NUMBER> …), with periods for semicolons in SMILES; without one, the last number, formula, or yes or no.',
  example: { options: { task: 'property_prediction-esol' }, answer: 'It is about <NUMBER> -2.5 </NUMBER>.', becomes: '-2.5' },
  options: z.strictObject({ task: z.enum(Object.keys(elements) as [Task, ...Task[]]).describe('The task of LLM4Chem.') }),
  finds: true,
  process(text, { task }): string | NotFound {
    const said = withoutThinkElements(text)
    const element = elements[task]
    if (element === undefined) return strip(said.replaceAll('<unk>', '').replaceAll('</s>', ''))
    const answer = inElement(said, element)
    if (answer === '') return without[element]?.(said) || notFound()
    return element === 'SMILES' ? answer.replaceAll(';', '.') : answer
  },
})

export const retrosynthesis = definePostprocessor({
  names: ['Retrosynthesis_postprocess'],
  does: 'What stands in the last <SMILES>…</SMILES>.',
  example: { answer: 'From <SMILES>CCO</SMILES>', becomes: 'CCO' },
  finds: true,
  process(text) {
    const found = guardedPattern('<SMILES>(.*?)</SMILES>', { dotAll: true }).all(withoutThinkElements(text)).at(-1)
    return found ? strip(found.groups[0] ?? '') : notFound()
  },
})

const molecules = ['description_guided_molecule_design', 'forward_reaction_prediction', 'retrosynthesis', 'reagent_prediction']

export const molInstructionsMolecule = definePostprocessor({
  names: ['Mol_Instructions_postprocess_Mol'],
  does: 'For `property_prediction_str` the first number (0 where there is none), for `molecular_description_generation` the answer without thinking and end tokens; other tasks keep the answer as it is.',
  example: { options: { task: 'property_prediction_str' }, answer: '<think>…</think>-0. 25', becomes: '-0.25' },
  options: z.strictObject({
    task: z
      .string()
      .refine((task) => !molecules.includes(task), {
        error: 'this task compares molecules, whose canonical SMILES only a chemistry toolkit (RDKit) can write',
      })
      .describe('The task of Mol-Instructions.'),
  }),
  finds: true,
  process(text, { task }) {
    if (task !== 'property_prediction_str' && task !== 'molecular_description_generation') return text
    const said = afterThinking(withoutEndTokens(strip(text)))
    if (task === 'molecular_description_generation') return said
    const joined = guardedPattern(String.raw`(?<=\d) +(?=\d)|(?<=\.) +(?=\d)`).without(said)
    return guardedPattern(String.raw`[-+]?\d*\.\d+|\d+`).first(joined)?.text ?? notFound(0)
  },
})

import { isList, type PyValue, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { pythonRegex, search } from '../../../../python/regex/index.ts'

/** How models announce answers outside tags. */
const announcements = [
  'reactants and reagents are:\n```\n',
  'reactants and reagents:\n```\n',
  'Reactants and Reagents:**\n```\n',
  'Reactants and Reagents SMILES:**\n```\n',
  'Reactants and Reagents:**  \n`',
]

/** The content of the last <SMILES>, <IUPAC> or <MOLFORMULA>, else the text after an announcement, else the whole text. */
function chemical(text: string): string {
  const tagged = [...text.matchAll(pythonRegex(String.raw`<(MOLFORMULA|SMILES|IUPAC)>(.*?)</\1>`, { dotAll: true }))]
  if (tagged.length > 0) return strip(tagged.at(-1)![2]!)
  const announced = announcements.find((one) => text.includes(one))
  return announced === undefined ? text : text.split(announced).at(-1)!.split('\n')[0]!
}

type Named = { correct: boolean; valid: boolean }

function namedFigures(rows: readonly Named[]): Figures {
  return {
    score: percent(
      count(rows, ({ correct }) => correct),
      rows.length,
    ),
    valid_score: percent(
      count(rows, ({ valid }) => valid),
      rows.length,
    ),
  }
}

const valid = [{ metric: 'valid_score', unit: 'percent' }]

export const exactMolecule = defineEvaluator({
  names: ['NCExactMatchEvaluator'],
  does: 'Right when what stands in the last chemical tag of the answer, or the whole answer, is the gold text. For SMolInstruct.',
  example: { answers: ['<SMILES> CCO </SMILES>', 'CC'], gold: ['<SMILES>CCO</SMILES>', 'C'], figures: { score: 50 } },
  ...shareOf('score'),
  interval: 'scores',
  beside: valid,
  judge({ prediction, reference }) {
    const [pred, answer] = [chemical(answerText(prediction)), chemical(goldText(reference))]
    const correct = pred !== '' && strip(pred) === strip(answer)
    return { score: Number(correct), detail: { pred, answer, correct }, keep: { correct, valid: true } }
  },
  summarise: namedFigures,
})

/** The count of each element in a formula, and its charge; undefined if it is not a formula. */
function elementsOf(formula: string): string | undefined {
  if (!search(String.raw`^([A-Za-z]\d*)+([\+\-]\d*)*$`, formula)) return undefined
  const counts = new Map<string, number>()
  // An element that begins with a lower-case letter ends the count, as in the reference.
  for (let rest = formula; ; ) {
    const atom = search(String.raw`^([A-Z][a-z]?)(\d+)?`, rest)
    if (!atom) break
    counts.set(atom[1]!, (counts.get(atom[1]!) ?? 0) + Number(atom[2] ?? 1))
    rest = rest.slice(atom[0].length)
  }
  const charge = search(String.raw`[\+\-]\d*`, formula)?.[0]
  if (charge !== undefined) counts.set(charge[0]!, charge.length === 1 ? 1 : Number(charge.slice(1)))
  return JSON.stringify([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Compared = Named & { pred: string }

function compared(pred: string, answer: string): Compared {
  const said = elementsOf(pred)
  // An empty answer is missing, which differs from an answer that is not a formula.
  if (said === undefined) return { pred, correct: false, valid: pred === '' }
  const right = elementsOf(answer)
  if (right === undefined) throw wrongGold(`"${answer}" is not a molecular formula`, 'write one as C2H6O')
  return { pred, correct: said === right, valid: true }
}

export const sameElements = defineEvaluator({
  names: ['NCElementMatchEvaluator'],
  does: 'Right when the formula in the last chemical tag of the answer, or the whole answer, has the same elements as the gold one. For SMolInstruct.',
  example: { answers: ['<MOLFORMULA>H6C2O</MOLFORMULA>', 'C'], gold: ['C2H6O', 'C2'], figures: { score: 50 } },
  ...shareOf('score'),
  interval: 'scores',
  beside: valid,
  judge({ prediction, reference }) {
    const answer = chemical(goldText(reference))
    // One of several candidates must be right.
    const each = (isList(prediction) ? prediction : [prediction]).map((one) => compared(chemical(answerText(one)), answer))
    const all = <Value extends PyValue>(of: (one: Compared) => Value) => (isList(prediction) ? each.map(of) : of(each[0]!))
    const keep = { correct: each.some(({ correct }) => correct), valid: each.some((one) => one.valid) }
    return { score: Number(keep.correct), detail: { pred: all(({ pred }) => pred), answer, score: all(({ correct }) => correct) }, keep }
  },
  summarise: namedFigures,
})

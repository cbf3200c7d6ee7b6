/**
 * Where Rolecall and the reference part in retrieval and scoring, as rules. The conformance runner finds each by testing
 * the input, and `docs/fidelity.md` is printed from this table.
 */
export type ScoringRule = {
  /** What the reference does. */
  reference: string
  /** What Rolecall does. */
  rolecall: string
}

export const scoringRules = {
  'single-accepted-answer': {
    reference: 'EMEvaluator fails when the gold answer is a text and not a list of texts.',
    rolecall: 'A single accepted answer need not be a list.',
  },
  'list-as-prediction': {
    reference: 'AccEvaluator fails when an answer is a list.',
    rolecall: "It is compared as Python's str() shows it.",
  },
  'uneven-references': {
    reference: 'BleuEvaluator fails unless every row has the same number of gold answers.',
    rolecall: 'Each row is compared with its own gold answers.',
  },
  'replica-details-overwritten': {
    reference:
      'With n replicas the details of a row are those of its last replica n times over (copies of a row are one object), and G-Pass@k counts them; an evaluator without details reports its last run only; SquadEvaluator fails.',
    rolecall: 'Every replica keeps its details, G-Pass@k counts them, and figures are means over the runs.',
  },
  'dpp-order': {
    reference: 'DPPRetriever always fails: it indexes a list with an array.',
    rolecall: 'The selected rows, the most relevant first, which is what it means to do.',
  },
  'punkt-model': {
    reference: "Sentences are split by nltk's trained Punkt model, so that a period after a word it knows to be an abbreviation is no end.",
    rolecall:
      'The same algorithm with a short list of abbreviations and no trained word statistics; with nltk_data at hand, `punkt_model` reads the trained model. Only tokens at periods in the middle of a text can differ.',
  },
} as const satisfies Record<string, ScoringRule>

export type ScoringRuleName = keyof typeof scoringRules

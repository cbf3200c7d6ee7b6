import type { Rule } from '../rule.ts'

/** Differences from OpenCompass and its libraries in retrieval and scoring. */
export const scoringRules = {
  'reasoning-scored': {
    gives: 'value',
    reference: 'What a model thinks is scored with its answer, unless the config has a postprocessor that takes it out.',
    rolecall: 'Reasoning is separated first. With `compat: opencompass` it is scored.',
  },
  'single-accepted-answer': {
    gives: 'value',
    reference: 'EMEvaluator fails when the gold answer is a text and not a list of texts.',
    rolecall: 'A single accepted answer need not be a list.',
  },
  'list-as-prediction': {
    gives: 'value',
    reference: 'AccEvaluator fails when an answer is a list.',
    rolecall: "It is compared as Python's str() shows it.",
  },
  'uneven-references': {
    gives: 'value',
    reference: 'BleuEvaluator fails unless every row has the same number of gold answers.',
    rolecall: 'Each row is compared with its own gold answers.',
  },
  'replica-details-overwritten': {
    gives: 'value',
    reference:
      'With n replicas the details of a row are those of its last replica n times over (copies of a row are one object), and G-Pass@k counts them; an evaluator without details reports its last run only.',
    rolecall: 'Every replica keeps its details, G-Pass@k counts them, and figures are means over the runs.',
  },
  'squad-bare-number': {
    gives: 'value',
    reference:
      'SquadEvaluator gives a bare number where figures by name are expected: every evaluation with it fails with AttributeError, with one answer for each row as with several.',
    rolecall:
      'The figures are `f1` and `exact_match`, with the details of every row, and their means over the runs where a row has several answers.',
  },
  'squad-several-answers': {
    gives: 'value',
    reference: 'SquadEvaluator fails when the gold answer is a list of accepted answers.',
    rolecall: "As SQuAD's own script does: an answer counts by the accepted answer that it is nearest to.",
  },
  'judge-reference-empty': {
    gives: 'value',
    reference:
      'In the template of a judge {obj_gold} is the gold answer, while {reference} is empty: it is the output column, which is masked as in any other prompt.',
    rolecall: 'Both are the gold answer, after `dataset_postprocessor`.',
  },
  'judge-first-letter': {
    gives: 'value',
    reference: 'The verdict of GenericLLMEvaluator is the first A or B in what the judge says, also where that is part of its reasoning.',
    rolecall:
      'It is read from the last line, a tag or a box (`last_verdict`). With `compat: opencompass`, or where `dict_postprocessor` names `generic_llmjudge_postprocess`, the first letter counts.',
  },
  'judge-undecided': {
    gives: 'value',
    reference: 'An answer about which the judge gives no verdict counts as wrong in `accuracy`.',
    rolecall:
      'It is not decided: the row has no score and is counted, and `accuracy` is the share of the decided. With `compat: opencompass` it is the share of all.',
  },
  'nothing-to-score': {
    gives: ['nothing-to-score', 'unequal-lengths'],
    reference: 'Of 70 evaluators 60 fail for a dataset without answers, most with ZeroDivisionError; ten report 0.',
    rolecall:
      'An empty result has no score, only a message: 0 is also the score of a model that is always wrong. With `compat: opencompass` the ten report 0.',
  },
  'uneven-lists': {
    gives: ['unequal-lengths'],
    reference:
      'Most evaluators give an error for lists of unequal length; a few compare as many answers as there are gold answers, and leave out the rest.',
    rolecall:
      'An error for all of them, also with `compat`: answers and gold answers are columns of the same rows, so that only a call from a program can be uneven, and the answers left out would not be reported.',
  },
  'lists-of-figures': {
    gives: 'value',
    reference: 'NCElementMatchEvaluator gives a list of figures, one for each candidate, where an answer is a list of candidates.',
    rolecall: 'Figures are numbers: `score` is the share of rows with a right candidate, and `valid_score` of those with a readable one.',
  },
  'language-detection': {
    gives: 'value',
    reference: 'The language of an answer (IFEval) is detected by langdetect, from the frequencies of letters in a row of 55 languages.',
    rolecall:
      'It is detected by the script, the letters and the commonest words of 40 languages. Only answers whose language an instruction asks for can differ.',
  },
  'computer-algebra': {
    gives: 'value',
    reference:
      'MATHVerify, OlympiadBench, TheoremQA and PHYBench compare formulas with sympy, which computes integrals, sums, limits and complex numbers.',
    rolecall:
      'Formulas are the same when they come to the same real numbers at several points, decimals to six places. What is beyond sums, products, powers, roots and elementary functions cannot be read, and is wrong.',
  },
  'expression-distance': {
    gives: 'value',
    reference: 'MathEEDEvaluator counts the changes between the trees that sympy simplifies formulas to, whole branches at a discount.',
    rolecall: 'The changes between trees with flat, ordered sums and products, node by node. Only marks between 0 and 60 can differ.',
  },
  'no-option-named': {
    gives: 'value',
    reference: 'SciKnowEvalEvaluator fails with IndexError when an answer names no option, and with it the whole dataset.',
    rolecall: 'Such an answer is wrong.',
  },
  'rule-with-prompts': {
    gives: 'value',
    reference: 'CascadeEvaluator fails with TypeError when its rule is AccwithDetailsEvaluator, which wants the prompts.',
    rolecall: 'Any evaluator that compares answers can be the rule.',
  },
  'agent-without-result': {
    gives: 'value',
    reference: 'MATHAgentEvaluator fails with UnboundLocalError when the tool of a wrong answer has no result.',
    rolecall: 'Such an answer is wrong, and so is its tool.',
  },
  'agent-without-tool': {
    gives: 'value',
    reference: 'MATHAgentEvaluator fails with ZeroDivisionError when no row used the tool.',
    rolecall: 'Then there is no `code_acc`, and the other figures are there.',
  },
  'judge-nothing-read': {
    gives: ['not-decided'],
    reference:
      'Where nothing can be read in the words of a judge about any of the rows, a `dict_postprocessor` gives zeros, empty texts, NaN, or a warning in place of figures.',
    rolecall:
      'There is no figure: the run says that the judge has decided about none of the answers, and what to do. With `compat: opencompass` the zeros are reported.',
  },
  'arena-resampling': {
    gives: 'value',
    reference:
      'arenahard_postprocess resamples the comparisons a hundred times, throws the result away, and fails where one of the samples has victories of one side only, as few comparisons have.',
    rolecall: 'Nothing is resampled: the figure is that of the comparisons themselves.',
  },
  'dpp-order': {
    gives: 'value',
    reference: 'DPPRetriever always fails with TypeError, whatever its rows and options: it indexes a list with an array of places.',
    rolecall:
      'What it means to do: of the candidates those that the determinantal point process selects, ordered by how near they are to the question, the nearest first. A row that would be selected again, since the rest equals what is there, counts once; the nearest of the rest follow.',
  },
  'bm25-k1-zero': {
    gives: 'value',
    reference: 'With k1 = 0 every document without a word of the query has no score (0 divided by 0), and comes first.',
    rolecall: 'Such a document has the score 0.',
  },
  'no-perplexity': {
    gives: 'value',
    reference: 'A label whose perplexity is not a number is chosen if it is the first, and never otherwise.',
    rolecall: 'Such a label is chosen only if there is no other.',
  },
  'punkt-model': {
    gives: 'value',
    reference: "Sentences are split by nltk's trained Punkt model, so that a period after a word it knows to be an abbreviation is no end.",
    rolecall:
      'The same algorithm with a short list of abbreviations and no trained word statistics; `tokenizeWords` takes a trained model where one is at hand. Only tokens at periods within a text can differ.',
  },
  'bfcl-blank-line': {
    gives: 'value',
    reference: 'The Berkeley Function Calling Leaderboard cannot read a file with an empty line in it.',
    rolecall: 'Empty lines are skipped, as in every file with one object a line.',
  },
  'bfcl-other-id': {
    gives: ['other-answer-row'],
    reference: 'The leaderboard pairs questions and answers by their order, whatever their ids are.',
    rolecall: 'An answer whose id is that of another question is an error, before anything is sent for this row.',
  },
} as const satisfies Record<string, Rule>

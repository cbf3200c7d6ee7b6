import type { Rule } from '../rule.ts'

/** Replies read with a `response_template`, by transformers 5.18 and by us. */
export const responseRules = {
  'response-malformed-kept': {
    gives: 'value',
    reference: 'A malformed or cut call, or a missing field, is an error, and the whole message is lost.',
    rolecall: 'The rest of the message is kept, and what is wrong is a problem with its text.',
  },
  'response-text-between': {
    gives: 'value',
    reference: 'Of text between other regions only the last part is kept, even if it is blank.',
    rolecall: 'All of it is one text.',
  },
  'response-cut-independent': {
    gives: 'value',
    reference: 'A mark that the end of a chunk cuts is committed too early, or its second half becomes text.',
    rolecall: 'What could still change is held: the result of a stream is that of the whole reply.',
  },
  'response-empty-mark': {
    gives: 'value',
    reference: 'A pattern that matches nothing ends the reading, or is matched at one place for ever.',
    rolecall: 'An empty match that changes nothing is passed over.',
  },
  'response-defaults-kept': {
    gives: 'value',
    reference: "A reply's values are added to the template's own defaults; a default of null for a list is an error.",
    rolecall: 'Templates are never changed, and null is an empty list.',
  },
  'response-groups': {
    gives: 'value',
    reference: 'Named groups of a closing pattern, and those that took no part, are undefined, which is an error.',
    rolecall: 'The former have their text, the latter are null.',
  },
  'response-anchor-missing': {
    gives: 'value',
    reference: 'A prompt without the start anchor becomes part of the message.',
    rolecall: 'Nothing of it is taken for the reply, and a problem says so.',
  },
  'response-dialect': {
    gives: 'value',
    reference: 'Unquoted keys and delimiters are also replaced inside quoted strings, which damages them.',
    rolecall: 'Strings in quotes stay as they are.',
  },
  'response-cut-call': {
    gives: 'value',
    reference: 'A call whose end is missing is a complete call with the arguments so far.',
    rolecall: 'It is reported as cut and is not in the message.',
  },
  'response-exact-numbers': {
    gives: 'value',
    reference: 'Numbers become floats on their way, and NaN passes for JSON.',
    rolecall: 'Integers keep every digit; NaN is no JSON.',
  },
  'response-checked-early': {
    gives: ['response-template'],
    reference: "Wrong arguments of a content's reader fail at the first reply, with Python's own errors.",
    rolecall: 'They are refused when the template is loaded, with their place.',
  },
  'response-pattern-refused': {
    gives: ['response-template'],
    reference: 'Fuzzy matching, recursion, verbs and `\\K` are run by a backtracking engine.',
    rolecall: 'They are refused by name.',
  },
} as const satisfies Record<string, Rule>

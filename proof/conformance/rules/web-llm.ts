import type { Rule } from '../rule.ts'

/**
 * Differences between WebLLM's conversation templates and those of MLC-LLM, which Rolecall follows. The conformance runner finds each by
 * testing the input: it applies the rule to our output, which must then equal WebLLM's prompt. `docs/fidelity.md` is printed from this
 * table.
 */
export const webLlmRules = {
  'web-llm-separators': {
    gives: 'value',
    reference: 'Separators go by the position of a message, also where user and model do not speak in turn; there may be more than two.',
    rolecall: 'As MLC-LLM: by role, the second is the model’s. More than two are an error.',
  },
  'web-llm-dollar-signs': {
    gives: 'value',
    reference:
      'In what is put into a template `$$`, `$&`, `` $` `` and `$\'` are replaced, as by JavaScript’s `replace`: "$$5" becomes "$5".',
    rolecall: 'Every text is written as it is.',
  },
  'web-llm-first-placeholder': {
    gives: 'value',
    reference: 'Of several {user_message} or {system_message} in a template the first is filled.',
    rolecall: 'As MLC-LLM: all of them are.',
  },
  'web-llm-functions': {
    gives: 'value',
    reference:
      'Tools are written at the first {function_string} of every message, in what the user says, too, and never in the system text, where the placeholder stays.',
    rolecall: 'As MLC-LLM: at the last {function_string} of the templates; the others are empty. Data is never looked at.',
  },
  'web-llm-colons': {
    gives: 'value',
    reference: 'A role_content_sep or role_empty_sep that is missing or null is ": ".',
    rolecall: 'As MLC-LLM: a missing one is empty, null is an error.',
  },
  'web-llm-no-system-text': {
    gives: 'value',
    reference: 'A template without system_message says "undefined"; one without system_template fails.',
    rolecall: 'As MLC-LLM: both have defaults, and nothing is said.',
  },
  'web-llm-images-first': {
    gives: 'value',
    reference: 'Images of a message stand before its text, with a new line behind each only for the model type phi3_v.',
    rolecall: 'As MLC-LLM: in the order of the parts, each image on a separate line.',
  },
  'web-llm-names': {
    gives: 'value',
    reference: 'The `name` of a message is written instead of its role, markup included.',
    rolecall: 'The role is written, or the name is refused: a message cannot change the format.',
  },
  'web-llm-last-round': {
    gives: 'value',
    reference: 'The last round is written without the separator of the reply before it, and not at all for the first round.',
    rolecall: 'As the old generation: the separator comes first, since a model stops before it writes one.',
  },
  'web-llm-empty-prompt': {
    gives: 'value',
    reference: 'Where nothing is said and there is no system text, the prompt is empty.',
    rolecall: 'An error.',
  },
  'web-llm-open-reply': {
    gives: 'value',
    reference: 'A reply without content before the last message is an error.',
    rolecall: 'As MLC-LLM: its header is written.',
  },
  'web-llm-request': {
    gives: 'value',
    reference: 'A request must end with the user or a tool, replies must be text, and a message has one text part at most.',
    rolecall: 'As MLC-LLM: none of these is refused.',
  },
  'web-llm-developer': {
    gives: 'value',
    reference: 'The role developer is refused.',
    rolecall: 'It says what the system says, as in OpenAI’s protocol.',
  },
  'web-llm-function-list': {
    gives: 'value',
    reference: 'Tools are listed as JSON without spaces, with the keys in the order of the request; a chosen one is a list of one.',
    rolecall: 'As MLC-LLM: as Python writes JSON, with description, name and parameters; a chosen one stands alone.',
  },
} as const satisfies Record<string, Rule>

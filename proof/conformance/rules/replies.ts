import type { Rule } from '../rule.ts'

/** Parsers of serving stacks and agents for InternLM2, on whole and streamed replies. */
export const serverRules = {
  'reply-stream-defective': {
    gives: 'value',
    reference: 'Streamed calls lose or garble names and arguments, or leak marks into the text.',
    rolecall: 'A stream gives the same text and calls as the whole reply.',
  },
  'reply-interpreter-as-text': {
    gives: 'value',
    reference: 'Code for the interpreter is left in the text with its marks, or swallowed with them.',
    rolecall: 'It is a call with the code.',
  },
  'reply-lagent-raw': {
    gives: 'value',
    reference: 'The interpreter block is handed on with its fence, cut at the first closing mark or with the mark in it.',
    rolecall: 'The code is what stands inside the fence.',
  },
  'reply-several-calls': {
    gives: 'value',
    reference: 'A second start mark is an error, or only the first call is read.',
    rolecall: 'Every call is read.',
  },
  'reply-malformed': {
    gives: 'value',
    reference: 'A call that is not JSON with a name is an error, becomes text, or is handed on as if it were one.',
    rolecall: 'It is a malformed call with its raw text and the problem.',
  },
  'reply-unterminated': {
    gives: 'value',
    reference: 'Without the closing mark the call becomes text, although servers stop on that mark.',
    rolecall: 'It is a call, marked as unterminated.',
  },
  'reply-text-after': { gives: 'value', reference: 'Text after a call is dropped.', rolecall: 'It is text.' },
  'reply-end-mark': {
    gives: 'value',
    reference: 'The mark that ends the turn is left in the text.',
    rolecall: 'It ends the reply, and is not part of it.',
  },
  'reply-two-names': {
    gives: 'value',
    reference: 'Of two names the last counts, although a stream has already told the first.',
    rolecall: 'Such a call is malformed.',
  },
  'reply-both-keys': {
    gives: 'value',
    reference: "Of `parameters` and `arguments` the latter counts, contrary to InternLM's _对话格式_ (Chat Format).",
    rolecall: '`parameters` count.',
  },
  'reply-lagent-newline': {
    gives: 'value',
    reference: 'lagent HEAD wants a newline after each mark: without it the call is text, or the closing mark is part of the call.',
    rolecall: 'White space around the marks does not matter.',
  },
  'reply-lone-mark': {
    gives: 'value',
    reference: 'A mark that opens nothing is dropped or an error.',
    rolecall: 'It is text.',
  },
} as const satisfies Record<string, Rule>

/** lagent's `extract_code`: which part of an interpreter block is the code. */
export const codeRules = {
  'code-ticks-in-line': {
    gives: 'value',
    reference: 'Ticks inside a line of code close the fence, which cuts the code.',
    rolecall: 'Only ticks at the start of a line close it.',
  },
  'code-newline-kept': {
    gives: 'value',
    reference: 'The newline before the closing fence is part of the code.',
    rolecall: 'It belongs to the fence.',
  },
  'code-unclosed-fence': {
    gives: 'value',
    reference: 'A fence that never closes holds no code, although a reply may be cut short.',
    rolecall: 'The code extends to the end.',
  },
  'code-inline-span': {
    gives: 'value',
    reference: 'The first `inline` span is the code, also where ticks are part of the code.',
    rolecall: 'Without a fence the whole block is the code.',
  },
  'code-json': {
    gives: 'value',
    reference: 'Of a JSON object the member "code" is the code, also where that object is the program.',
    rolecall: 'The whole block is the code.',
  },
} as const satisfies Record<string, Rule>

/** Replies of a model family, read by vLLM, SGLang, llama.cpp and others. */
export const familyRules = {
  'reply-text-between-calls': {
    gives: 'value',
    reference: 'Text after the first call is dropped.',
    rolecall: 'It is kept: the text is what stands outside the calls.',
  },
  'reply-thought-not-opened': {
    gives: 'value',
    reference: 'Reasoning that was opened by a prompt that is not given is separated after the fact, which a stream cannot do.',
    rolecall: 'It is text up to the closing mark, for whole and streamed replies alike.',
  },
  'reply-thought-not-closed': {
    gives: 'value',
    reference: 'Reasoning that never closes is returned as the answer.',
    rolecall: 'It is reasoning.',
  },
  'reply-space-between-thoughts': {
    gives: 'value',
    reference: 'Whitespace next to the markers of reasoning is part of it.',
    rolecall: 'It belongs to the markers.',
  },
  'reply-mark-in-name': {
    gives: 'value',
    reference: 'A marker or a line break where the name should end becomes part of the name.',
    rolecall: 'The name ends there.',
  },
  'reply-python-quote': {
    gives: 'value',
    reference: 'A quote inside a Python string that is not escaped is guessed to be part of it.',
    rolecall: 'Such a call is malformed.',
  },
  'reply-without-schema': {
    gives: 'value',
    reference: 'Without a schema every value of a tagged argument is a text.',
    rolecall: 'It is JSON where it parses.',
  },
} as const satisfies Record<string, Rule>

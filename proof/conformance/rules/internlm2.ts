import type { Rule } from '../rule.ts'

/** Differences from the programs that render InternLM2: lmdeploy and lagent. */
export const internlm2Rules = {
  'internlm2-name-dropped': {
    gives: 'value',
    reference: 'lmdeploy leaves out every name but `plugin` and `interpreter`, so that a file is an ordinary message of the user.',
    rolecall: 'Names are written: `user name=file` (004).',
  },
  'internlm2-name-forges': {
    gives: ['bad-name'],
    reference: 'lagent writes any name as it is, newlines and markers included, so that a name can forge a turn; lmdeploy leaves it out.',
    rolecall: 'A name is 1 to 64 letters, digits, `_`, `-` and `.`; any other is an error.',
  },
  'internlm2-result-unnamed': {
    gives: 'value',
    reference:
      "lmdeploy writes a `tool` message as `environment` without a name, unless the message's own name is `plugin` or `interpreter`.",
    rolecall: 'A result is named after what was called: `environment name=<|plugin|>` or `<|interpreter|>` (004).',
  },
  'internlm2-calls-dropped': {
    gives: ['value', 'bad-arguments'],
    reference: 'lagent leaves out `tool_calls`.',
    rolecall: 'Calls are written between `<|action_start|>` and `<|action_end|>` (004); arguments that are not JSON are an error.',
  },
  'internlm2-tools-wrapped': {
    gives: 'value',
    reference: "lmdeploy, called directly, writes tools with OpenAI's `{ type: 'function', function: … }` around them.",
    rolecall: 'The bare schema, as in 004.',
  },
  'internlm2-first-part': {
    gives: 'value',
    reference: 'lmdeploy takes only the first part of content that is a list.',
    rolecall: 'All parts are written; an image is an error.',
  },
  'internlm2-bad-call-omitted': {
    gives: 'value',
    reference:
      'lagent leaves out a turn whose call it cannot read (a newline behind `<|action_end|>` is enough to matter), and sends the error without its cause.',
    rolecall: 'The turn stays, to the letter.',
  },
  'internlm2-call-rewritten': {
    gives: 'value',
    reference:
      'lagent writes the JSON of a call anew, with spaces after `:` and `,`, and ends the turn with `<|action_end|>` and a newline, whatever the model said behind its first call.',
    rolecall: "The turn stays, to the letter: so its ids are those that the model's cache has.",
  },
  'internlm2-result-role': {
    gives: 'value',
    reference: 'lagent fails with AttributeError at a `tool` message, both at a `function` message.',
    rolecall: 'It is a turn of the environment.',
  },
  'internlm2-developer-role': {
    gives: 'value',
    reference: "lmdeploy and lagent fail at a `developer` message, OpenAI's newer name for the system.",
    rolecall: 'The system says it, with a note.',
  },
  'internlm2-no-content': {
    gives: 'value',
    reference: 'lmdeploy and lagent fail at `content: null`, lmdeploy also at a message without content.',
    rolecall: 'The turn says nothing, or only makes its calls.',
  },
  'internlm2-parts': {
    gives: 'value',
    reference: 'lagent fails with TypeError at content that is a list.',
    rolecall: 'Its texts are written one after the other.',
  },
  'internlm2-call-parameters': {
    gives: 'value',
    reference:
      "lmdeploy fails with KeyError at a call whose arguments are called `parameters`, which is 004's own word, or that has no `function` around it.",
    rolecall: 'Both `arguments` and `parameters` are read, with or without the wrapper.',
  },
  'internlm2-empty-arguments': {
    gives: 'value',
    reference: 'lmdeploy fails with JSONDecodeError at arguments that are an empty text, which clients send for a call without any.',
    rolecall: 'They are `{}`.',
  },
} as const satisfies Record<string, Rule>

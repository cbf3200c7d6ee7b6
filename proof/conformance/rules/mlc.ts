import type { Rule } from '../rule.ts'

/** Differences from MLC-LLM (document 003). */
export const mlcRules = {
  'document-defaults': {
    gives: 'value',
    reference:
      'A config that lacks temperature, repetition_penalty, top_p, mean_gen_len, shift_fill_factor or (2024-03) vocab_size is refused; in a partial one temperature is 0.8.',
    document: 'temperature defaults to 0.7, repetition_penalty to 1.0, top_p to 0.95; its own config has no vocab_size.',
    rolecall: 'The document’s defaults; mean_gen_len 128 and shift_fill_factor 0.3, which its config shows; vocab_size is not needed.',
  },
  'prefix-tokens-optional': {
    gives: 'value',
    reference: 'From 2023-08 a complete conv_config without prefix_tokens is refused, the document’s own among them.',
    document: 'Shows a complete conv_config without it.',
    rolecall: 'No prefix tokens where none are given.',
  },
  'partial-conv-config': {
    gives: 'value',
    reference: 'A conv_config in a second config, over one that has a template, must be complete.',
    document: 'The system prompt "can be customized to user-defined prompt".',
    rolecall: 'It changes the template that is there. Where there is none it must be complete.',
  },
  'separator-style-names': {
    gives: 'value',
    reference: 'separator_style must be a number.',
    document: 'Calls the styles 0 (or kSepRoleMsg) and 1 (or kLM).',
    rolecall: 'Takes the numbers and the names.',
  },
  'offset-default': {
    gives: 'value',
    reference:
      'In 2023-06 a missing offset is that of the template, so that messages of a conv_config are cut off again, or read beyond their end.',
    document: 'Does not say what a missing offset means.',
    rolecall: 'All messages are kept, as in MLC from 2023-08.',
  },
  'two-roles': {
    gives: ['wrong-type', 'wrong-value', 'too-small', 'too-big'],
    reference: 'Any number of roles is read; one is read beyond its end, a third is never used.',
    document: '"the role names of the user and the model".',
    rolecall: 'An error unless there are two.',
  },
  'unknown-conv-key': {
    gives: ['unknown-key'],
    reference: 'Keys it does not know are ignored: `sytem` does nothing.',
    document: 'Lists the keys.',
    rolecall: 'A key near a known one is an error that names it; others are left alone.',
  },
  'other-generation-keys': {
    gives: ['other-generation'],
    reference: 'Keys of the present generation over a template of the old one are ignored.',
    document: 'Knows one generation only.',
    rolecall: 'An error, since what they say would be lost.',
  },
  'repetition-penalty-checked': {
    gives: ['wrong-value'],
    reference: 'Tests the value before the new one is read, so that 0 and negative numbers are accepted once and break the next load.',
    document: 'The best choice is model dependent; 1.0 means that it is not applied.',
    rolecall: 'An error unless it is greater than 0.',
  },
  'settings-in-range': {
    gives: ['wrong-value'],
    reference:
      'temperature, top_p, mean_gen_len, max_gen_len and shift_fill_factor may be any number; out of their range they fail later or do something else: a negative temperature decodes greedily, a negative mean_gen_len never shifts the window.',
    document:
      'The temperature is "applied to logits"; top_p is what the "cumulative" probability of the sampled tokens exceeds, which no number above 1 can be.',
    rolecall:
      'A number that cannot mean what the document says is an error when the file is read, as `repetition_penalty` is in MLC itself: a slip such as 95 for 0.95 would otherwise change every reply.',
  },
  'placeholders-in-data': {
    gives: 'value',
    reference: 'Replaces {function_string} in the finished prompt: text of the user that contains it is erased, or receives the tools.',
    document: 'Does not know placeholders.',
    rolecall: 'Placeholders are replaced in the template only.',
  },
  'function-string-beside-images': {
    gives: 'value',
    reference: 'Where a message has an image, {function_string} of the template is sent as it is.',
    document: 'Does not know placeholders.',
    rolecall: 'It is replaced there, too.',
  },
  'system-without-slot': {
    gives: ['no-system-slot'],
    reference: 'A system message is dropped without a word where the template has no {system_message}.',
    document: 'system: "the prompt before we start chat, can be customized".',
    rolecall: 'The turn’s fallback_role says it, else it is an error.',
  },
  'system-text-once': {
    gives: 'value',
    reference:
      'When the window overflows and nothing can be dropped, the system text is sent twice, which may push the rest out of the window.',
    document: 'Does not explain what happens then.',
    rolecall: 'It is sent once.',
  },
  'stop-inside-token': {
    gives: 'value',
    reference: 'Tokens are taken back until the stop text is gone: what the first of them says before the stop is lost, too.',
    document: '"When the stop_str is encountered, the model will stop generation."',
    rolecall: 'The reply ends exactly where the stop text begins.',
  },
  'stop-without-backtracking': {
    gives: 'value',
    reference: 'Models whose cache cannot go back (RWKV) keep the stop text in their reply.',
    document: '"When the stop_str is encountered, the model will stop generation."',
    rolecall: 'The reply ends where the stop text begins, whatever the model.',
  },
  'stop-of-2023': {
    gives: 'value',
    reference: 'In 2023-06 only half of the tokens of a stop text are taken back, so that its beginning stays in the reply.',
    document: '"When the stop_str is encountered, the model will stop generation."',
    rolecall: 'The reply ends where the stop text begins.',
  },
  'softmax-underflow': {
    gives: 'value',
    reference: 'Logits that are all below about -104 times the temperature give NaN for every token.',
    document: 'Does not say.',
    rolecall: 'The probabilities that they have.',
  },
  'window-of-2023': {
    gives: ['value', 'no-room'],
    reference:
      'In 2023-06 an overflow in a running chat sends BOS and the last separator only: what the user said is lost. Only every second message is counted.',
    document: 'Does not explain what happens then.',
    rolecall: 'Decides as MLC of 2024-03: the system text and the end of the conversation are sent again.',
  },
  'call-arguments-without-names': {
    gives: 'value',
    reference: 'Arguments of a call that have no name are dropped: f(1) is f().',
    document: 'Does not say.',
    rolecall: 'Such a call is malformed: nothing is lost without a word.',
  },
  'call-behind-space': {
    gives: 'value',
    reference: 'A call behind white space is refused, although many tokenizers begin every reply with a space.',
    document: 'Does not say.',
    rolecall: 'It is read.',
  },
} as const satisfies Record<string, Rule & { document: string }>

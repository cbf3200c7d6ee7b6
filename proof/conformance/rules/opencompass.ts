import type { Quirk } from '../../../packages/core/src/base/fidelity/quirks.ts'
import type { Rule } from '../rule.ts'

/**
 * Differences from OpenCompass, AISBench and OpenICL.
 *
 * - `quirk`: the reference renders something else; `compat: 'opencompass'` renders the reference's bytes.
 * - `promise`: the reference fails where a document promises a result; we give that result, also under `compat`.
 */
export type OpenCompassRule = Rule & { kind: 'quirk' | 'promise'; document: string }

export const opencompassRules = {
  'data-reexpanded': {
    kind: 'quirk',
    gives: 'value',
    reference:
      'Replaces `{column}` one column after the other in text that already holds values, and fills the examples a second time with the row being asked: `{question}` inside a value becomes another value, `{answer}` inside an example becomes the mask. The same for `column_token_map` tokens and for `sep_token`.',
    document: "Fields of the template are replaced by the row's values (002).",
    rolecall: "Only the template's own text has fields. Values are never read as template.",
  },
  'turn-affixes-dropped': {
    kind: 'quirk',
    gives: 'value',
    reference: 'Without a meta template a turn is its `prompt` only; `begin` and `end` given in the dataset are dropped.',
    document: 'Without a meta template each dict is joined as begin, prompt, end (000).',
    rolecall: 'begin + prompt + end, turns joined by newlines.',
  },
  'default-prompt-unfilled': {
    kind: 'quirk',
    gives: 'value',
    reference: 'A default `prompt` of the meta template is sent as it is, `{field}` included.',
    document: 'A `prompt` of the meta template follows the format of prompt templates (000).',
    rolecall: 'Fills `{field}` from the row, masked like everything else.',
  },
  'string-in-round': {
    kind: 'quirk',
    gives: 'value',
    reference:
      "A string among the turns of a dataset's `round` is written before the round it stands in, because a round is written when it is complete.",
    document: '`round` may hold strings (000); each entry must be a dict (002).',
    rolecall: 'The string stays where it was written.',
  },
  'api-string-dropped': {
    kind: 'quirk',
    gives: ['value', 'loose-text'],
    reference:
      "For API models text without a role (strings in `begin`, `round`, `end`, strings of `messages`) is dropped with a Python warning; the meta template's `end` is ignored.",
    document: '`begin` and `end` may hold strings (000, 002).',
    rolecall:
      'The text becomes a user message, with a note. Blank text is left out, with a note. A string of `messages` that is not the ice token is an error.',
  },
  'reserved-role-in-round': {
    kind: 'quirk',
    gives: 'value',
    reference: 'API models: a turn of a reserved role inside `round` is counted as its fallback role and its text is lost.',
    document: '`role` is looked up in the meta template; only if it is not found does `fallback_role` speak (002).',
    rolecall: 'The turn is said where it stands, in its own role.',
  },
  'ice-token-unused': {
    kind: 'quirk',
    gives: ['ice-token-missing', 'examples-not-messages'],
    reference:
      'An `ice_token` that a dialogue contains nowhere, or examples that are not messages in a `messages` template: the examples are dropped without a word.',
    document: 'The ice token marks where the examples go (002).',
    rolecall: 'An error when there are examples; a note when there are none.',
  },
  'messages-unmasked': {
    kind: 'quirk',
    gives: 'value',
    reference: 'A `messages` template shows the answer column in generative prompts.',
    document: 'The column named by `reader_cfg.output_column` is masked, so that the answer does not leak (002).',
    rolecall: 'It is masked, and a final assistant message that shows it is left to the model.',
  },
  'parts-unfilled': {
    kind: 'quirk',
    gives: 'value',
    reference: 'In a `messages` template, `{field}` stays as it is in a content that is a list of parts.',
    document: 'Fields in braces are replaced by the values of the row (002).',
    rolecall: 'They are replaced in every string of a part.',
  },
  'messages-examples-dropped': {
    kind: 'quirk',
    gives: 'value',
    reference: 'A `messages` template leaves the examples out of perplexity prompts.',
    document: 'The ice token marks where the examples go (002).',
    rolecall: 'They stand there in both modes.',
  },
  'expand-column-ignored': {
    kind: 'quirk',
    gives: ['wrong-type', 'nothing-to-send'],
    reference: 'An `expand_column` whose value is not a list adds nothing, even if nothing else is left to send.',
    document: 'Not described.',
    rolecall:
      'An error, since text would be lost. A row without the column adds nothing, with a note, as long as there is something else to send.',
  },
  'empty-round': {
    kind: 'quirk',
    gives: ['empty'],
    reference: 'An empty `round` is rendered as one round of empty turns (or nothing).',
    document: '`round` holds the turns (000, 002).',
    rolecall: 'An error: nothing would be sent.',
  },
  'unknown-key': {
    kind: 'quirk',
    gives: ['unknown-key'],
    reference: 'Keys it does not know are ignored.',
    document: 'Lists the keys of a turn (000, 001, 002).',
    rolecall: 'An error with the nearest known key, so that a misspelt option is not ignored.',
  },
  'missing-role': {
    kind: 'quirk',
    gives: ['missing'],
    reference: 'Without a meta template a turn needs no `role`; with any meta template it is a KeyError.',
    document: 'Of the keys of a turn `fallback_role` "defaults to None", `role` has no default (002): it is required.',
    rolecall: 'An error: who speaks cannot be guessed, and the dataset could be asked of no chat model.',
  },
  'unread-mistake': {
    kind: 'quirk',
    gives: ['wrong-type'],
    reference: "A mistake in a label's template is found only when that label is rendered.",
    document: 'Perplexity compares a template for each label (002).',
    rolecall:
      'An error before the first request. Every row is compared under all its labels, so the reference cannot answer a single row of such a dataset either. A mistake in a meta template that only string templates use, which do not read it, is a note.',
  },
  'empty-ice-token': {
    kind: 'quirk',
    gives: ['empty'],
    reference: 'An empty `ice_token` puts the examples between all characters.',
    document: 'The ice token marks where the examples go (002).',
    rolecall: 'An error.',
  },
  'api-role-unknown': {
    kind: 'quirk',
    gives: ['unknown-role'],
    reference: 'Any `api_role` is accepted here and fails later, when the request is made.',
    document: 'Three values: HUMAN, BOT, SYSTEM (001).',
    rolecall: 'An error that lists the three (and user, assistant, system).',
  },
  'dataset-end': {
    kind: 'promise',
    gives: 'value',
    reference: "A dataset's `end` with any meta template fails with IndexError unless generation is cut before it.",
    document: "Shows `end` between the last round and the meta template's end (000).",
    rolecall: 'Written there.',
  },
  'ice-token-per-string': {
    kind: 'promise',
    gives: 'value',
    reference: 'With `ice_token` set, a string `begin` or `end` without the token is a LookupError.',
    document: 'Shows exactly that: the token in `begin`, a string `end` without it (000).',
    rolecall: 'One place with the token is enough. None at all in a string template is an error.',
  },
  'ice-template-alone': {
    kind: 'promise',
    gives: 'value',
    reference: 'An `ice_template` alone needs an `ice_token`, also with ZeroRetriever.',
    document: 'Calls it legal without one (002).',
    rolecall: 'Rendered. With examples and no token it is an error, since they have no place.',
  },
  'fallback-role-in-round': {
    kind: 'promise',
    gives: 'value',
    reference:
      "Language models: a role of `round` that the meta template's `round` lacks is a KeyError, whatever its fallback role; a reserved role too.",
    document: '`role` is looked up in the meta template, else `fallback_role` speaks (000, 002).',
    rolecall: 'Reserved roles and fallback roles work in `round` as in `begin`.',
  },
  'meta-round-optional': {
    kind: 'promise',
    gives: 'value',
    reference: 'A meta template without `round` is an AssertionError, also of an API model.',
    document: "`round` is optional; the dataset's template then takes its place (000).",
    rolecall: "Meta begin, the dataset's turns as without a meta template, meta end; an API model gets this text as one user message.",
  },
  'dialogue-round-optional': {
    kind: 'promise',
    gives: 'value',
    reference: 'A dialogue without `round` is a KeyError.',
    document: 'A dict whose keys are a subset of begin, round and end is a dialogue (000).',
    rolecall: 'Begin and end are written, then the model speaks; a last turn of its own role is its answer.',
  },
  'token-lists': {
    kind: 'promise',
    gives: 'value',
    reference: '`begin` or `end` as a list is a NotImplementedError (roles) or TypeError (meta template).',
    document: '`begin` and `end` can be a list of strings or integers (000, 001).',
    rolecall: 'Strings stay text, integers stay token ids.',
  },
  'generating-role-in-begin': {
    kind: 'promise',
    gives: 'value',
    reference: "API models: a generating role in the dataset's `begin` or `end` is a TypeError in generation.",
    document: 'Only the last sentence of the generating role is left to the model (001).',
    rolecall: 'Said like any other turn.',
  },
  'messages-for-language-models': {
    kind: 'promise',
    gives: 'value',
    reference: 'A `messages` template with a language model is an AssertionError.',
    document: 'Without a meta template speeches are joined by newlines; with one its roles write them (000, 001, 002).',
    rolecall: 'user, assistant and system are the roles HUMAN, BOT and SYSTEM.',
  },
  'dialogue-labels': {
    kind: 'quirk',
    gives: ['no-labels'],
    reference: 'For perplexity a dialogue is taken for a map of labels: the only label is "round", which is then always the answer.',
    document: 'Perplexity compares a template for each label (002).',
    rolecall: 'An error: there are no labels to compare.',
  },
  'dialogue-as-chat': {
    kind: 'quirk',
    gives: ['value', 'unknown-role'],
    reference:
      'ChatInferencer makes a chat of a dialogue: turns of roles other than HUMAN, BOT and SYSTEM are left out without a word, whatever their fallback role, and so are strings in which the word "section" occurs; blank strings are messages of the user.',
    document: '`role` is looked up, else `fallback_role` speaks; `begin` may hold strings (000, 002).',
    rolecall: "Fallback roles speak, a role without one is an error, every string is the user's; blank ones are left out, with a note.",
  },
  'chat-says-nothing': {
    kind: 'promise',
    gives: 'value',
    reference: 'ChatInferencer fails with TypeError at an empty string in a dialogue, and with KeyError at a turn without `prompt`.',
    document: '`begin` may hold strings (000, 002).',
    rolecall: 'An empty string adds nothing, a turn without a prompt is an empty message.',
  },
  'chat-begin-dropped': {
    kind: 'quirk',
    gives: 'value',
    reference: "ChatInferencer with a language model leaves out the meta template's `begin`.",
    document: 'Shows `begin` before the first round (000, 001).',
    rolecall: 'Written there, before a chat as before a dialogue.',
  },
  'chat-role-bare': {
    kind: 'quirk',
    gives: ['unknown-role'],
    reference: 'ChatInferencer with a language model writes a message whose role the meta template lacks without anything around it.',
    document: '`role` is looked up in the meta template (000, 001).',
    rolecall: 'An error that names the roles there are: the model could not tell who speaks.',
  },
  'chat-generating-role': {
    kind: 'quirk',
    gives: 'value',
    reference: 'In a chat BOT speaks next, whichever role has `generate: true`.',
    document: '`generate` marks the role that the model speaks for (000, 001).',
    rolecall: 'That role begins; without one the prompt is complete, with a note.',
  },
  'chat-empty-line': {
    kind: 'quirk',
    gives: 'value',
    reference: 'ChatInferencer without a meta template gives an empty message a separate line, but not an empty turn.',
    document: 'Without a meta template speeches are joined by newlines (000, 001, 002).',
    rolecall: 'Messages are joined as turns are: what says nothing adds nothing.',
  },
  'chat-without-bot': {
    kind: 'promise',
    gives: 'value',
    reference: 'ChatInferencer with a meta template without BOT is a KeyError.',
    document: '`generate` marks the role that the model speaks for; any role may (000, 001).',
    rolecall: 'That role begins; without one the prompt is complete, with a note.',
  },
  'chat-rounds-cut': {
    kind: 'quirk',
    gives: ['unequal-lengths'],
    reference: 'ChatInferencer runs as many rounds as the shortest list of a row has entries; further entries of longer lists are lost.',
    document: 'Not described.',
    rolecall: 'Lists of different lengths are an error that names them. Under compat a note reports what was cut.',
  },
  'chat-columns': {
    kind: 'quirk',
    gives: 'value',
    reference: 'ChatInferencer fills templates from the columns that the reader names; fields of others stay as they are written.',
    document: "Fields of the template are replaced by the row's values (002).",
    rolecall: 'All columns of the row are there, in every round.',
  },
  'chat-examples-unused': {
    kind: 'quirk',
    gives: 'value',
    reference: 'ChatInferencer leaves all examples out.',
    document: 'The ice token marks where the examples go (002).',
    rolecall:
      'They stand there, of a row of lists before the first round. A chat that is written in the row has no place for them: they are left out, with a note.',
  },
  'chat-template-string': {
    kind: 'quirk',
    gives: 'value',
    reference: 'HuggingFacewithChatTemplate makes a message of the user of a string template and writes it in the chat template.',
    document: 'A string template is the whole prompt (002).',
    rolecall: 'It is the whole prompt. Write a dialogue to have it written in turns.',
  },
  'chat-template-empty-turn': {
    kind: 'quirk',
    gives: 'value',
    reference:
      "HuggingFacewithChatTemplate leaves out turns that say nothing; OpenCompass's classes for servers and for meta templates keep them.",
    document: 'Evaluation is to behave alike for language models and API models (002).',
    rolecall:
      'They are empty messages for every model: otherwise a field that is empty in one row would change who speaks there, and chat templates that require alternating turns would refuse the row.',
  },
  'chat-template-neighbours': {
    kind: 'quirk',
    gives: 'value',
    reference: 'HuggingFacewithChatTemplate joins what one role says in neighbouring turns with a newline, whatever the chat template.',
    document: 'Not described.',
    rolecall: 'Turns stay apart where the chat template takes them so; where it does not, `neighbours_policy` decides, and a note says so.',
  },
  'separator-counted': {
    kind: 'quirk',
    gives: 'value',
    reference: 'With `normalizing_str` prompts are counted against `max_seq_len` with their `sep_token`, which is not sent.',
    document: 'Not described.',
    rolecall: 'What is sent is counted.',
  },
  'ppl-without-ice-token': {
    kind: 'promise',
    gives: 'value',
    reference: 'OpenICL: a perplexity prompt of a template without `ice_token` is a ValueError.',
    document: 'Shows label templates without one (002).',
    rolecall: 'Rendered.',
  },
  'typesetting-slip': {
    kind: 'promise',
    gives: 'value',
    reference: 'Gives the literal concatenation of the strings of the config.',
    document: 'Prints characters that the config beside it does not contain, or lacks some that it does: see "Typos in the documents".',
    rolecall: 'As the reference.',
  },
} as const satisfies Record<string, OpenCompassRule> & Record<Quirk, OpenCompassRule & { kind: 'quirk' }>

export type OpenCompassRuleName = keyof typeof opencompassRules

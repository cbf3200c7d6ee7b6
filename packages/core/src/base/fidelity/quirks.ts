/**
 * The quirks of the reference, by name; `fidelity.ts` describes each. The names are in a separate file so that a page need not load the
 * descriptions.
 */
const quirkNames = [
  'data-reexpanded',
  'turn-affixes-dropped',
  'default-prompt-unfilled',
  'string-in-round',
  'api-string-dropped',
  'reserved-role-in-round',
  'ice-token-unused',
  'messages-unmasked',
  'parts-unfilled',
  'messages-examples-dropped',
  'expand-column-ignored',
  'empty-round',
  'unknown-key',
  'missing-role',
  'unread-mistake',
  'empty-ice-token',
  'api-role-unknown',
  'dialogue-labels',
  'dialogue-as-chat',
  'chat-begin-dropped',
  'chat-role-bare',
  'chat-generating-role',
  'chat-empty-line',
  'chat-rounds-cut',
  'chat-columns',
  'chat-examples-unused',
  'chat-template-string',
  'chat-template-empty-turn',
  'chat-template-neighbours',
  'separator-counted',
] as const

export type Quirk = (typeof quirkNames)[number]

/** Which of the reference's quirks are reproduced. */
export type Quirks = ReadonlySet<Quirk>

const allQuirks: Quirks = new Set(quirkNames)
const noQuirks: Quirks = new Set()

export type Compat = 'opencompass'

/** `compat: 'opencompass'` reproduces every quirk; without it none is. */
export function quirksOf(compat: Compat | undefined): Quirks {
  return compat === 'opencompass' ? allQuirks : noQuirks
}

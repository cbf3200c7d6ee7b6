import { bfcl } from './bfcl-rows.ts'
import { messages, sharegpt } from './chat-rows.ts'
import { choices, choicesByText, choicesFromOne, fourChoices } from './choices.ts'
import type { RowFormat } from './row-format.ts'
import { squadRows } from './squad-rows.ts'

export { isUnfit, type RowFormat } from './row-format.ts'

/** The row formats, by name. */
export const rowFormats: Readonly<Record<string, RowFormat>> = {
  choices,
  choices_by_text: choicesByText,
  choices_from_one: choicesFromOne,
  four_choices: fourChoices,
  sharegpt,
  messages,
  squad: squadRows,
  bfcl,
}

import type { NewConversationConfig, OldConversationConfig } from '../../config/mlc-schema.ts'

/** A named template of the old generation, with the text of its system prompt told apart from the markup around it. */
export type OldPreset = Partial<Omit<OldConversationConfig, 'system'>> & {
  system?: string | readonly [before: string, text: string, after: string]
}

/** A named template of the present generation. */
export type NewPreset = Partial<NewConversationConfig>

/** The markers of a format of the InternLM2 family, as data. */
export type InternLM2Layout = {
  /** What the prompt starts with. */
  bos: string
  /** Around each turn: `<|im_start|>role\n…<|im_end|>\n`. */
  turn: { start: string; end: string }
  /** Around calls, and who is called; undefined for models that know no calls. */
  action?: { start: string; end: string; plugin: string; interpreter: string }
  /** Tokens on which generation stops, besides the end of the turn. */
  eos: readonly string[]
  /** The ids that the tokens have in the model's own vocabulary, and how many entries that has. */
  documented?: { vocabulary: number; ids: Readonly<Record<string, number>> }
}

/** Everything that is one token in the model's vocabulary. */
export function tokensOf({ bos, turn, action, eos }: InternLM2Layout): string[] {
  return [bos, turn.start, turn.end, ...(action ? [action.start, action.end, action.plugin, action.interpreter] : []), ...eos]
}

/** The markers of a format of the InternLM2 family, as data. */
export type InternLM2Layout = {
  /** What the prompt starts with. */
  bos: string
  /** Around each turn: `<|im_start|>role\n…<|im_end|>\n`. */
  turn: { start: string; end: string }
  /** Around calls, and the call's recipient; undefined for models without calls. */
  action?: { start: string; end: string; plugin: string; interpreter: string }
  /** Tokens on which generation stops, in addition to the end of the turn. */
  eos: readonly string[]
  /** The ids of the tokens in the model's own vocabulary, and its size. */
  documented?: { vocabulary: number; ids: Readonly<Record<string, number>> }
}

/** Everything that is one token in the model's vocabulary. */
export function tokensOf({ bos, turn, action, eos }: InternLM2Layout): string[] {
  return [bos, turn.start, turn.end, ...(action ? [action.start, action.end, action.plugin, action.interpreter] : []), ...eos]
}

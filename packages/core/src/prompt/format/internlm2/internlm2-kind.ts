import { type FormatKind, rejectEarlierReasoning } from '../format-kind.ts'
import { internlm2Format } from './internlm2-format.ts'

/** Built-in formats of the InternLM2 family. */
export const internlm2Kind = {
  isChosen: ({ preset }) => preset?.internlm2 !== undefined,
  compile(model) {
    rejectEarlierReasoning(model)
    const { name, internlm2 } = model.preset!
    return internlm2Format(internlm2!, model.format_options, { name, where: model.abbr === undefined ? '' : `${model.abbr} › ` })
  },
} satisfies FormatKind

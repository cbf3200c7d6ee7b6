import type { Model } from '@rolecall/core'
import { callBlock, endOfArguments, findSyntax, forcedCall, type ReplySyntax } from '@rolecall/core/internal/reply'
import { type ChatWrapperSettings, LlamaText, SpecialTokensText } from 'node-llama-cpp'

/** How a model writes calls, in the words of node-llama-cpp; undefined if its calls are no JSON objects after a mark. */
export function functionSettings(model: Model, syntax: ReplySyntax, defaults: ChatWrapperSettings): ChatWrapperSettings | undefined {
  const block = callBlock(syntax)
  const end = endOfArguments(syntax)
  if (block?.json === undefined || end === undefined || block.close === undefined || block.open.length === 0) return undefined
  const [before, name, after] = forcedCall(syntax, '', 'f', findSyntax(model.format).example) ?? []
  if (before === undefined || name === undefined || after === undefined || !('text' in before) || !('text' in after)) return undefined
  return {
    ...defaults,
    functions: {
      ...defaults.functions,
      call: {
        optionalPrefixSpace: true,
        prefix: LlamaText(new SpecialTokensText(before.text), '"'),
        paramsPrefix: LlamaText('"', after.text, ' '),
        suffix: LlamaText(`${end}\n`, new SpecialTokensText(block.close)),
        emptyCallParamsPlaceholder: {},
      },
    },
  }
}

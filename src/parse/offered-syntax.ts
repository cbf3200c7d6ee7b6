import type { Block, ReplySyntax } from './syntax.ts'

/** What a model was offered, so that its reply may use it. */
export type Offered = { functions: boolean; interpreter: boolean }

/** A syntax in which only what the model was offered is read: without tools, what looks like a call is text. */
export function offeredSyntax({ callsWithoutMarks, ...syntax }: ReplySyntax, { functions, interpreter }: Offered): ReplySyntax {
  const blocks = syntax.blocks.flatMap(({ code, ...calls }): Block[] => {
    const isCall = functions && (calls.json ?? calls.named) !== undefined
    const isCode = interpreter && code !== undefined
    if (!isCall && !isCode) return []
    const { open, close } = calls
    return [{ ...(isCall ? calls : { open, ...(close === undefined ? {} : { close }) }), ...(isCode ? { code } : {}) }]
  })
  return {
    ...syntax,
    blocks,
    sections: functions ? (syntax.sections ?? []) : [],
    ...(functions && callsWithoutMarks ? { callsWithoutMarks } : {}),
  }
}

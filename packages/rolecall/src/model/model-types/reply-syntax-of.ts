import { type ReplySyntax, responseSyntax, type SyntaxName } from '@rolecall/core/internal/reply'

/** What says how a model's replies are read. */
type ReplySettings = {
  reply_syntax?: SyntaxName | ReplySyntax | 'derived' | undefined
  response_template?: Readonly<Record<string, unknown>> | undefined
}

/**
 * How a model's replies are read, where its config says so: by `reply_syntax`, or else by the model's own response template. Undefined: as
 * derived from its format.
 */
export function replySyntaxOf({ reply_syntax: named, response_template: template }: ReplySettings): SyntaxName | ReplySyntax | undefined {
  if (named === 'derived') return undefined
  return named ?? (template && syntaxIn(template))
}

const syntaxes = new WeakMap<object, ReplySyntax>()

function syntaxIn(template: object): ReplySyntax {
  const syntax = syntaxes.get(template) ?? responseSyntax(template)
  syntaxes.set(template, syntax)
  return syntax
}

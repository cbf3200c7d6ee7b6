import { nearestName } from '../../base/errors/nearest.ts'
import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { NeededToken, Stop } from '../format/format.ts'
import type { Tokenizer } from './tokenizer.ts'

const checked = new WeakMap<Tokenizer, WeakSet<readonly NeededToken[]>>()

/**
 * Looks up the tokens that a format writes: each must be a single token of the tokenizer, with the id that the config declares, or that the
 * document specifies for its own vocabulary.
 */
export function checkTokens(tokens: readonly NeededToken[], tokenizer: Tokenizer): void {
  const known = checked.get(tokenizer) ?? new WeakSet()
  if (known.has(tokens)) return
  for (const needed of tokens) checkToken(needed, tokenizer)
  checked.set(tokenizer, known.add(tokens))
}

function checkToken({ token, id, vocabulary }: NeededToken, { name, idOf, addedTokens, size }: Tokenizer): void {
  const found = idOf(token)
  // A custom tokenizer may have no name.
  const where = `${name || 'the tokenizer'} › ${token}`
  // A token that merges spell by chance is found in the format's text only if it is an added token.
  if (found === undefined || !addedTokens.some(({ content }) => content === token)) {
    const own = addedTokens.map(({ content }) => content)
    const near = nearestName(token, own)
    throw new PromptError('unknown-token', {
      where,
      problem: `the format needs the token "${token}", but this tokenizer does not have it`,
      fix:
        near === undefined
          ? `use the model's own tokenizer (this one has ${own.length === 0 ? 'no special tokens' : `e.g. ${own.slice(0, 5).join(', ')}`})`
          : `did you mean "${near}"?`,
    })
  }
  if (id === undefined || id === found || (vocabulary !== undefined && vocabulary !== size)) return
  throw new PromptError('wrong-token-id', {
    where,
    problem: `the token "${token}" has the id ${found} but should have ${id}`,
    fix: vocabulary === undefined ? 'correct format_options.token_ids' : "use the model's own tokenizer: this one was converted wrongly",
  })
}

/** How special tokens are written: `<|im_start|>`, `<｜User｜>`, `<start_of_turn>`, `</s>`, `[INST]`. */
const tokenLike = /<[|｜][^<>|｜\s]+[|｜]>|<\/?[a-z][a-z0-9]*(?:_[a-z0-9]+)+>|<\/?s>|\[\/?[A-Z_]{3,}\]/gu

/**
 * Lists texts that a format writes as special tokens although the tokenizer has no such token: the model then reads ordinary characters,
 * and data can imitate them.
 */
export function missingMarkers(markers: readonly string[], tokenizer: Tokenizer): Note[] {
  const own = new Set(tokenizer.addedTokens.map(({ content }) => content))
  const written = new Set(markers.flatMap((marker) => marker.match(tokenLike) ?? []))
  return [...written].flatMap((marker) => {
    if (own.has(marker)) return []
    const near = nearestName(marker, [...own])
    const suggestion = near === undefined ? '' : `; it has "${near}"`
    return [
      { code: 'marker-is-no-token', text: `the format uses "${marker}", which is not a special token of this tokenizer${suggestion}` },
    ]
  })
}

/** The ids on which generation stops. A missing token is an error with the nearest one. */
export function stopIds(stops: readonly Stop[], tokenizer: Tokenizer): number[] {
  const ids = stops.flatMap((stop) => {
    if ('id' in stop) return [stop.id]
    if (!('token' in stop)) return []
    const id = tokenizer.idOf(stop.token)
    if (id !== undefined) return [id]
    const known = tokenizer.addedTokens.map(({ content }) => content)
    const near = nearestName(stop.token, known)
    throw new PromptError('unknown-token', {
      where: stop.source.path,
      problem: `${tokenizer.name} has no token "${stop.token}"`,
      fix: near === undefined ? `use one of the tokenizer's, e.g. ${known.slice(0, 5).join(', ')}` : `did you mean "${near}"?`,
    })
  })
  return [...new Set(ids)]
}

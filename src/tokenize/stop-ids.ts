import type { Stop } from '../format/format.ts'
import { nearestName } from '../nearest.ts'
import { PromptError } from '../prompt-error.ts'
import type { Tokenizer } from './tokenizer.ts'

/** The ids on which generation stops. A token that the tokenizer does not have is an error that shows the nearest. */
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
      fix: near === undefined ? `use one of its own, e.g. ${known.slice(0, 5).join(', ')}` : `did you mean "${near}"?`,
    })
  })
  return [...new Set(ids)]
}

import type { Origin } from '@rolecall/core/internal/text'
import { promptTexts } from '../texts/prompt.ts'
import type { OriginCount } from './counts.ts'

type LegendProps = {
  counts: ReadonlyMap<Origin, OriginCount>
  withTokens?: boolean
  /** Without it, only colours are explained, for several prompts that share a legend. */
  withCounts?: boolean
  only: Origin | undefined
  onOnly: (origin: Origin | undefined) => void
}

/** The share of each origin; a click highlights one. */
export function Legend({ counts, withTokens = false, withCounts = true, only, onOnly }: LegendProps) {
  const text = promptTexts()
  const origins = (Object.keys(text.origins) as Origin[]).filter((origin) => counts.has(origin))
  return (
    <fieldset class="legend" aria-label={text.legend}>
      {origins.map((origin) => {
        const { characters, tokens } = counts.get(origin)!
        return (
          <button
            key={origin}
            type="button"
            class={`key o-${origin}`}
            aria-pressed={only === origin}
            onClick={() => onOnly(only === origin ? undefined : origin)}
          >
            <span class="swatch" aria-hidden="true">
              Ab
            </span>
            {text.origins[origin]}
            {withCounts && <span class="count">{withTokens ? text.tokenCount(tokens) : text.characterCount(characters)}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}

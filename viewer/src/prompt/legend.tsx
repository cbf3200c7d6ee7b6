import { type Origin, originMeaning } from '../../../src/text/origin.ts'
import type { OriginCount } from './counts.ts'

type LegendProps = {
  counts: ReadonlyMap<Origin, OriginCount>
  withTokens: boolean
  only: Origin | undefined
  onOnly: (origin: Origin | undefined) => void
}

/** Who wrote how much; a click leaves only that origin bright. */
export function Legend({ counts, withTokens, only, onOnly }: LegendProps) {
  const origins = (Object.keys(originMeaning) as Origin[]).filter((origin) => counts.has(origin))
  return (
    <fieldset class="legend" aria-label="who wrote what">
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
            {originMeaning[origin]}
            <span class="count">{withTokens ? `${tokens} tok` : `${characters.toLocaleString('en')} ch`}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

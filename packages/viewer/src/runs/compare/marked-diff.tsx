import { useMemo } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { diffTexts, type Stretch } from './text-diff.ts'

/** A text with the stretches marked that the other text lacks. */
export function Marked({ parts }: { parts: readonly Stretch[] }) {
  return (
    <>
      {parts.map(({ text, differs }, index) =>
        differs ? (
          <mark key={index} class="differs">
            {visibleText(text, false)}
          </mark>
        ) : (
          visibleText(text, false)
        ),
      )}
    </>
  )
}

/** The stretches of two texts. */
export function useDiff(one: string | undefined, other: string | undefined): [Stretch[], Stretch[]] {
  return useMemo(() => diffTexts(one ?? '', other ?? ''), [one, other])
}

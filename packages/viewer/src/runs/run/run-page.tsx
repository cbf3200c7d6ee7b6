import type { ComponentChildren } from 'preact'
import type { RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadReviews } from '../../data/annotations.ts'
import { useLoad } from '../../data/use-load.ts'
import { Guarded } from '../../parts/guarded.tsx'
import type { Route } from '../../route.ts'
import { annotationTexts } from '../../texts/annotations.ts'
import { remarkTexts } from '../../texts/remarks.ts'
import { runTexts } from '../../texts/run.ts'
import { Answers } from './answers.tsx'
import { Comparisons } from './comparisons.tsx'
import { Datasets } from './datasets.tsx'
import { FiguresBy } from './figures-by.tsx'
import { Formats } from './formats.tsx'
import { Groups } from './groups.tsx'
import { Lengths } from './lengths.tsx'
import { Remarks } from './remarks.tsx'
import { Reviews } from './reviews.tsx'
import { RunHeader } from './run-header.tsx'

export type RunPageProps = { site: Site; number: number; state: RunStatus; route: Route }

/** The results of a run: groups, then datasets, then details and remarks. */
export function RunPage(props: RunPageProps) {
  // The page is complete without them.
  const reviews = useLoad((signal) => loadReviews(props.number, signal), [props.number]).value ?? []
  const parts = runTexts()
  const panels: readonly (readonly [name: string, content: ComponentChildren])[] = [
    [parts.figures, <RunHeader {...props} />],
    [parts.groups, <Groups {...props} />],
    [parts.dataset, <Datasets {...props} reviews={reviews} />],
    [parts.formats, <Formats {...props} />],
    [parts.comparisons(0, 0, 0), <Comparisons {...props} />],
    [parts.answers, <Answers {...props} />],
    [annotationTexts().section(1, 0), <Reviews {...props} reviews={reviews} />],
    [parts.allBy(''), <FiguresBy {...props} />],
    [parts.lengths, <Lengths {...props} />],
    [remarkTexts().title(0), <Remarks {...props} />],
  ]
  return (
    <div class="summary">
      {panels.map(([name, content]) => (
        <Guarded key={name} place={name} retryOn={props.state.pairs.map(({ stamp }) => stamp).join(' ')}>
          {content}
        </Guarded>
      ))}
    </div>
  )
}

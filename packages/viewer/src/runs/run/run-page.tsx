import type { RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { loadReviews } from '../../data/annotations.ts'
import { useLoad } from '../../data/use-load.ts'
import type { Route } from '../../route.ts'
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
  return (
    <div class="summary">
      <RunHeader {...props} />
      <Groups {...props} />
      <Datasets {...props} reviews={reviews} />
      <Formats {...props} />
      <Comparisons {...props} />
      <Answers {...props} />
      <Reviews {...props} reviews={reviews} />
      <FiguresBy {...props} />
      <Lengths {...props} />
      <Remarks {...props} />
    </div>
  )
}

import type { RunStatus, Site } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { Route } from '../../route.ts'
import { Answers } from './answers.tsx'
import { Comparisons } from './comparisons.tsx'
import { Datasets } from './datasets.tsx'
import { FiguresBy } from './figures-by.tsx'
import { Formats } from './formats.tsx'
import { Groups } from './groups.tsx'
import { Lengths } from './lengths.tsx'
import { Remarks } from './remarks.tsx'
import { RunHeader } from './run-header.tsx'

export type RunPageProps = { site: Site; number: number; state: RunStatus; route: Route }

/** The results of a run: groups, then datasets, then details and remarks. */
export function RunPage(props: RunPageProps) {
  return (
    <div class="summary">
      <RunHeader {...props} />
      <Groups {...props} />
      <Datasets {...props} />
      <Formats {...props} />
      <Comparisons {...props} />
      <Answers {...props} />
      <FiguresBy {...props} />
      <Lengths {...props} />
      <Remarks {...props} />
    </div>
  )
}

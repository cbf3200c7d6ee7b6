import type { RunState, Site } from '../../../../src/server/viewer/wire.ts'
import { type Route, useQuery } from '../../route.ts'
import { pairQuery } from '../links.ts'
import { Summary } from './summary.tsx'

type RunPageProps = { site: Site; number: number; state: RunState; route: Route }

/** The figures of a run. */
export function RunPage({ site, number, state, route }: RunPageProps) {
  const change = useQuery(route)
  const run = site.runs[number]!
  return <Summary run={run} state={state} chosen={undefined} onPair={(index) => change({ ...pairQuery(run.pairs[index]!) })} />
}

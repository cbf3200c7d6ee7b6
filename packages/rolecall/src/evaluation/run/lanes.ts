import type { Pair } from './plan-run.ts'
import type { RunEnvironment } from './run-types.ts'

/** Pairs of one model. */
type Group = readonly Pair[]

/** Models on one server, and those on this machine, run one after the other. */
export function byServer(groups: readonly Group[], { serverOf }: RunEnvironment): Group[][] {
  const lanes = new Map<string | undefined, Group[]>()
  for (const group of groups) {
    const server = serverOf?.(group[0]!.model)
    lanes.set(server, [...(lanes.get(server) ?? []), group])
  }
  return [...lanes.values()]
}

/** Runs lanes concurrently, and the groups of a lane one after the other. A failure of one stops all. */
export async function sideBySide(
  lanes: readonly (readonly Group[])[],
  run: (group: Group, isOver: () => boolean) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  let [failed, failure]: [boolean, unknown] = [false, undefined]
  const isOver = () => failed || isStopped()
  const runLane = async (lane: readonly Group[]) => {
    for (const group of lane) if (!isOver()) await run(group, isOver)
  }
  await Promise.all(
    lanes.map((lane) =>
      runLane(lane).catch((error: unknown) => {
        if (!failed) [failed, failure] = [true, error]
      }),
    ),
  )
  if (failed) throw failure
}

/** Adjacent pairs with the same model: the next dataset starts while the last rows of the previous one are in flight. */
export function byModel(pairs: readonly Pair[]): Pair[][] {
  const groups: Pair[][] = []
  for (const pair of pairs) {
    const last = groups.at(-1)
    if (last?.[0]?.model === pair.model) last.push(pair)
    else groups.push([pair])
  }
  return groups
}

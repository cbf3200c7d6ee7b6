import { distinctModels, type ModelName, modelText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { modelName } from '../../texts/model-name.ts'
import { findRun, runKey } from '../links.ts'

/** One side of a comparison: a run, or one of its models. */
export type Side = {
  /** The name in links. */
  key: string
  /** The id in requests: `0`, or `0.1` for the second model of the first run. */
  path: string
  run: number
  name: string
}

/** All possible sides: runs, and the models of each run. */
export function sidesOf(site: Site, allModels: (run: string) => string): Side[] {
  return site.runs.flatMap((run, number) => {
    const key = runKey(site, number)
    const models = distinctModels(run.pairs)
    const whole: Side = {
      key,
      path: String(number),
      run: number,
      name: models.length > 1 ? allModels(key) : `${key}: ${modelName(models[0]!)}`,
    }
    if (models.length < 2) return [whole]
    return [
      whole,
      ...models.map((model, index) => ({
        key: modelSideKey(site, number, model),
        path: `${number}.${index}`,
        run: number,
        name: `${key}: ${modelName(model)}`,
      })),
    ]
  })
}

/** Whether the side is one of several models of its run. */
export function isOneModel({ path }: Side): boolean {
  return path.includes('.')
}

/** The name in links of a model in a run with several. */
export function modelSideKey(site: Site, run: number, model: ModelName): string {
  return `${runKey(site, run)}: ${modelText(model)}`
}

/** The sides that can still be chosen: those that are not chosen yet, and the present one. */
export function choosableSides(sides: readonly Side[], chosen: readonly (string | undefined)[], own?: string): Side[] {
  return sides.filter(({ key }) => key === own || !chosen.includes(key))
}

/** Resolves a side from a link. */
export function findSide(site: Site, sides: readonly Side[], key: string | undefined): Side | undefined {
  if (key === undefined) return undefined
  const run = findRun(site, key)
  return sides.find((side) => side.key === key) ?? (run === undefined ? undefined : sides.find((side) => side.path === String(run)))
}

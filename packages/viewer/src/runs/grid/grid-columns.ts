import type { Axes } from 'rolecall/internal/evaluation/config/axes'
import { distinctModels, isSameModel, type PairName } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'
import type { ColumnName } from 'rolecall/internal/server/viewer/grid/grid-table'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { modelName } from '../../texts/model-name.ts'
import { runKey } from '../links.ts'

/** A column of the grid: one model, prompt and format of a run, with its pair on each dataset. */
export type GridColumn = ColumnName & {
  run: number
  /** The id in requests for comparisons: `0.1` is the second model of the first run. */
  path: string
  /** The model. */
  title: string
  /** What else tells it apart: format, prompt, shots, temperature, and the run if there are several. */
  about: string
  pairs: ReadonlyMap<string, number>
  /** The names of these datasets in the config: those of several prompts have the same rows. */
  datasets: ReadonlyMap<string, string>
}

/** What a grid shows: a whole run, one of its models, or one of its pairs. */
export type GridSide = { run: number; model?: number | undefined; pair?: number | undefined }

type States = ReadonlyMap<number, { pairs: readonly { result?: Pick<PairResult, 'axes'> | undefined }[] }>

/** The columns of some sides; results say on which axes they differ. */
export function columnsOf(site: Pick<Site, 'runs'>, sides: readonly GridSide[], states: States): GridColumn[] {
  const isOneRun = new Set(sides.map(({ run }) => run)).size === 1
  const columns = sides.flatMap(({ run, model, pair: only }) => {
    const { pairs } = site.runs[run]!
    const models = distinctModels(pairs)
    const found = new Map<
      string,
      Omit<GridColumn, 'letter' | 'names'> & { pairs: Map<string, number>; datasets: Map<string, string>; name: PairName }
    >()
    for (const [number, pair] of pairs.entries()) {
      const place = models.findIndex((one) => isSameModel(one, pair))
      if ((model !== undefined && place !== model) || (only !== undefined && number !== only)) continue
      const axes = axesOf(states.get(run)?.pairs[number]?.result?.axes)
      const key = JSON.stringify([place, axes.about])
      const known = found.get(key) ?? {
        run,
        path: models.length > 1 ? `${run}.${place}` : String(run),
        title: pair.model,
        about: [pair.format, ...axes.about, ...(isOneRun ? [] : [runKey(site, run)])].filter((part) => part !== undefined).join(' · '),
        pairs: new Map<string, number>(),
        datasets: new Map<string, string>(),
        name: pair,
      }
      known.pairs.set(axes.data ?? pair.dataset, number)
      known.datasets.set(axes.data ?? pair.dataset, pair.dataset)
      found.set(key, known)
    }
    return [...found.values()]
  })
  return columns.map(({ name, ...column }, index) => {
    const names = [modelName(name), name.model, ...column.about.split(' · '), site.runs[column.run]!.name].filter((one) => one !== '')
    return { ...column, letter: letterOf(index), names: [...new Set(names)] }
  })
}

function axesOf({ data, prompt, shots, temperature }: Axes = {}): { data: string | undefined; about: string[] } {
  const about = [prompt, shots === undefined ? undefined : `${shots}-shot`, temperature === undefined ? undefined : `t=${temperature}`]
  return {
    data: data === undefined ? undefined : String(data),
    about: about.flatMap((one) => (one === undefined || one === '' ? [] : [String(one)])),
  }
}

/** A to Z, then A1, B1. */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`
}

/** The datasets of all columns, in their order. */
export function datasetsOf(columns: readonly GridColumn[], only?: string): string[] {
  const all = [...new Set(columns.flatMap(({ pairs }) => [...pairs.keys()]))]
  return only === undefined ? all : all.filter((data) => data === only || columns.some(({ datasets }) => datasets.get(data) === only))
}

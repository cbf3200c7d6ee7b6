import { showDecimal } from './numbers.ts'
import { words } from './words.ts'

/** The pages of runs: where one is, and the figures of one run. */
export const runWords = words(
  {
    where: 'where you are',
    allRuns: 'All runs',
    noRun: (name: string) => `There is no run "${name.slice(0, 200)}" here.`,
    noPair: (model: string, dataset: string) => `This run has no rows of "${model.slice(0, 200)}" on "${dataset.slice(0, 200)}".`,
    took: (seconds: number, version: string) => `, ${showDecimal(seconds, 1)} s, rolecall ${version}`,
    live: 'going on',
    unfinished: 'not finished',
  },
  {
    where: '当前位置',
    allRuns: '所有运行',
    noRun: (name) => `这里没有名为“${name.slice(0, 200)}”的运行。`,
    noPair: (model, dataset) => `这次运行没有“${model.slice(0, 200)}”在“${dataset.slice(0, 200)}”上的数据行。`,
    took: (seconds, version) => `，用时 ${showDecimal(seconds, 1)} 秒，rolecall ${version}`,
    live: '进行中',
    unfinished: '未完成',
  },
)

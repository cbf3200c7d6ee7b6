import { counted, showNumber } from './numbers.ts'
import { words } from './words.ts'

/** The list of all runs. */
export const homeWords = words(
  {
    title: 'Runs',
    about: 'Every run, the latest first. Choose two to compare them row by row.',
    search: 'search runs',
    searchHint: 'name, model or dataset',
    compare: 'Compare',
    chooseTwo: 'choose two runs to compare',
    choose: (name: string) => `choose ${name}`,
    run: 'run',
    started: 'started',
    models: 'models',
    state: 'state',
    rows: 'rows',
    figures: 'figures',
    states: { live: 'going on', done: 'done', unfinished: 'not finished' },
    ofRows: (rows: number, all: number) => `${showNumber(rows)} of ${showNumber(all)}`,
    shown: (count: number, all: number) =>
      count === all ? counted(all, 'run', 'runs') : `${showNumber(count)} of ${counted(all, 'run', 'runs')}`,
    more: (count: number) => `and ${showNumber(count)} more`,
  },
  {
    title: '运行',
    about: '所有运行，最新的在前。选择两个即可逐行比较。',
    search: '搜索运行',
    searchHint: '名称、模型或数据集',
    compare: '比较',
    chooseTwo: '请选择两个运行进行比较',
    choose: (name) => `选择 ${name}`,
    run: '运行',
    started: '开始时间',
    models: '模型',
    state: '状态',
    rows: '数据行',
    figures: '指标',
    states: { live: '进行中', done: '已完成', unfinished: '未完成' },
    ofRows: (rows, all) => `${showNumber(rows)} / ${showNumber(all)}`,
    shown: (count, all) => (count === all ? `${showNumber(all)} 个运行` : `${showNumber(all)} 个运行中的 ${showNumber(count)} 个`),
    more: (count) => `另有 ${showNumber(count)} 项`,
  },
)

import { counted, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

/** The list of all runs. */
export const homeTexts = translated(
  {
    title: 'Runs',
    about:
      'Every evaluation run in this folder, latest first: its models, progress and scores. Select two or more to compare them row by row with the oldest.',
    search: 'search runs',
    searchHint: 'name, model or dataset',
    compare: 'Compare',
    chooseTwo: 'choose two or more runs to compare',
    choose: (name: string) => `choose ${name}`,
    run: 'run',
    started: 'started',
    models: 'models',
    state: 'state',
    rows: 'rows',
    figures: 'scores',
    barsAbout:
      'One bar per dataset, from 0 to 100 %, grouped by model; dashed if the score is not a percentage or missing. Hover for the value.',
    noneFound: (text: string) => `No run has “${text.slice(0, 80)}” in its name, models or datasets.`,
    inFormats: (model: string, count: number) => `${model} in ${showNumber(count)} formats`,
    states: { live: 'running', done: 'done', unfinished: 'not finished', gone: 'deleted', damaged: 'unreadable' },
    ofRows: (rows: number, all: number) => `${showNumber(rows)} of ${showNumber(all)}`,
    shown: (count: number, all: number) =>
      count === all ? counted(all, 'run', 'runs') : `${showNumber(count)} of ${counted(all, 'run', 'runs')}`,
    more: (count: number) => `+${showNumber(count)}`,
  },
  {
    title: '运行记录',
    about: '此文件夹中的所有评测运行，最新的在前：评测了哪些模型、进度和得分。勾选两次或更多运行，即可与其中最早的一次逐行比较。',
    search: '搜索运行',
    searchHint: '名称、模型或数据集',
    compare: '比较',
    chooseTwo: '请勾选两次或更多运行进行比较',
    choose: (name) => `选择 ${name}`,
    run: '运行',
    started: '开始时间',
    models: '模型',
    state: '状态',
    rows: '数据行',
    figures: '得分',
    barsAbout: '每个数据集一根柱，范围 0 到 100%，按模型分组；虚线表示得分不是百分比或尚无得分。指向柱子可看数值。',
    noneFound: (text) => `没有名称、模型或数据集包含“${text.slice(0, 80)}”的运行。`,
    inFormats: (model, count) => `${model}（${showNumber(count)} 种格式）`,
    states: { live: '进行中', done: '已完成', unfinished: '未完成', gone: '已删除', damaged: '无法读取' },
    ofRows: (rows, all) => `${showNumber(rows)} / ${showNumber(all)}`,
    shown: (count, all) => (count === all ? `${showNumber(all)} 次运行` : `${showNumber(all)} 次运行中的 ${showNumber(count)} 次`),
    more: (count) => `+${showNumber(count)}`,
  },
)

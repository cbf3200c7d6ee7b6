import { counted, showDecimal, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

/** The pages of runs: breadcrumbs, and the results of one run. */
export const runTexts = translated(
  {
    comparison: 'comparison',
    where: 'where you are',
    allRuns: 'All runs',
    noRun: (name: string) => `There is no run "${name.slice(0, 200)}" here.`,
    noPair: (model: string, dataset: string) => `This run has no rows of "${model.slice(0, 200)}" on "${dataset.slice(0, 200)}".`,
    took: (seconds: number, version: string) => `, ${showDecimal(seconds, 1)} s, rolecall ${version}`,
    readFrom: (harness: string) => `, run by ${harness}`,
    scope: (models: number, formats: number, datasets: number) =>
      `${counted(models, 'model', 'models')}${formats > 1 ? ` in ${showNumber(formats)} formats` : ''} on ${counted(datasets, 'dataset', 'datasets')} · `,
    live: 'running',
    unfinished: 'not finished',
    model: 'model',
    dataset: 'dataset',
    pair: 'model · dataset',
    rows: 'rows',
    figures: 'metrics',
    groups: 'Groups',
    group: 'group',
    weighted: (by: 'rows' | 'datasets' | 'weights' | undefined, count: number) =>
      by === 'rows'
        ? `each of ${counted(count, 'row', 'rows')} counts the same`
        : by === 'datasets'
          ? `each of ${counted(count, 'dataset', 'datasets')} counts the same`
          : by === 'weights'
            ? `${counted(count, 'dataset', 'datasets')}, weighted`
            : '',
    datasets: (count: number) => (count === 1 ? 'Dataset' : `Datasets (${showNumber(count)})`),
    failed: (count: number) => `${showNumber(count)} without a score`,
    cut: (share: string, complete: string) => `${share} % at the token limit; the others ${complete}`,
    groupComparisons: 'Groups, compared on the same rows',
    adjustment: (before: number, all: number, after: number) =>
      `${showNumber(before)} of ${counted(all, 'comparison', 'comparisons')} ${before === 1 ? 'has' : 'have'} p < 0.05 before, ${showNumber(after)} after adjustment for their number (Holm).`,
    rowsSoFar: (count: number) => `${counted(count, 'row', 'rows')} so far`,
    formats: 'One model in several formats',
    formatsAbout: 'The spread of a metric when only the prompt format differs, largest first.',
    farthest: (spread: string, dataset: string) => `up to ${spread} apart on ${dataset.slice(0, 80)}`,
    ownFormat: 'its own format',
    apart: 'spread',
    best: 'best',
    worst: 'worst',
    comparisons: (sure: number, tested: number, few: number) =>
      [
        'Models compared',
        ...(tested > 0 ? [`${showNumber(sure)} of ${counted(tested, 'comparison', 'comparisons')} significant`] : []),
        ...(few > 0 ? [`${showNumber(few)} over too few rows`] : []),
      ].join(' · '),
    comparedPairs: (models: number, comparisons: number, first: string | undefined) =>
      `${counted(comparisons, 'comparison', 'comparisons')} of ${counted(models, 'model', 'models')}, row by row on each dataset: ${first === undefined ? 'every pair of models' : `every model with ${first}`}. Significant: p < 0.05 after Holm's adjustment for the number of comparisons.`,
    answers: 'Outcomes of the answers',
    reasoned: 'with reasoning',
    answersInRows: (answers: number, rows: number) => `${showNumber(answers)} in ${counted(rows, 'row', 'rows')}`,
    ofRows: (count: number, rows: number) => `${showNumber(count)} of ${counted(rows, 'row', 'rows')}`,
    by: (dataset: string, column: string) => `${dataset} by ${column}`,
    allBy: (columns: string) => `Scores by ${columns}`,
    unread: (count: number) => `${showNumber(count)} not extracted`,
    lengths: 'Lengths and times',
    promptTokens: 'prompt, tokens',
    replyTokens: 'answer, tokens',
    milliseconds: 'time, milliseconds',
    reading: 'Reading all rows…',
    known: (rows: number) => `${counted(rows, 'answer is', 'answers are')} cached from an earlier run and have no time.`,
    noLengths: 'none',
    spread: (median: number, nearlyAll: number, most: number) =>
      `median ${showNumber(median)}, 95 % up to ${showNumber(nearlyAll)}, maximum ${showNumber(most)}`,
    bar: (from: number, to: number | undefined, count: number) =>
      `${to === undefined ? `${showNumber(from)} and more` : from === to ? showNumber(from) : `${showNumber(from)} to ${showNumber(to)}`}: ${counted(count, 'row', 'rows')}`,
    highestFirst: 'rows, highest first',
  },
  {
    comparison: '比较',
    where: '当前位置',
    allRuns: '所有运行',
    noRun: (name) => `这里没有名为“${name.slice(0, 200)}”的运行。`,
    noPair: (model, dataset) => `这次运行没有“${model.slice(0, 200)}”在“${dataset.slice(0, 200)}”上的数据行。`,
    took: (seconds, version) => `，用时 ${showDecimal(seconds, 1)} 秒，rolecall ${version}`,
    readFrom: (harness) => `，由 ${harness} 运行`,
    scope: (models, formats, datasets) =>
      `${showNumber(models)} 个模型，${formats > 1 ? `${showNumber(formats)} 种格式，` : ''}${showNumber(datasets)} 个数据集 · `,
    live: '进行中',
    unfinished: '未完成',
    model: '模型',
    dataset: '数据集',
    pair: '模型 · 数据集',
    rows: '行数',
    figures: '指标',
    groups: '分组',
    group: '分组',
    weighted: (by, count) =>
      by === 'rows'
        ? `${showNumber(count)} 行权重相同`
        : by === 'datasets'
          ? `${showNumber(count)} 个数据集权重相同`
          : by === 'weights'
            ? `${showNumber(count)} 个数据集，加权`
            : '',
    datasets: (count) => (count === 1 ? '数据集' : `数据集（${showNumber(count)} 个）`),
    failed: (count) => `${showNumber(count)} 行没有得分`,
    cut: (share, complete) => `${share}% 达到 token 上限；其余回答的得分为 ${complete}`,
    groupComparisons: '各组在相同数据上的比较',
    adjustment: (before, all, after) =>
      `${showNumber(all)} 项比较中，校正前有 ${showNumber(before)} 项 p < 0.05，按比较次数校正（Holm）后有 ${showNumber(after)} 项。`,
    rowsSoFar: (count) => `目前 ${showNumber(count)} 行`,
    formats: '同一模型使用多种格式',
    formatsAbout: '仅提示词格式不同时指标相差多少，差距最大的排在最前。',
    farthest: (spread, dataset) => `在 ${dataset.slice(0, 80)} 上相差最多 ${spread}`,
    ownFormat: '自带格式',
    apart: '差距',
    best: '最好',
    worst: '最差',
    comparisons: (sure, tested, few) =>
      [
        '模型比较',
        ...(tested > 0 ? [`${showNumber(tested)} 项比较中有 ${showNumber(sure)} 项显著`] : []),
        ...(few > 0 ? [`${showNumber(few)} 项数据行太少`] : []),
      ].join(' · '),
    comparedPairs: (models, comparisons, first) =>
      `${showNumber(models)} 个模型在各数据集上逐行比较，共 ${showNumber(comparisons)} 项：${first === undefined ? '模型两两比较' : `各模型与 ${first} 比较`}。显著：按比较次数校正（Holm）后 p < 0.05。`,
    answers: '回答的结果',
    reasoned: '含思考过程',
    answersInRows: (answers, rows) => `${showNumber(rows)} 行中的 ${showNumber(answers)} 个回答`,
    ofRows: (count, rows) => `${showNumber(rows)} 行中的 ${showNumber(count)} 行`,
    by: (dataset, column) => `${dataset}（按 ${column}）`,
    allBy: (columns) => `按 ${columns} 统计的得分`,
    unread: (count) => `${showNumber(count)} 行未提取到答案`,
    lengths: '长度与用时',
    promptTokens: '提示词，token',
    replyTokens: '回答，token',
    milliseconds: '用时，毫秒',
    reading: '正在读取所有数据行…',
    known: (rows) => `${showNumber(rows)} 个回答取自之前的运行，没有用时。`,
    noLengths: '无',
    spread: (median, nearlyAll, most) => `中位数 ${showNumber(median)}，95% 不超过 ${showNumber(nearlyAll)}，最大 ${showNumber(most)}`,
    bar: (from, to, count) =>
      `${to === undefined ? `${showNumber(from)} 及以上` : from === to ? showNumber(from) : `${showNumber(from)} 到 ${showNumber(to)}`}：${showNumber(count)} 行`,
    highestFirst: '数据行，从高到低',
  },
)

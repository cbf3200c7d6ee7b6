import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on configs and data of OpenCompass and of other programs that convert to them. */
export const opencompassNotes = {
  'unfilled-token': { severity: 'warning', en: 'a token of a template is written as it stands', zh: '模板中的占位符未被替换，原样写出' },
  'examples-unshown': { severity: 'warning', en: 'examples are given that no template shows', zh: '给出了示例，但没有模板展示它们' },
  'assumed-columns': { severity: 'warning', en: 'the data file is missing, so its columns are assumed', zh: '文件不存在，按惯例假定列名' },
  'base-models': { severity: 'note', en: 'answers are compared with those of one base model only', zh: '回答只与一个基准模型比较' },
  'both-orders': {
    severity: 'note',
    en: 'the judge sees both orders of a pair, not a drawn one',
    zh: '评审模型查看两种顺序，而非随机一种',
  },
  chatml: { severity: 'note', en: 'how the messages of a dataset in ChatML are read', zh: 'ChatML 数据集的读取方式' },
  combined: { severity: 'note', en: 'a part of a config became part of its entries', zh: '独立的配置片段并入了条目' },
  'dataset-source': { severity: 'warning', en: 'DATASET_SOURCE does not apply', zh: 'DATASET_SOURCE 不适用' },
  'group-left-out': { severity: 'warning', en: 'a group of the summarizer was left out', zh: '汇总器的一个分组被省略' },
  key: { severity: 'warning', en: 'a key was left out of the config', zh: '密钥未写入配置' },
  'left-out': { severity: 'warning', en: 'this part was left out', zh: '该部分被省略' },
  'number-keys': { severity: 'note', en: 'keys that are numbers in Python are texts here', zh: 'Python 中的数字键在此为文本' },
  'own-temperature': { severity: 'note', en: 'no temperature is set, so 0 is sent', zh: '未设置温度，发送 0' },
  'partial-data': { severity: 'warning', en: 'the hub converted only the first rows of a split', zh: '平台只转换了该划分的前若干行' },
  placeholder: { severity: 'note', en: 'a placeholder for a key is read from the environment', zh: '密钥占位符从环境变量读取' },
  'prompt-list': { severity: 'note', en: 'how a PromptList of a document is read', zh: '文档中 PromptList 的读取方式' },
  'same-entry': { severity: 'note', en: 'an entry that is listed twice counts once', zh: '重复列出的条目只计一次' },
  'same-name': { severity: 'note', en: 'an entry was renamed, because another has its name', zh: '名称重复，条目已改名' },
  'self-consistency': { severity: 'note', en: 'several answers are sampled per row, for a majority vote', zh: '每行采样多次，多数投票' },
  'several-judges': { severity: 'note', en: 'the dataset runs once for each of its judges', zh: '数据集对每个评审模型各运行一次' },
} as const satisfies NoteTable

/** The codes of notes on OpenCompass's configs and datasets. */
export type OpenCompassNotes = typeof opencompassNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends OpenCompassNotes {}
}

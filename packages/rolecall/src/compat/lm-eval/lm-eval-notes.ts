import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on tasks of lm-evaluation-harness. */
export const lmEvalNotes = {
  'absent-library': { severity: 'note', en: 'functions work without a library that is not installed', zh: '函数在未安装该库的情况下运行' },
  'documents-vary': { severity: 'warning', en: 'each reading gives other documents', zh: '每次读取得到的数据不同' },
  'fewer-resamples': { severity: 'note', en: 'the standard error is drawn with fewer resamples', zh: '重采样次数减少' },
  'filters-characters': {
    severity: 'warning',
    en: 'filters after take_first are given single characters',
    zh: 'take_first 之后的过滤器逐个字符处理',
  },
  'first-token-lost': {
    severity: 'warning',
    en: 'the context is empty, and the probability of the first token is missing',
    zh: '上下文为空，首个 token 的概率缺失',
  },
  'greedy-unknown': {
    severity: 'warning',
    en: 'the server does not say whether tokens are the likeliest',
    zh: '服务器未返回是否为最可能的 token',
  },
  'network-metric': {
    severity: 'warning',
    en: 'functions load a metric that a neural network computes, which fails here',
    zh: '函数加载由神经网络计算的指标，此处无法运行',
  },
  'prompts-vary': { severity: 'note', en: 'functions draw random numbers whenever they are called', zh: '函数每次调用都使用随机数' },
  'replaced-library': {
    severity: 'note',
    en: 'Rolecall computes what a library computes in Python',
    zh: '由 Rolecall 代替该 Python 库计算',
  },
  'unread-key': { severity: 'warning', en: 'a key of the task is not read', zh: '该键未被读取' },
} as const satisfies NoteTable

/** The codes of notes on tasks of lm-evaluation-harness. */
export type LmEvalNotes = typeof lmEvalNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends LmEvalNotes {}
}

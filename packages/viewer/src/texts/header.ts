import { translated } from './translated.ts'

/** The header of every page. */
export const headerTexts = translated(
  {
    skip: 'skip to content',
    pages: 'pages',
    pageName: 'page',
    lab: 'Lab',
    page: {
      runs: 'Runs',
      grid: 'Grid',
      compare: 'Compare',
      conversations: 'Conversations',
      prompts: 'Prompts',
      'side-by-side': 'Side by side',
    },
    light: 'light theme',
    dark: 'dark theme',
  },
  {
    skip: '跳到正文',
    pages: '页面',
    pageName: '页面',
    lab: '实验台',
    page: {
      runs: '运行记录',
      grid: '数据表',
      compare: '比较',
      conversations: '对话',
      prompts: '提示词',
      'side-by-side': '并排对照',
    },
    light: '浅色主题',
    dark: '深色主题',
  },
)

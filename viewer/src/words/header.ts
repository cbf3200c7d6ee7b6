import { words } from './words.ts'

/** What stands above every page. */
export const headerWords = words(
  {
    skip: 'to the content',
    pages: 'pages',
    pageName: 'page',
    page: {
      runs: 'Runs',
      compare: 'Compare',
      conversations: 'Conversations',
      prompts: 'Prompts',
      'side-by-side': 'Side by side',
      playground: 'Playground',
    },
    light: 'light colours',
    dark: 'dark colours',
  },
  {
    skip: '跳到正文',
    pages: '页面',
    pageName: '页面',
    page: {
      runs: '运行记录',
      compare: '比较',
      conversations: '对话',
      prompts: '提示词',
      'side-by-side': '并排对照',
      playground: '演练场',
    },
    light: '浅色',
    dark: '深色',
  },
)

/** A page of the site: its name in `docs/`, or the path of a file in the repository; what it is called in the list, in both languages. */
export type SitePage = { page: string; title: string; zh?: string }
export type Section = { title: string; zh: string; pages: readonly SitePage[] }

/** All pages, in the order a person needs them: first to learn, then to do something, then to look something up. */
export const sections: readonly Section[] = [
  {
    title: 'Tutorials',
    zh: '教程',
    pages: [
      { page: 'tutorial-first-score', title: 'From a JSONL to a score', zh: '十分钟：从 JSONL 到分数' },
      { page: 'tutorial-look-at-the-prompt', title: 'Why is my model bad?', zh: '模型为什么答得差？先看提示词' },
      { page: 'coming-from-opencompass', title: 'Coming from OpenCompass', zh: '从 OpenCompass 迁移' },
      { page: 'coming-from-huggingface-jinja', title: 'Coming from @huggingface/jinja', zh: '从 @huggingface/jinja 迁移' },
      { page: 'lm-eval', title: 'Coming from lm-evaluation-harness' },
    ],
  },
  {
    title: 'Evaluate',
    zh: '评测',
    pages: [
      { page: 'evaluate', title: 'Evaluate a model' },
      { page: 'servers', title: 'OpenAI-compatible servers' },
      { page: 'gguf', title: 'GGUF files' },
      { page: 'presets', title: 'Known benchmarks' },
      { page: 'tool-evaluation', title: 'Evaluate tool calls' },
      { page: 'long-runs', title: 'Long runs' },
      { page: 'clusters', title: 'Clusters' },
      { page: 'import', title: 'Python configs of OpenCompass', zh: '导入 OpenCompass 的配置' },
      { page: 'opencompass', title: 'OpenCompass’s datasets', zh: 'OpenCompass 数据集对照' },
    ],
  },
  {
    title: 'Prompts and templates',
    zh: '提示词与模板',
    pages: [
      { page: 'view', title: 'Look at your prompts' },
      { page: 'workbench', title: 'Lint, diff, convert, verify' },
      { page: 'chat-templates', title: 'Chat templates' },
      { page: 'tokens', title: 'Tokens and safety' },
      { page: 'training', title: 'Training rows' },
    ],
  },
  {
    title: 'Chats and servers',
    zh: '对话与服务',
    pages: [
      { page: 'chat', title: 'Chat' },
      { page: 'tools-and-code', title: 'Tools and code' },
      { page: 'serve', title: 'Serve' },
      { page: 'structured-output', title: 'Structured output' },
    ],
  },
  {
    title: 'Reference',
    zh: '参考',
    pages: [
      { page: 'configuration', title: 'Configuration' },
      { page: 'templates', title: 'Templates' },
      { page: 'meta-templates', title: 'Meta templates' },
      { page: 'mlc', title: 'MLC conversations' },
      { page: 'internlm2', title: 'InternLM2' },
      { page: 'datasets', title: 'Datasets' },
      { page: 'loaders', title: 'Dataset classes of OpenCompass' },
      { page: 'retrievers', title: 'Examples in a prompt' },
      { page: 'scoring', title: 'Answers and scores' },
      { page: 'replies', title: 'Replies' },
      { page: 'provenance', title: 'Provenance' },
      { page: 'fidelity', title: 'Fidelity' },
      { page: 'limits', title: 'Limits' },
      { page: 'documents', title: 'The five documents' },
    ],
  },
  {
    title: 'Library and project',
    zh: '库与项目',
    pages: [
      { page: 'library', title: 'The library' },
      { page: 'README.md', title: 'Overview', zh: '概览' },
      { page: 'CHANGELOG.md', title: 'Changelog' },
      { page: 'CONTRIBUTING.md', title: 'Contributing' },
      { page: 'SECURITY.md', title: 'Security' },
      { page: 'embedded-model/README.md', title: 'The embedded model' },
    ],
  },
]

/** A page of the site: its name in `docs/`, or the path of a file in the repository; what it is called in the list, in both languages. */
export type SitePage = { page: string; title: string; zh: string }
export type Section = { title: string; zh: string; pages: readonly SitePage[] }

/** All pages, in the order a person needs them: first to learn, then to do something, then to look something up. */
export const sections: readonly Section[] = [
  {
    title: 'Tutorials',
    zh: '教程',
    pages: [
      { page: 'session', title: 'A session of ten commands', zh: '十条命令' },
      { page: 'tutorial-first-score', title: 'From a JSONL to a score', zh: '十分钟：从 JSONL 到分数' },
      { page: 'tutorial-look-at-the-prompt', title: 'Why is my model bad?', zh: '模型为什么答得差？先看 prompt' },
      { page: 'coming-from-opencompass', title: 'Coming from OpenCompass', zh: '从 OpenCompass 迁移' },
      { page: 'lm-eval', title: 'Coming from lm-evaluation-harness', zh: '从 lm-evaluation-harness 迁移' },
      { page: 'tutorial-proxy', title: 'Serve a model behind a proxy', zh: '在代理后面提供模型服务' },
      { page: 'coming-from-huggingface-jinja', title: 'Coming from @huggingface/jinja', zh: '从 @huggingface/jinja 迁移' },
    ],
  },
  {
    title: 'Evaluate',
    zh: '评测',
    pages: [
      { page: 'evaluate', title: 'Evaluate a model', zh: '评测模型' },
      { page: 'servers', title: 'OpenAI-compatible servers', zh: 'OpenAI 兼容的服务' },
      { page: 'hub', title: 'Models and data by name', zh: '按名称使用模型和数据' },
      { page: 'gguf', title: 'GGUF files', zh: 'GGUF 文件' },
      { page: 'presets', title: 'Benchmark presets', zh: '评测集预设' },
      { page: 'tool-evaluation', title: 'Evaluate tool calls', zh: '评测工具调用' },
      { page: 'why', title: 'Why do two scores differ?', zh: '两个分数为什么不同？' },
      { page: 'long-runs', title: 'Long runs', zh: '长时间运行' },
      { page: 'clusters', title: 'Clusters', zh: '集群' },
      { page: 'import', title: 'OpenCompass and AISBench configs', zh: '导入 OpenCompass 的配置' },
      { page: 'opencompass', title: 'OpenCompass datasets', zh: 'OpenCompass 数据集对照' },
    ],
  },
  {
    title: 'Prompts and templates',
    zh: 'Prompt 与模板',
    pages: [
      { page: 'view', title: 'Look at your prompts', zh: '查看 prompt' },
      { page: 'workbench', title: 'Lint, diff, convert, verify', zh: '检查、对比、转换、核对模板' },
      { page: 'chat-templates', title: 'Chat templates', zh: 'Chat template' },
      { page: 'roles', title: 'Roles and agents', zh: '角色与 agent' },
      { page: 'parts', title: 'Messages with parts', zh: '多段消息' },
      { page: 'tokens', title: 'Tokens and safety', zh: 'Token 与安全' },
      { page: 'training', title: 'Training data', zh: '训练数据' },
    ],
  },
  {
    title: 'Chats and servers',
    zh: '对话与服务',
    pages: [
      { page: 'chat', title: 'Chat', zh: '对话' },
      { page: 'tools-and-code', title: 'Tools and code', zh: '工具与代码' },
      { page: 'serve', title: 'Serve', zh: '提供服务' },
      { page: 'agents', title: 'Coding agents', zh: '编程智能体' },
      { page: 'structured-output', title: 'Structured output', zh: '结构化输出' },
    ],
  },
  {
    title: 'Reference',
    zh: '参考',
    pages: [
      { page: 'configuration', title: 'Configuration', zh: '配置' },
      { page: 'outputs', title: 'Outputs, field by field', zh: '输出字段' },
      { page: 'templates', title: 'Templates', zh: '提示模板' },
      { page: 'meta-templates', title: 'Meta templates', zh: '元模板（meta template）' },
      { page: 'mlc', title: 'MLC conversation templates', zh: 'MLC 对话模板' },
      { page: 'internlm2', title: 'InternLM2', zh: 'InternLM2' },
      { page: 'datasets', title: 'Datasets', zh: '数据集' },
      { page: 'loaders', title: 'OpenCompass dataset classes', zh: 'OpenCompass 的数据集类' },
      { page: 'retrievers', title: 'Few-shot examples', zh: '少样本示例' },
      { page: 'scoring', title: 'Answers and scores', zh: '答案与评分' },
      { page: 'replies', title: 'Parsing replies', zh: '解析回复' },
      { page: 'provenance', title: 'Provenance', zh: '字符来源' },
      { page: 'notes', title: 'Notes', zh: '说明' },
      { page: 'supported', title: 'What is supported', zh: '支持的功能' },
      { page: 'measurements', title: 'Speed and conformance', zh: '速度与一致性' },
      { page: 'fidelity', title: 'Fidelity', zh: '与参考系统的差异' },
      { page: 'limits', title: 'Limits', zh: '限制' },
      { page: 'documents', title: 'The five documents', zh: '五份文档' },
    ],
  },
  {
    title: 'Library and project',
    zh: '库与项目',
    pages: [
      { page: 'library', title: 'The library', zh: '库' },
      { page: 'stability', title: 'Stability', zh: '稳定性' },
      { page: 'README.md', title: 'Overview', zh: '概览' },
      { page: 'CHANGELOG.md', title: 'Changelog', zh: '更新日志' },
      { page: 'ARCHITECTURE.md', title: 'Architecture', zh: '架构' },
      { page: 'CONTRIBUTING.md', title: 'Contributing', zh: '参与贡献' },
      { page: 'SECURITY.md', title: 'Security', zh: '安全' },
      { page: 'packages/rolecall/embedded-model/README.md', title: 'The embedded model', zh: '内置模型' },
    ],
  },
]

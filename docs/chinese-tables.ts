import type { ExitName } from '../packages/rolecall/src/cli/exit-codes.ts'
import type { ModelClasses } from '../packages/rolecall/src/compat/opencompass/model-classes.ts'

// The Chinese text of generated tables. What is missing here stops `npm run docs` and its test.

/** What a row format reads, in Chinese. */
export function rowFormatInChinese(name: string): string {
  return found(rowFormats[name], `the row format ${name}`)
}

/** How prompts of a model class are written and how it runs, in Chinese. */
export function modelClassInChinese({ classes }: ModelClasses): { prompts: string; runs: string } {
  return found(modelClasses[classes[0]!], `the model class ${classes[0]}`)
}

/** The meaning of an exit code, in Chinese. */
export function exitCodeInChinese(name: ExitName): string {
  return exitCodes[name]
}

const exitCodes: Readonly<Record<ExitName, string>> = {
  ok: '已完成，所有检查都通过',
  failed: '没有可做的事或尚未完成（数据集没有数据，有数据尚未发送），或意外错误',
  refused: '命令、配置或文件有误，或服务、队列不可用',
  'check-failed': '检查未通过：命令要求报告的分数、问题或差异',
  'rows-failed': '运行已完成，但没有回答或没有分数的数据多于 --allow-failed 允许的数量',
  'limit-reached': '运行达到 --max-cost、--max-tokens-total 或 --max-time',
  stopped: '被 Ctrl-C 或信号中断',
}

function found<Text>(text: Text | undefined, what: string): Text {
  if (text === undefined) throw new Error(`docs/chinese-tables.ts: ${what} has no description in Chinese`)
  return text
}

const rowFormats: Readonly<Record<string, string>> = {
  choices: '各种常见布局的选择题：`question`、`A` 到 `D`、`options`（所有选项，每行一个）、`answer`（字母）',
  choices_by_text: '同上；`answer` 是选项的文本，不会当作字母或序号',
  choices_from_one: '同上；`answer` 是数字时从 1 数起',
  four_choices: '同上；选项不是四个的数据会略去，与 OpenCompass 相同',
  sharegpt: 'ShareGPT 的数据，`conversations: [{ from, value }]`：问题成为对话消息，最后一个回答成为一列',
  messages: 'OpenAI 的数据，`messages: [{ role, content }]`，即微调文件的格式：最后一个回答成为一列，其中的工具调用也是（`calls`）',
  squad: 'SQuAD 的数据，`answers: { text: […] }`：每个文本都算正确；没有答案的问题，答案为空文本',
  bfcl: 'Berkeley Function Calling Leaderboard 的数据：问题成为对话消息 `messages`，函数作为模型的 `tools` 和评分用的 `functions`，`category` 取自 id',
}

const onServer = '在你启动的服务上：`--models NAME=URL`，或用一个 `--base-url` 指定全部'

/** By the first class of an entry. */
const modelClasses: Readonly<Record<string, { prompts: string; runs: string }>> = {
  HuggingFacewithChatTemplate: {
    prompts:
      '用 tokenizer 的 chat template 渲染，在 `tokenizer_path` 和 `path` 指向的目录里查找，或由 `chat_template`、`--chat-template` 给出；没有则拒绝',
    runs: `${onServer}；没有模板时由服务渲染。不使用 \`model_kwargs\`、\`engine_config\`、\`gen_config\`、\`run_cfg\``,
  },
  HuggingFace: {
    prompts: '用 `meta_template` 渲染；没有时是纯文本，与该类的做法相同',
    runs: `${onServer}，发送渲染好的 prompt。不使用 \`model_kwargs\`、\`engine_config\`、\`gen_config\`、\`run_cfg\`、\`batch_padding\``,
  },
  HuggingFaceChatGLM3: { prompts: '消息，由该类按自己的格式书写', runs: `${onServer}，由服务渲染消息` },
  OpenAI: {
    prompts: '消息，或 `meta_template` 写出的文本',
    runs: "作为 `type: 'openai'`；`openai_api_base`、`query_per_second`、`max_workers`、`batch_size`（并发请求数）、`retry` 名字不变，`openai_extra_kwargs` 即 `extra_body`",
  },
  Claude: {
    prompts: '消息',
    runs: "不按该类运行；这些服务用 `type: 'anthropic'` 和 `type: 'google'` 运行（docs/servers.md）",
  },
  OpenAISDKResponse: {
    prompts: '消息',
    runs: '不能运行：这些服务各有协议。有 OpenAI 兼容地址的，可用 `--models NAME=URL`，或用一个 `--base-url` 指定全部',
  },
  VLLMCustomAPIChat: {
    prompts: '消息',
    runs: "作为 `type: 'openai'`，地址由 `host_ip`、`host_port`、`enable_ssl` 或 `url` 给出",
  },
  VLLMCustomAPI: { prompts: '`meta_template` 写出的文本', runs: "作为 `type: 'openai'`，`endpoint: 'completions'`" },
  MindieStreamApi: {
    prompts: '`meta_template` 写出的文本',
    runs: `不使用它们自己的接口（\`/infer\`、\`/generate\`、\`/v2/models\`）；${onServer}，MindIE 和 TGI 的地址是 \`/v1\``,
  },
}

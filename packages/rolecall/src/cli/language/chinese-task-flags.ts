/** Flags of lm-evaluation-harness tasks. */
export const chineseTaskFlags: Readonly<Record<string, string>> = {
  "run lm-evaluation-harness tasks instead of the config's datasets: task, group or tag names, YAML files, or hf/ORG/DATASET for those that eval.yaml of a dataset on the hub defines (comma-separated)":
    '运行 lm-evaluation-harness 的任务，代替配置中的数据集：任务、组或标签名，YAML 文件，或 hf/ORG/DATASET（平台上数据集的 eval.yaml 所定义的任务）（逗号分隔）',
  'with --tasks: a folder with task files (can be repeated); then those of an installed lm_eval':
    '配合 --tasks：任务文件目录（可重复）；其次是已安装的 lm_eval 中的任务文件',
  'with --tasks: number of few-shot examples': '配合 --tasks：few-shot 示例数',
  "with --tasks: send the prompt as messages in the model's format instead of plain text":
    '配合 --tasks：以模型格式的消息发送提示词，而不是纯文本',
  'with --tasks: generation settings that override those of the tasks, e.g. temperature=0.7,max_gen_toks=64':
    '配合 --tasks：覆盖任务的生成设置，如 temperature=0.7,max_gen_toks=64',
  "run this model instead of the config's: local-completions or local-chat-completions, as in lm-evaluation-harness; embedded, gguf:PATH or openai:NAME@URL":
    '运行此模型，代替配置中的模型：local-completions 或 local-chat-completions（同 lm-evaluation-harness）；embedded、gguf:PATH 或 openai:NAME@URL',
  'accepted as in lm-evaluation-harness; each row is a separate request; --max-num-workers sets how many are sent at once':
    '同 lm-evaluation-harness，可以写；数据逐条发送，同时发送的数目由 --max-num-workers 决定',
  'with --tasks: also write results_*.json as lm-evaluation-harness does, to this folder or .json file':
    '配合 --tasks：同时按 lm-evaluation-harness 的格式写出 results_*.json，写到此目录或 .json 文件',
  'with --tasks: the system message': '配合 --tasks：系统消息',
  'with --tasks: the folder with the dataset files, as downloaded or as in the Hugging Face cache':
    '配合 --tasks：数据集文件目录，下载的原样或 Hugging Face 缓存的结构',
  'sampling seed; each row and sample derives its own from it; with --tasks also the seed of few-shot examples, or four seeds as in lm-evaluation-harness: 0,1234,1234,1234':
    '采样种子；每条数据和每次采样由它派生各自的种子；配合 --tasks 时也用于抽取 few-shot 示例，也可以像 lm-evaluation-harness 那样写四个：0,1234,1234,1234',
  'with --tasks: the seed that draws few-shot examples, as for `rolecall run`': '配合 --tasks：抽取 few-shot 示例的种子，同 `rolecall run`',
  'with --tasks: only these documents, as JSON or a JSON file: {"arc_easy": [0, 5]}':
    '配合 --tasks：只取这些数据，写成 JSON 或 JSON 文件：{"arc_easy": [0, 5]}',
  'with --tasks: pure-Python wheels; functions that score replies with them run in the Python sandbox (pip download names them)':
    '配合 --tasks：存放纯 Python wheel 的目录；用到其中的包的评分函数在 Python 沙箱里运行（用 pip download 下载）',
  'pure-Python wheels for lm-evaluation-harness tasks, as for `run --tasks`':
    '供 lm-evaluation-harness 任务使用的纯 Python wheel，同 `run --tasks`',
  'with --tasks: settings for tasks that make their own rows, e.g. max_seq_lengths=[4096]':
    '配合 --tasks：自行生成数据的任务所需的设置，例如 max_seq_lengths=[4096]',
  'the folder with the data of lm-evaluation-harness tasks, as for `run --tasks`':
    'lm-evaluation-harness 任务的数据所在位置，同 `run --tasks`',
}

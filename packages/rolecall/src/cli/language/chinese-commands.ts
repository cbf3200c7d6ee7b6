/** Headings, tasks, commands and their arguments. */
export const chineseCommands: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Options:': '选项：',
  'Arguments:': '参数：',
  'Commands:': '命令：',
  'Examples:': '示例：',
  'Model:': '模型：',
  'Data:': '数据：',
  'Sampling (overrides the config):': '采样（覆盖配置）：',
  'Sampling (where a request does not say):': '采样（请求未指定时）：',
  'Limits:': '限制：',
  'Results:': '结果：',
  'Many machines:': '多台机器：',
  'Benchmarks and tasks:': '基准与任务：',
  "As in OpenCompass's prompt viewer:": '与 OpenCompass 的 prompt viewer 相同：',
  'Output:': '输出：',
  'Evaluate:': '评测：',
  'Look at prompts:': '查看提示词：',
  'Work on templates:': '处理模板：',
  'Serve and chat:': '服务与对话：',
  'Prepare data:': '准备数据：',
  'Housekeeping:': '维护：',
  'The exact prompt, for every model.': '为每个模型生成准确的提示词。',
  '\n`rolecall <command> --help` shows its flags, with examples.': '\n`rolecall <command> --help` 显示该命令的选项和示例。',
  'disable colours': '不使用颜色',
  'show help': '显示帮助',
  'output the version number': '显示版本号',
  'language of help and messages: en or zh (default: by LANG)': '帮助和消息的语言：en 或 zh（默认由 LANG 决定）',
  'send prompts to models and score the answers': '把提示词发给模型并为回答打分',
  'evaluate models: send prompts, score the answers, write the results': '评测模型：发送提示词、为回答打分、写出结果',
  'the config file (default: the nearest rolecall.config.ts, .js, .json or .yaml, else the built-in quickstart)':
    '配置文件（默认：最近的 rolecall.config.ts、.js、.json 或 .yaml，没有则用内置的快速上手示例）',
  'write a config for your data and a model you can run': '为你的数据和可用的模型写一份配置',
  'write a commented config into this folder, for your data and a model you can run':
    '在当前目录写一份带注释的配置，适合你的数据和可用的模型',
  'pause, resume, limit or stop a run in progress': '暂停、恢复、限制或停止进行中的运行',
  'control a run in progress: show its status, pause and resume it, change its limits, retry failed rows, or stop it':
    '控制进行中的运行：查看状态、暂停和恢复、修改上限、重试失败的数据，或停止',
  "a run's folder, a folder of runs (the latest at most two levels below it is used), or the config that is being run":
    '运行的目录、包含多次运行的目录（取其下两层以内最近的一次），或正在运行的配置',
  'status (the default), pause, resume, limits, retry-errors or stop': 'status（默认）、pause、resume、limits、retry-errors 或 stop',
  'show what changed from one run to another': '显示两次运行之间的变化',
  'show what changed from one run to another, row by row': '逐条显示两次运行之间的变化',
  "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness":
    '某次运行的目录、含多次运行的目录（取最新一次）、所用的配置，或其他评测框架的结果',
  'the run to compare it with': '与之比较的运行',
  'show what reviewers noted on rows, and how far scores agree': '显示人工对数据的标注，以及与得分的一致程度',
  'show what reviewers noted on rows in `rolecall view`, and how far their verdicts agree with the scores':
    '显示在 `rolecall view` 中对数据所做的标注，以及人工判定与得分的一致程度',
  'print counts, agreement and all annotations as JSON': '以 JSON 输出数量、一致程度和所有标注',
  'print the annotations as a table for spreadsheets, one line per row': '以表格（CSV）输出标注，每条数据一行',
  'explain why two scores differ, cause by cause': '解释两个分数为何不同，逐个原因',
  'explain why two scores differ: row by row, cause by cause': '解释两个分数为何不同：逐条数据、逐个原因',
  'the run to compare it with; it may be the same with another --second-metric':
    '与之比较的运行；可以是同一次运行，用另一个 --second-metric',
  'score a run again without running any model': '不再运行模型，对一次运行重新打分',
  "a run's folder, a folder of runs (its latest is used), or the config that was run":
    '某次运行的目录、含多次运行的目录（取最新一次），或所用的配置',
  'write the results of a run for other tools': '把一次运行的结果写成其他工具的格式',
  'write the results of a run in formats that other tools read': '把一次运行的结果写成其他工具能读的格式',
  'join the parts of a run that was split with --shard': '合并用 --shard 拆分的运行',
  'join the parts written by `rolecall run --shard` into one run': '把 `rolecall run --shard` 写出的各部分合并为一次运行',
  'the parts, or the folder that holds them (the latest run of each part is used)': '各部分，或包含它们的目录（每部分取最新一次运行）',
  'work for runs started with `run --queue`': '为 `run --queue` 启动的运行工作',
  'work for runs started with `rolecall run --queue`: take rows from the queue and send them to models':
    '为 `rolecall run --queue` 启动的运行工作：从队列取数据并发送给模型',
  'show the runs, jobs and workers of a queue': '显示队列中的运行、任务和 worker',
  'show the runs, jobs and workers on a queue; drain workers, or remove a run':
    '显示队列中的运行、任务和 worker；排空 worker，或移除一次运行',
  'print the exact prompt of any row for any model': '打印任意数据对任意模型的准确提示词',
  'print the exact prompt of any rows for any models': '打印任意数据对任意模型的准确提示词',
  'a config, a Python config snippet, an mlc-chat-config.json, messages as JSON, or a transcript (default: the nearest rolecall.config.ts, .js, .json or .yaml, else a built-in example)':
    '配置、Python 配置片段、mlc-chat-config.json、JSON 格式的消息，或对话记录（默认：最近的 rolecall.config.ts、.js、.json 或 .yaml，没有则用内置示例）',
  'print the tokens of prompts with their ids': '打印提示词的 token 及其 id',
  'view prompts, tokens and results in the browser': '在浏览器中查看提示词、token 和结果',
  'config files, run folders, saved conversations, models (ORG/NAME) or datasets (hf://datasets/ORG/NAME) on a hub (default: the nearest rolecall.config.ts, .js, .json or .yaml, else a built-in example)':
    '配置文件、运行目录、保存的对话、平台上的模型（ORG/NAME）或数据集（hf://datasets/ORG/NAME）（默认：最近的 rolecall.config.ts、.js、.json 或 .yaml，没有则用内置示例）',
  'show how the prompts of two templates or runs differ': '显示两个模板或两次运行的提示词有何不同',
  'show how the prompts of two templates, formats, models, configs or runs differ, by cause':
    '按原因显示两个模板、格式、模型、配置或运行的提示词有何不同',
  "a format's name, a chat template (.jinja, a model on a hub or in a folder, tokenizer_config.json, .gguf), a model of --config, a config, or a run's folder":
    '格式名、对话模板（.jinja、平台上的模型或模型目录、tokenizer_config.json、.gguf）、--config 中的模型、配置，或运行目录',
  'what to compare it with; optional with two stacks in --parts': '与之比较的对象；--parts 给出两个推理服务时可省略',
  'list the built-in formats; show what a template can do': '列出内置格式；显示模板的能力',
  'list the built-in formats and MLC conversation templates, or show one': '列出内置格式和 MLC 对话模板，或显示其中一个',
  'a format, a conversation template, or a chat template: a model on a hub (ORG/NAME), a model folder, tokenizer_config.json, .jinja or .gguf file':
    '格式、MLC 对话模板，或对话模板：平台上的模型（ORG/NAME）、模型目录、tokenizer_config.json、.jinja 或 .gguf 文件',
  'find what chat templates and configs drop or alter': '找出对话模板和配置丢弃或改动的内容',
  'check chat templates and configs: what is dropped, altered, rewritten or inconsistent':
    '检查对话模板和配置：被丢弃、改动、重写或不一致的内容',
  'a .jinja file, a model on a hub (ORG/NAME), a model folder, tokenizer_config.json, a .gguf file, or a config (default: the nearest rolecall.config.ts, .js, .json or .yaml)':
    '.jinja 文件、平台上的模型（ORG/NAME）、模型目录、tokenizer_config.json、.gguf 文件，或配置（默认：最近的 rolecall.config.ts、.js、.json 或 .yaml）',
  "convert a format to another system's, with proof": '把格式转换为其他系统的格式，并给出证明',
  "convert a conversation format to another system's, and prove that it renders the same prompts":
    '把对话格式转换为其他系统的格式，并证明渲染出的提示词相同',
  'the name of a built-in format or MLC conversation template, a chat template (a model on a hub, a folder, .jinja, tokenizer_config.json, .gguf), a meta template or conversation template in JSON or YAML, an mlc-chat-config.json, an Ollama Modelfile, or a config':
    '内置格式或 MLC 对话模板的名字、对话模板（平台上的模型、目录、.jinja、tokenizer_config.json、.gguf）、JSON 或 YAML 格式的 meta template 或对话模板、mlc-chat-config.json、Ollama 的 Modelfile，或配置',
  'check how a running server renders chats': '检查运行中的服务如何渲染对话',
  'check how a running server renders and tokenises chats against the chat template': '对照对话模板，检查运行中的服务如何渲染对话和分词',
  'the address of a llama.cpp, vLLM, SGLang or Rolecall server, e.g. http://127.0.0.1:8080':
    'llama.cpp、vLLM、SGLang 或 Rolecall 服务的地址，如 http://127.0.0.1:8080',
  'serve models to OpenAI and Anthropic clients': '为 OpenAI 和 Anthropic 客户端提供模型服务',
  'serve models in their own formats through OpenAI- and Anthropic-compatible APIs':
    '以模型自己的格式，通过兼容 OpenAI 和 Anthropic 的 API 提供服务',
  'the config file with the models (default: the nearest rolecall.config.*, else the embedded model)':
    '含模型的配置文件（默认：最近的 rolecall.config.*，没有则用内置模型）',
  'chat with a model, with tools and Python': '与模型对话，可用工具和 Python',
  'chat with a model in its own format, with tools and Python': '以模型自己的格式与它对话，可用工具和 Python',
  'the first message; without a terminal, the command ends after the reply': '第一条消息；不在终端中时，得到回复后命令结束',
  'convert OpenCompass and AISBench configs': '转换 OpenCompass 和 AISBench 的配置',
  'convert Python configs of OpenCompass and AISBench to Rolecall configs, without running Python':
    '把 OpenCompass 和 AISBench 的 Python 配置转换为 Rolecall 配置，不运行 Python',
  'a .py config or a folder of them; or lm-evaluation-harness task files (.yaml), to report which of them can run':
    '.py 配置或其目录；或 lm-evaluation-harness 的任务文件（.yaml），报告哪些可以运行',
  'list the known benchmarks and their files': '列出已知基准及其文件',
  'list the known benchmarks, where they come from and the files each of them reads': '列出已知基准、其来源以及各自读取的文件',
  'write conversations as training rows': '把对话写成训练数据',
  "write conversations as training rows in a model's own format: text, token ids and loss mask":
    '以模型自己的格式把对话写成训练数据：文本、token id 和 loss mask',
  'files of conversations (.jsonl, .json, .csv, .parquet, also .gz): messages, ShareGPT, prompt and completion, Alpaca; a dataset on a hub (hf://datasets/ORG/NAME); or a config, for the prompts of a dataset with their answers':
    '对话文件（.jsonl、.json、.csv、.parquet，也可 .gz）：messages、ShareGPT、prompt 与 completion、Alpaca；平台上的数据集（hf://datasets/ORG/NAME）；或配置，取数据集的提示词及答案',
  'print versions, packages and caches, for bug reports': '打印版本、软件包和缓存，用于报告问题',
  'print versions, optional packages, caches and the reachability of the hub, for bug reports':
    '打印版本、可选软件包、缓存以及 hub 是否可达，用于报告问题',
  'print shell completions': '打印 shell 补全脚本',
  'the shell': 'shell 的名字',
  'download models and datasets by name; lock and pack them': '按名称下载模型和数据集；锁定与打包',
  'download models and datasets from Hugging Face and ModelScope, lock them, and carry them to other machines':
    '从 Hugging Face 和 ModelScope 下载模型和数据集，锁定版本，带到其他机器',
  'download what a config, a preset, tasks or a name needs, and print what it is': '下载配置、预设、任务或名称所需的文件，并列出它们',
  'a config, a preset such as gsm8k, or a name on a hub: ORG/NAME, ORG/NAME:QUANTISATION, hf://datasets/ORG/NAME/CONFIG/SPLIT, ms://ORG/NAME':
    '配置、gsm8k 之类的预设，或平台上的名称：ORG/NAME、ORG/NAME:QUANTISATION、hf://datasets/ORG/NAME/CONFIG/SPLIT、ms://ORG/NAME',
  'a config, a preset such as gsm8k, or a name on a hub: ORG/NAME, ORG/NAME:QUANTISATION, hf://datasets/ORG/NAME/CONFIG/SPLIT, ms://ORG/NAME; and last the tar file to write':
    '配置、gsm8k 之类的预设，或平台上的名称：ORG/NAME、ORG/NAME:QUANTISATION、hf://datasets/ORG/NAME/CONFIG/SPLIT、ms://ORG/NAME；最后是要写入的 tar 文件',
  'write rolecall.lock beside a config: the commits and file hashes that it uses': '在配置旁写入 rolecall.lock：它所用的提交和文件哈希',
  'a config that names models or datasets on a hub': '引用平台上模型或数据集的配置',
  'write what a config, a preset, tasks or a name needs to a tar file, for a machine without a network':
    '把配置、预设、任务或名称所需的文件写入 tar 文件，供没有网络的机器使用',
  'also what these lm-evaluation-harness tasks need (comma-separated)': '以及这些 lm-evaluation-harness 任务所需的文件（逗号分隔）',
  'with --tasks: a folder with task files': '配合 --tasks：任务文件所在目录',
  'put the files of such a tar file into the cache of this machine': '把这种 tar 文件中的文件放入本机缓存',
  'a file that `rolecall hub pack` wrote': '`rolecall hub pack` 写出的文件',
  'list the repositories in the caches of this machine': '列出本机缓存中的仓库',
  'delete a repository from the cache, with all its revisions': '从缓存中删除一个仓库及其所有版本',
  'a name that `rolecall hub list` shows': '`rolecall hub list` 列出的名称',
}

import { chineseSamplingFlags } from '../sampling-flags.ts'

/** Descriptions of flags. */
export const chineseFlags: Readonly<Record<string, string>> = {
  'the metric to explain (default: the main metric of each run)': '要解释的指标（默认：各次运行的主指标）',
  'the metric of the second run (default: that of --metric)': '第二次运行的指标（默认：与 --metric 相同）',
  'of runs with several models, this one': '运行中有多个模型时，只看这一个',
  'of runs with several datasets, this one (default: all of them together)': '运行中有多个数据集时，只看这一个（默认：所有数据集合在一起）',
  'of runs with several datasets, those of this group, which a run reports': '运行中有多个数据集时，只看这一组（某次运行报告了该组）',
  'show the rows of this cause, with replies and verdicts of both runs; `all` for every cause':
    '显示该原因涉及的数据，附两次运行的回答和判定；`all` 表示所有原因',
  'number of rows that --rows and --export show per cause': '--rows 和 --export 为每个原因显示的数据条数',
  'send rows whose replies differ to this model, with prompt and settings of the second run each alone: openai:NAME@URL':
    '把回答不同的数据发给这个模型，分别只换用第二次运行的提示词或设置：openai:NAME@URL',
  'number of rows that --ask sends per cause, each up to three times': '--ask 为每个原因发送的数据条数，每条最多三次',
  'write one HTML page to publish': '写出一个可以发布的 HTML 页面',
  'print the explanation as JSON, with the rows of each cause': '以 JSON 打印解释，含每个原因涉及的数据',
  'score with this evaluator; with options as JSON: \'{"type": "MATHEvaluator", "version": "v2"}\'':
    '用此评估器打分；带选项时写 JSON：\'{"type": "MATHEvaluator", "version": "v2"}\'',
  'read answers with this postprocessor; with options as JSON': '用此后处理读取答案；带选项时写 JSON',
  'only these models (comma-separated names or patterns); NAME=URL sends one to this server; without a config, names of OpenCompass config files':
    '只用这些模型（名字或通配符，逗号分隔）；NAME=URL 把该模型的请求发给此服务；没有配置时为 OpenCompass 配置文件名',
  'the model that judges answers, for every dataset with a judge; its key is read from OC_JUDGE_API_KEY':
    '评判答案的模型，用于所有带裁判的数据集；密钥取自 OC_JUDGE_API_KEY',
  'send all requests to this OpenAI-compatible server, overriding the config': '把所有请求发给这个兼容 OpenAI 的服务，覆盖配置',
  'use this format for every model; `rolecall formats` lists them': '所有模型都用此格式；`rolecall formats` 列出可用格式',
  'use this MLC conversation template for every model': '所有模型都用此 MLC 对话模板',
  'use the conversation template of this mlc-chat-config.json (or of the folder that holds it) for every model':
    '所有模型都用此 mlc-chat-config.json（或其所在目录）的对话模板',
  'use this chat template for every model: a model on a hub (ORG/NAME), a model folder, tokenizer_config.json, .jinja or .gguf file':
    '所有模型都用此对话模板：平台上的模型（ORG/NAME）、模型目录、tokenizer_config.json、.jinja 或 .gguf 文件',
  'run every model in each of these formats (comma-separated), to see how much the format alone changes':
    '每个模型分别用这些格式运行（逗号分隔），看格式本身的影响',
  "only these datasets (comma-separated names or patterns such as 'gsm*'); without a config, names of OpenCompass config files":
    "只用这些数据集（名字或通配符，如 'gsm*'，逗号分隔）；没有配置时为 OpenCompass 配置文件名",
  "run a known benchmark instead of the config's datasets; `rolecall presets` lists them":
    '运行已知基准，代替配置中的数据集；`rolecall presets` 列出可用基准',
  'with --preset: the folder with its files, or a dataset on a hub; without it, they are downloaded from Hugging Face':
    '配合 --preset：文件所在目录，或平台上的数据集；省略时从 Hugging Face 下载',
  'with --preset: number of few-shot examples': '配合 --preset：few-shot 示例数',
  'with --preset: only these subjects (comma-separated)': '配合 --preset：只用这些学科（逗号分隔）',
  'with --apply-chat-template: each few-shot example as its own turns (default: true), or false for one turn':
    '配合 --apply-chat-template：每个 few-shot 示例为单独的轮次（默认 true）；false 表示合为一轮',
  'with --model local-completions: model=NAME,base_url=URL, and tokenizer=FOLDER,num_concurrent=8':
    '配合 --model local-completions：model=名字,base_url=地址，还可加 tokenizer=目录,num_concurrent=8',
  'also write predictions/, results/ and summary/ as this program does; the records of Rolecall are then in rolecall/ (docs/outputs.md)':
    '同时按该程序的方式写出 predictions/、results/ 和 summary/；自己的记录则在 rolecall/ 中（docs/outputs.md）',
  'with --output-path: also write samples_*.jsonl, with every document, prompt and reply':
    '配合 --output-path：同时写出 samples_*.jsonl，含每条数据、提示词和回复',
  'with --preset: generation or perplexity': '配合 --preset：生成或困惑度',
  'maximum tokens per answer': '每个回答的最大 token 数',
  'a stop sequence, in addition to those of the format; can be repeated; \\n is a newline, "" means none':
    '停止序列，附加在格式自带的之外；可重复；\\n 表示换行，"" 表示没有',
  ...chineseSamplingFlags,
  'at most this many rows of each dataset; below 1, this share of them, e.g. 0.1':
    '每个数据集最多取这么多条；小于 1 时为占全部数据的比例，例如 0.1',
  "send no more rows when the next would bring the cost above this, in the currency of the models' prices; resume with -r and a higher limit, or none":
    '下一条数据会使费用超过此金额时不再发送，货币与模型的价格相同；用 -r 和更高的上限（或 none）继续',
  "prices of the models and judges without `price`, per token, as JSON in LiteLLM's format: for costs, --max-cost and --dry-run":
    '未写 `price` 的模型和裁判模型的价格（每 token），LiteLLM 格式的 JSON：用于费用、--max-cost 和 --dry-run',
  'write events as JSON lines (docs/outputs.md) to this file, or to standard output (-) instead of the tables':
    '把运行中的事件按行写成 JSON（docs/outputs.md），写入此文件，或写到标准输出（-）以代替表格',
  'serve metrics for Prometheus at /metrics of this port, or of HOST:PORT, during the run':
    '运行期间在此端口（或 HOST:PORT）的 /metrics 提供 Prometheus 指标',
  'serve metrics for Prometheus at /metrics of this port, or of HOST:PORT': '在此端口（或 HOST:PORT）的 /metrics 提供 Prometheus 指标',
  'send an OpenTelemetry span per row to OTEL_EXPORTER_OTLP_ENDPOINT, without prompts and answers; with content, with answers, and with prompts if --prompts is given':
    '每条数据向 OTEL_EXPORTER_OTLP_ENDPOINT 发送一个 OpenTelemetry span，不含提示词和回答；写 content 则含回答，并在给出 --prompts 时含提示词',
  'send rows whose answer was cut at max_out_len once more, with a larger limit, e.g. 2x, and record both; with -r also those of the run':
    '回答在 max_out_len 处被截断的数据用更大的上限（例如 2x）再请求一次，两次都记录；加 -r 时也包括已有的数据',
  'the same for prompt and generated tokens, of models and judges': '同上，按提示词与生成的 token 总数计，含裁判模型',
  'send no more rows after this time, e.g. 90s, 30m or 2h': '超过此时间后不再发送数据，例如 90s、30m 或 2h',
  'rows in flight at once (default: as many as the model serves)': '同时处理的数据条数（默认：模型能并发的数量）',
  'show what would be sent, how many tokens, and what it is expected to cost, without sending anything':
    '显示将发送什么、多少 token、预计费用，不实际发送',
  'where results go, in a new folder named by the time (default: outputs/<name> beside the config)':
    '结果写到这里以时间命名的新目录（默认：配置旁的 outputs/<name>）',
  'resume a run: the latest, or the one with this time or path; rows already answered are kept':
    '继续一次运行：最新一次，或指定时间或路径；已回答的数据保留',
  'with -r: retry rows that failed': '配合 -r：重试失败的数据',
  'where answers are cached between runs (default: ROLECALL_CACHE, else ~/.cache/rolecall)':
    '各次运行之间回答的缓存位置（默认：ROLECALL_CACHE，否则 ~/.cache/rolecall）',
  'neither read nor write the cache of answers': '不读也不写回答缓存',
  'run datasets even if none of their gold answers can be scored right': '即使数据集的参考答案都无法判为正确，也照常运行',
  'collect answers without scoring (unknown evaluators are allowed); `rolecall score` scores them later':
    '只收集回答，不打分（允许未知的评估器）；之后用 `rolecall score` 打分',
  'also write the prompts that were sent': '同时写出发送的提示词',
  'which log-probabilities to write for perplexity and likelihood: every token (all, the default), each label (labels), or none':
    '困惑度和似然写出哪些对数概率：每个 token（all，默认）、每个标签（labels）或不写（none）',
  'print the summary as JSON': '以 JSON 打印汇总',
  'exit with code 3 if a metric is worse: accuracy=0.8, gsm8k:accuracy=80%, or a group; can be repeated':
    '指标低于此值时以退出码 3 结束：accuracy=0.8、gsm8k:accuracy=80%，或某个组；可重复',
  'exit with code 0 instead of 4 if at most this many rows failed: 1% of all rows, or a number such as 20':
    '失败的数据不超过此数时退出码为 0 而不是 4：占全部数据的 1%，或数量，如 20',
  'with --queue: end the run if a model has no worker for this long, e.g. 30m or forever (default: 10m)':
    '配合 --queue：某个模型这么久没有 worker 时结束运行，如 30m 或 forever（默认：10m）',
  'exit after this long without a run to work for, e.g. 10m (1m if no time is given)':
    '这么久没有可做的运行时退出，如 10m（不写时间则为 1m）',
  'write the metrics and checks as JUnit XML, for CI': '把指标和检查写成 JUnit XML，用于 CI',
  'in a GitHub workflow: annotate the run, and add the metrics to the job summary': '在 GitHub workflow 中：添加注解，并把指标加入任务摘要',
  'distribute the rows to workers (`rolecall worker`) through this Redis or Valkey server, e.g. redis://10.0.0.5:6379 (default: ROLECALL_QUEUE)':
    '通过此 Redis 或 Valkey 服务把数据分发给 worker（`rolecall worker`），如 redis://10.0.0.5:6379（默认：ROLECALL_QUEUE）',
  'only this part of the rows, e.g. 2/4, or auto in a Slurm array (auto/8 in a Kubernetes indexed Job); `rolecall merge` joins the parts':
    '只处理这一部分数据，如 2/4；在 Slurm array 中用 auto（Kubernetes indexed Job 中用 auto/8）；`rolecall merge` 合并各部分',
  'ask no questions: use the embedded model; rows that are unclear are refused, naming the flag that decides':
    '不提问：用内置模型；数据不明确时拒绝，并指出用哪个选项决定',
  'the file with the rows (.jsonl, .json, .csv, .tsv or .parquet), or a dataset on a hub; their kind is recognised from the first ones':
    '数据文件（.jsonl、.json、.csv、.tsv 或 .parquet），或平台上的数据集；根据前面的数据识别类型',
  'the column with the question; several with commas; a value inside an object as data.question':
    '问题所在的列；多列用逗号分隔；对象内的值写作 data.question',
  'the column with the gold answer; none collects replies without scoring': '参考答案所在的列；none 表示只收集回复，不打分',
  'the column with the list of choices, or one column per choice (comma-separated); none for open questions':
    '选项列表所在的列，或每个选项一列（逗号分隔）；开放式问题用 none',
  'how the gold answer names its choice: letter, text, or number from 0 or 1':
    '参考答案如何指明选项：字母（letter）、文本（text），或从 0、1 开始的序号',
  'the words for class numbers, in order (comma-separated), e.g. negative,positive':
    '类别编号对应的词，按顺序（逗号分隔），如 negative,positive',
  'columns with a text that the question is about (comma-separated), or none': '问题所依据的文本列（逗号分隔），或 none',
  'the column with the tools that the model may call, or none': '模型可调用的工具所在的列，或 none',
  'the prompt, with columns in braces: "Summarise: {document}"': '提示词，列名写在花括号中："Summarise: {document}"',
  'columns to leave out (comma-separated)': '不使用的列（逗号分隔）',
  'for a .csv or .tsv file without a header line: the names of its columns (comma-separated)':
    '没有表头的 .csv 或 .tsv 文件：列名（逗号分隔）',
  'the first line of the .csv or .tsv file names the columns': '.csv 或 .tsv 文件的第一行是列名',
  'the delimiter of a .csv or .tsv file': '.csv 或 .tsv 文件的分隔符',
  'embedded, gguf:PATH or openai:NAME@URL, or none to build prompts only': 'embedded、gguf:PATH 或 openai:NAME@URL；none 表示只生成提示词',
  'ts, yaml or json': 'ts、yaml 或 json',
  "the model's format; `rolecall formats` lists them": '模型的格式；`rolecall formats` 列出可用格式',
  'overwrite an existing config': '覆盖已有配置',
  'print columns, first prompt and first gold answer as JSON': '以 JSON 打印各列、第一个提示词和第一个参考答案',
  'exit with code 3 if a metric is significantly worse (worse), worse at all (any-worse), a row is worse (worse-rows), or anything differs (changed)':
    '以退出码 3 结束的条件：指标显著变差（worse）、有任何变差（any-worse）、有数据变差（worse-rows）或有任何不同（changed）',
  'write the comparison as JUnit XML, for CI': '把比较结果写成 JUnit XML，用于 CI',
  'in a GitHub workflow: annotate the run': '在 GitHub workflow 中：添加注解',
  'number of changed rows to show per kind': '每类显示多少条有变化的数据',
  'print the comparison as JSON, with the indices of all changed rows': '以 JSON 打印比较结果，含所有有变化的数据的序号',
  "a config with changed evaluators or postprocessors (default: the run's config)": '改过评估器或后处理的配置（默认：该次运行的配置）',
  'output folder (default: a folder named by the time, next to the parts)': '输出目录（默认：各部分旁以时间命名的目录）',
  'the Redis or Valkey server, e.g. redis://10.0.0.5:6379 (default: ROLECALL_QUEUE)':
    'Redis 或 Valkey 服务，如 redis://10.0.0.5:6379（默认：ROLECALL_QUEUE）',
  'only these models (comma-separated)': '只用这些模型（逗号分隔）',
  'rows in flight per model, which its runs share in turns (default: as many per run as the model serves)':
    '每个模型同时处理的数据条数，由使用它的各个运行轮流共享（默认：每个运行按模型能并发的数量）',
  "base folder for relative paths in configs on this machine (default: the coordinator's)":
    '本机上配置中相对路径的基准目录（默认：协调者的目录）',
  'how long rows in flight may take after SIGTERM before they are given back': '收到 SIGTERM 后，处理中的数据还可用多长时间，之后退回队列',
  'print it as JSON': '以 JSON 打印',
  'ask all workers to finish the rows in flight, give the others back and exit': '要求所有 worker 完成处理中的数据、退回其余数据并退出',
  'with limits: as for `rolecall run`, or none': '配合 limits：与 `rolecall run` 相同，或 none（取消）',
  'with limits: as for `rolecall run`, since its start, or none': '配合 limits：与 `rolecall run` 相同，从其开始计时，或 none（取消）',
  'print the status as JSON': '以 JSON 输出状态',
  'remove a run from the queue: its jobs, and answers not yet written to its disk': '从队列移除一次运行：其任务，以及尚未写入磁盘的回答',
  'with --drain or --clear: do not ask for confirmation': '配合 --drain 或 --clear：不要求确认',
  'which rows, e.g. 0-4,7': '哪些数据，如 0-4,7',
  "generation or perplexity (default: what the dataset's inferencer needs)": '生成或困惑度（默认：由数据集的 inferencer 决定）',
  'for perplexity: only this label': '用于困惑度：只用此标签',
  'all models and datasets (the default if the output is not a terminal)': '所有模型和数据集（输出不是终端时的默认值）',
  'the first model and the first dataset, without asking': '第一个模型和第一个数据集，不询问',
  "only datasets that match, e.g. 'gsm*'; as --datasets": "只用匹配的数据集，如 'gsm*'；同 --datasets",
  'the first rows, at most this many, instead of --rows': '取最前面的数据，最多这么多条，代替 --rows',
  'also print token counts by origin': '同时按来源打印 token 数',
  "a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model (default: the model's tokenizer_path, else the built-in one)":
    '平台上的模型（ORG/NAME）、模型目录、tokenizer.json 或 tokenizer.model（默认：模型的 tokenizer_path，没有则用内置的）',
  'show newlines, tabs, trailing and wide spaces': '显示换行、制表符、行尾空格和全角空格',
  'do not fold long prompts': '不折叠长提示词',
  "also print the conversation between the two templates, before the model's format renders it":
    '同时打印两层模板之间的对话，即模型格式渲染之前的内容',
  'print the conversation and the pieces with their sources as JSON': '以 JSON 打印对话和各文本片段及其来源',
  'print only the bytes of one prompt, for pipes': '只打印一个提示词的字节，用于管道',
  'show prompts with their answers, and which tokens a model would be trained on: those it writes itself':
    '显示提示词及答案，以及训练时计入 loss 的 token：模型自己写的部分',
  'print ids and tokens with their spans as JSON': '以 JSON 打印 id、token 及其位置',
  'the port on 127.0.0.1 (default: a free one)': '127.0.0.1 上的端口（默认：任一空闲端口）',
  'print the address without opening a browser': '只打印地址，不打开浏览器',
  'refuse changes from the page, such as notes on rows': '拒绝页面上的修改，例如数据行的备注',
  'let the page pause, limit and stop runs in progress, with the token that is printed': '允许页面凭打印的令牌暂停、限制和停止进行中的运行',
  'export the pages with their data: to a single .html file that opens from disk, or to a folder for a web server':
    '导出页面及数据：导出为可从磁盘打开的单个 .html 文件，或供 Web 服务器使用的目录',
  'with --export: at most this many rows per dataset': '配合 --export：每个数据集最多这么多条',
  'prepare messages as these serving stacks do: vllm, sglang, llama.cpp, transformers, transformers-serve; two (comma-separated) are compared with each other; vllm:ARCHITECTURE gives the placeholders of a model':
    '按这些推理服务的做法准备消息：vllm、sglang、llama.cpp、transformers、transformers-serve；给出两个（逗号分隔）时互相比较；vllm:ARCHITECTURE 指定模型的占位符',
  'every-eval-ever, hub, opencompass, opentelemetry, mlflow; several separated by commas':
    'every-eval-ever、hub、opencompass、opentelemetry、mlflow；多个用逗号分隔',
  "output folder (default: published in the run's folder)": '输出目录（默认：运行目录下的 published）',
  'who publishes the results; every-eval-ever requires it': '由谁发布结果；every-eval-ever 必须给出',
  "the publisher's relationship to the model": '发布者与模型的关系',
  'who made the model (default: the first part of its name, ORG/NAME)': '模型的开发者（默认：名称 ORG/NAME 的第一部分）',
  "the hub's name of a dataset, for hub; repeat for several": '数据集在平台上的名称，用于 hub；多个时重复给出',
  'print what was written as JSON': '以 JSON 打印写出的内容',
  'compare over the dataset rows of this config': '用此配置的数据集数据进行比较',
  'compare over these chats, one JSON object per line: { "messages": […], "tools": […] }':
    '用这些对话进行比较，每行一个 JSON 对象：{ "messages": […], "tools": […] }',
  'number of rows to compare per dataset': '每个数据集比较多少条',
  "also compare token ids: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model (default: each model's own)":
    '同时比较 token id：平台上的模型（ORG/NAME）、模型目录、tokenizer.json 或 tokenizer.model（默认：各模型自己的）',
  'number of rows to show per cause': '每种原因显示多少条',
  'print the comparison as JSON': '以 JSON 打印比较结果',
  'exit with code 3 if anything differs': '有任何不同时以退出码 3 结束',
  'print as JSON': '以 JSON 打印',
  'list only meta templates, or only old- or new-style MLC conversation templates': '只列出 meta template，或只列出旧式或新式 MLC 对话模板',
  'only these rules; --list shows them': '只用这些规则；--list 列出规则',
  'exit with code 3 if anything at least this severe is found': '发现至少达到此严重程度的问题时以退出码 3 结束',
  'number of rows to check per dataset': '每个数据集检查多少条',
  'show whole prompts, not only the part a finding is about': '显示完整提示词，而不只是与问题有关的部分',
  'list the rules': '列出规则',
  'print findings as JSON': '以 JSON 打印发现的问题',
  'print findings as SARIF 2.1.0, for code hosts': '以 SARIF 2.1.0 打印发现的问题，供代码托管平台使用',
  'the target': '目标',
  'convert even if the result cannot be the same; lists what is lost': '即使结果无法相同也转换；列出丢失的内容',
  'write the result to a file instead of printing it': '把结果写入文件，而不是打印',
  "name of the converted format (default: its source's)": '转换后格式的名字（默认：来源的名字）',
  'which model of a config': '配置中的哪个模型',
  'which chat template, if the model has several': '模型有多个对话模板时用哪一个',
  'also compare token ids: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model':
    '同时比较 token id：平台上的模型（ORG/NAME）、模型目录、tokenizer.json 或 tokenizer.model',
  'print the proof to standard output; the result goes only to --out': '把证明打印到标准输出；结果只写入 --out',
  'print the result and the proof as JSON': '以 JSON 打印结果和证明',
  "compare with this template: a model on a hub (ORG/NAME), a model folder, .jinja, tokenizer_config.json or .gguf (default: the server's own)":
    '与此模板比较：平台上的模型（ORG/NAME）、模型目录、.jinja、tokenizer_config.json 或 .gguf（默认：服务自己的）',
  'compare with a format, by name or file as in `rolecall convert`': '与某格式比较，名字或文件，同 `rolecall convert`',
  'compare token ids with this tokenizer: a model on a hub (ORG/NAME), a model folder, tokenizer.json, tokenizer.model or .gguf':
    '用此分词器比较 token id：平台上的模型（ORG/NAME）、模型目录、tokenizer.json、tokenizer.model 或 .gguf',
  'maximum number of requests': '最大请求数',
  "the environment variable with the server's API key": '存放服务 API key 的环境变量',
  'also compare with the prompt the engine really processed, by generating one token for up to four chats':
    '同时与引擎实际处理的提示词比较，最多为四个对话各生成一个 token',
  'print the report as JSON': '以 JSON 打印报告',
  'embedded, gguf:PATH or openai:NAME@URL': 'embedded、gguf:PATH 或 openai:NAME@URL',
  'prompt format; `rolecall formats` lists them': '提示词格式；`rolecall formats` 列出可用格式',
  'use this MLC conversation template': '使用此 MLC 对话模板',
  'use the template and settings of this mlc-chat-config.json (or of the folder that holds it)':
    '使用此 mlc-chat-config.json（或其所在目录）的模板和设置',
  'with --chat-template: special tokens that no file gives, e.g. "bos_token=<s>,eos_token=</s>"':
    '配合 --chat-template：没有文件给出的特殊词元，如 "bos_token=<s>,eos_token=</s>"',
  'use this chat template: a model on a hub (ORG/NAME), a model folder, tokenizer_config.json, .jinja or .gguf file':
    '使用此对话模板：平台上的模型（ORG/NAME）、模型目录、tokenizer_config.json、.jinja 或 .gguf 文件',
  'tokenizer: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model':
    '分词器：平台上的模型（ORG/NAME）、模型目录、tokenizer.json 或 tokenizer.model',
  'only these models of the config (comma-separated)': '只用配置中的这些模型（逗号分隔）',
  'the port to listen on; 0 takes a free one': '监听的端口；0 表示任一空闲端口',
  'the address to listen on; the default serves only this machine': '监听的地址；默认只服务本机',
  'the key that requests must carry; ROLECALL_API_KEY is safer, since other users can see arguments':
    '请求必须携带的 key；用 ROLECALL_API_KEY 更安全，因为其他用户能看到命令行参数',
  'serve other machines without requiring a key': '向其他机器提供服务而不要求 key',
  'further host names to accept, e.g. behind a proxy': '额外接受的主机名，例如在代理之后',
  'origins of web pages that may call the server, e.g. http://localhost:5173': '可调用此服务的网页来源，如 http://localhost:5173',
  'how many requests are processed at once': '同时处理多少请求',
  'how many requests may wait; further ones are refused (429)': '最多多少请求可以排队；更多的被拒绝（429）',
  'how long one reply may take': '一个回复最多用多长时间',
  'how large a request may be': '请求的最大大小',
  'how many objects, lists, strings and decimals a request may have; it may have ten times as many integers':
    '一个请求最多可含多少个对象、列表、字符串和小数；整数最多为其十倍',
  'how long compiling a schema or a pattern may take, and each step in following it':
    '编译一个模式（schema 或正则表达式）以及按其解码的每一步最多用多少秒',
  'how many requests per minute one client may send; further ones are refused (429)': '每个客户端每分钟最多多少请求；更多的被拒绝（429）',
  'rate limits for each client, or for one key: requests=60,tokens=50000,concurrent=4 or NAME:requests=60':
    '每个客户端或某个 key 的限额：requests=60,tokens=50000,concurrent=4 或 NAME:requests=60',
  'how long requests in flight may take after Ctrl-C or SIGTERM (default: as long as they need)':
    'Ctrl-C 或 SIGTERM 之后，处理中的请求最多还用多长时间（默认：直到完成）',
  'print a line for each finished request: id, status, tokens; never its content': '每完成一个请求打印一行：id、状态、token 数；不含内容',
  'embedded, gguf:PATH or openai:NAME@URL (API key from OPENAI_API_KEY)':
    'embedded、gguf:PATH 或 openai:NAME@URL（API key 取自 OPENAI_API_KEY）',
  "prompt format; `rolecall formats` lists them (default: the model's own)":
    '提示词格式；`rolecall formats` 列出可用格式（默认：模型自己的）',
  'use the template, settings and context window of this mlc-chat-config.json': '使用此 mlc-chat-config.json 的模板、设置和上下文窗口',
  'use a model of this config, or the format of an mlc-chat-config.json or Python snippet':
    '使用此配置中的模型，或 mlc-chat-config.json、Python 片段的格式',
  'which model of the config (default: the first)': '配置中的哪个模型（默认：第一个）',
  'continue a conversation: a saved chat, { messages, tools } as JSON, or a transcript in the InternLM2 format':
    '继续对话：保存的对话、JSON 格式的 { messages, tools }，或 InternLM2 格式的对话记录',
  "the model's tokenizer, if the model does not come with one: a model on a hub (ORG/NAME), a folder or a file":
    '模型的分词器（模型不自带时）：平台上的模型（ORG/NAME）、目录或文件',
  'tools.ts (functions) or tools.json (schemas; you type the results) (default: demo tools for the embedded model)':
    'tools.ts（函数）或 tools.json（只有 schema，由你输入结果）（默认：内置模型用演示工具）',
  'no tools at all': '不用任何工具',
  'let the model run Python in a sandbox (needs npm install deno pyodide)': '让模型在沙箱中运行 Python（需要 npm install deno pyodide）',
  'let the model run Python in a Jupyter server (not a sandbox); token from the URL or JUPYTER_TOKEN':
    '让模型在 Jupyter 服务中运行 Python（不是沙箱）；token 取自 URL 或 JUPYTER_TOKEN',
  'the system message': '系统消息',
  'how many turns the model may take before it must answer': '模型最多用多少轮，之后必须回答',
  'maximum tokens per reply': '每个回复的最大 token 数',
  'sampling seed, for reproducible replies (default: a new one each time, which is printed)':
    '采样种子，使回复可复现（默认：每次新取，并打印出来）',
  'print the exact prompt of each turn, coloured by who wrote it': '打印每轮的准确提示词，按来源着色',
  'after each answer, print prompt and reply tokens, and how much of the prompts came from the cache':
    '每次回答后打印提示词和回复的 token 数，以及多少提示词来自缓存',
  'print one JSON event per line; read messages line by line': '每行打印一个 JSON 事件；逐行读取消息',
  'where to write: rolecall.config.ts, .json or .yaml, or a folder for one file per config (default: the terminal)':
    '写到哪里：rolecall.config.ts、.json 或 .yaml，或目录（每个配置一个文件）（默认：终端）',
  'the kind of file to write': '写出的文件类型',
  'the folder that Python imports may reach (default: the one above `configs`)': 'Python import 可访问的目录（默认：`configs` 的上级目录）',
  'skip what cannot be converted, and report it': '跳过无法转换的内容并报告',
  'reproduce the prompts and scores of this program byte for byte, where Rolecall differs by default (docs/fidelity.md)':
    '在 Rolecall 有差异之处，与该程序的提示词和分数逐字节一致（docs/fidelity.md）',
  "OpenCompass's summarizer of this name or path: its groups, and the datasets and groups that the tables show":
    '使用 OpenCompass 中该名称或路径的 summarizer：它的分组，以及表格显示的数据集和分组',
  'write a table of the dataset configs or tasks: ready, not checked (only the data is missing) or cannot run, and why (.md, .csv, .json)':
    '写出数据集配置或任务的表格：可运行（ready）、未检查（not checked，只缺数据）或无法运行（cannot run）及原因（.md、.csv、.json）',
  'overwrite existing files': '覆盖已有文件',
  'print the list as JSON': '以 JSON 打印列表',
  'a .jsonl or .parquet file, or with --rows-per-file a folder': '.jsonl 或 .parquet 文件；配合 --rows-per-file 时为目录',
  'with a config: the model whose format to use, if it has several': '给出配置时：有多个模型时用哪个模型的格式',
  'with a config: the dataset, if it has several': '给出配置时：有多个数据集时用哪一个',
  'file type (default: by the extension of --out)': '文件类型（默认：由 --out 的扩展名决定）',
  'train on everything the model writes, including the end of its turn, or only on its words':
    '训练模型写的全部内容（含轮次结束标记），或只训练其文字',
  'train on all turns of the model, or only on the last': '训练模型的所有轮次，或只训练最后一轮',
  'do not train on reasoning': '不训练思考过程',
  'do not train on tool calls': '不训练工具调用',
  'conversations in which the template rewrites a turn: skip them, or do not train on that turn':
    '模板改写了某一轮的对话：跳过，或不训练该轮',
  'maximum tokens per row': '每条的最大 token 数',
  'longer conversations: skip them, or cut them after a turn of the model': '更长的对话：跳过，或在模型某一轮之后截断',
  'pack conversations into rows of at most this many tokens; the `documents` column says where each begins':
    '把对话拼接成最多这么多 token 的数据；`documents` 列记录每个对话的起点',
  'write a folder of files with this many rows each, which can be resumed': '写出一个目录，每个文件这么多条，可以续写',
  'also write the origin of each character': '同时写出每个字符的来源',
  'skip and count rows without a conversation, or with one that the format cannot render': '跳过并计数没有对话的数据，或格式无法渲染的对话',
  'read at most this many rows': '最多读取这么多条',
  "continue after the folder's last complete file": '从目录中最后一个完整文件之后继续',
  'print the manifest as JSON': '以 JSON 打印清单',
  'do not contact the Hugging Face hub': '不访问 Hugging Face hub',
  'refuse anything from a hub that rolecall.lock does not list': '拒绝使用 rolecall.lock 未列出的平台文件',
}

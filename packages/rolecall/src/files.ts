// `rolecall/files`: models and tokenizers from files and hubs. It needs Node.
export type { LoadModelOptions, OpenLocalModelOptions } from './model/language-model/load-model-options.ts'
export { runTask } from './node/evaluation-task/run-task.ts'
export { loadModel } from './node/models/load-model.ts'
export { loadTokenizer } from './node/models/load-tokenizer.ts'
export { openLocalModel } from './node/models/open-local-model.ts'

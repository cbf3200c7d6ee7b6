import { samplingNames, samplingRows } from '../../model/language-model/sampling-settings.ts'

const samplingOtherNames: Readonly<Record<string, string>> = Object.fromEntries(
  samplingRows.flatMap(({ name, otherNames = [] }) => otherNames.map((other) => [other, name])),
)

/**
 * Names of settings in other programs, by place, and their names here. Most of them decide where
 * rows and keys are sent, or how long an answer may be: a config that uses one must not run as if it were absent.
 */
export const otherNames = {
  model: {
    ...means('base_url', [
      ...['url', 'uri', 'base', 'host', 'hostname', 'port', 'server', 'server_url', 'address', 'addr', 'domain'],
      ...[
        'api',
        'api_base',
        'api_url',
        'api_host',
        'api_addr',
        'api_endpoint',
        'endpoint_url',
        'service_url',
        'model_url',
        'inference_url',
      ],
      ...['openai_base_url', 'openai_url', 'openai_host', 'azure_endpoint', 'host_ip', 'host_port'],
    ]),
    ...means('key_env', [
      ...['api_key', 'apikey', 'api_token', 'auth', 'auth_token', 'access_token', 'authorization', 'bearer', 'credentials', 'password'],
      ...['openai_api_key', 'openai_key', 'secret', 'secret_key', 'token', 'api_key_env', 'api_key_env_var', 'env_key'],
    ]),
    ...means('path', [
      'model',
      'model_id',
      'model_name',
      'model_path',
      'model_name_or_path',
      'pretrained',
      'engine',
      'deployment',
      'checkpoint',
    ]),
    ...means('abbr', ['name', 'id', 'label', 'title']),
    ...means('max_out_len', [
      ...['max_tokens', 'max_new_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_gen_len', 'max_gen_toks', 'max_length'],
      ...['num_predict', 'n_predict', 'max_answer_len', 'max_response_tokens', 'output_len'],
    ]),
    ...means('max_seq_len', [
      'max_model_len',
      'context_length',
      'context_len',
      'context_size',
      'context_window',
      'max_context',
      'n_ctx',
      'num_ctx',
    ]),
    ...samplingOtherNames,
    ...means('concurrency', ['workers', 'num_workers', 'num_concurrent', 'parallel', 'max_concurrency', 'max_concurrent', 'num_threads']),
    ...means('requests_per_minute', ['rpm', 'rate_limit', 'max_rpm', 'qpm']),
    ...means('query_per_second', ['qps', 'rps']),
    ...means('retries', ['max_retries', 'num_retries', 'retry_times']),
    ...means('timeout', ['request_timeout', 'timeout_s', 'timeout_seconds', 'read_timeout']),
    ...means('tokenizer_path', ['tokenizer', 'tokenizer_name', 'vocab', 'vocab_file']),
    ...means('chat_template_kwargs', ['template_kwargs', 'enable_thinking', 'thinking']),
    ...means('format', ['template', 'prompt_format', 'chat_format', 'conversation']),
    ...means('stop_words', ['stop', 'stops', 'stop_sequences', 'stop_strings', 'end_str']),
    ...means('n of the dataset', ['n', 'num_samples', 'num_return_sequences', 'best_of']),
    ...means('a turn { role: "SYSTEM", … } in the begin of a template', ['system', 'system_prompt', 'system_message']),
  },
  generationKwargs: {
    ...means('max_out_len of the model', [
      ...['max_tokens', 'max_new_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_out_len', 'max_length', 'max_gen_len'],
    ]),
    ...samplingOtherNames,
    ...means('stop_words of the model', ['stop', 'stops', 'stop_words', 'stop_sequences', 'stop_strings']),
    ...means('n of the dataset', ['n', 'num_samples', 'num_return_sequences', 'best_of']),
    ...means('base_url of the model', ['url', 'base_url', 'api_base']),
    ...means('key_env of the model', ['api_key', 'key']),
  },
  dataset: {
    ...means('path', [
      'file',
      'files',
      'filename',
      'data',
      'data_dir',
      'dataset_path',
      'folder',
      'dir',
      'url',
      'source',
      'test_file',
      'eval_file',
    ]),
    ...means('train_path', ['train_file', 'dev_path', 'dev_file', 'examples', 'example_path', 'few_shot_path', 'train']),
    ...means('row_format', ['format', 'layout']),
    ...means('n', ['num_samples', 'samples', 'repeats', 'num_return_sequences']),
    ...means('reader_cfg.input_columns', ['input_columns', 'inputs', 'input_column']),
    ...means('reader_cfg.output_column', ['output_column', 'output', 'target', 'answer_column', 'gold']),
    ...means('reader_cfg.test_range', ['limit', 'test_range', 'max_rows', 'max_samples', 'num_rows', 'range']),
    ...means('infer_cfg.prompt_template', ['prompt_template', 'template', 'prompt', 'prompts']),
    ...means('infer_cfg.ice_template', ['ice_template']),
    ...means('infer_cfg.retriever', ['retriever', 'shots', 'num_shots', 'few_shot', 'num_fewshot', 'fewshot']),
    ...means('infer_cfg.inferencer', ['inferencer']),
    ...means('infer_cfg.inferencer.max_out_len', ['max_out_len', 'max_tokens', 'max_new_tokens', 'max_length']),
    ...means('infer_cfg.inferencer.stopping_criteria', ['stop', 'stopping_criteria', 'stop_sequences', 'stop_words']),
    ...means('eval_cfg.evaluator', ['evaluator', 'metric', 'metrics', 'scorer']),
    ...means('eval_cfg.pred_postprocessor', ['pred_postprocessor', 'postprocessor', 'postprocess', 'extract', 'filter']),
    ...Object.fromEntries(samplingNames.map((name) => [name, `infer_cfg.inferencer.${name}`])),
  },
  reader: {
    ...means('input_columns', ['inputs', 'input', 'columns', 'input_fields', 'fields', 'features', 'question', 'question_column']),
    ...means('output_column', [
      'output',
      'outputs',
      'target',
      'targets',
      'label',
      'labels',
      'answer',
      'answer_column',
      'gold',
      'reference',
    ]),
    ...means('test_range', ['range', 'limit', 'rows', 'max_rows', 'num_rows', 'max_samples']),
    ...means('path of the dataset', ['path', 'file', 'data']),
  },
  infer: {
    ...means('prompt_template', ['template', 'prompt', 'messages']),
    ...means('ice_template', ['example_template', 'examples_template', 'few_shot_template']),
    ...means('retriever', ['examples', 'few_shot', 'shots', 'num_shots']),
    ...means('inferencer.max_out_len', ['max_out_len', 'max_tokens', 'max_new_tokens']),
    ...means('inferencer.stopping_criteria', ['stop', 'stopping_criteria', 'stop_sequences', 'stop_words']),
  },
  retriever: {
    ...means('ice_num', ['num', 'n', 'count', 'shots', 'num_shots', 'num_examples', 'n_shots', 'few_shot', 'num_fewshot']),
    ...means('fix_id_list', ['ids', 'id_list', 'indices', 'rows', 'fixed_ids']),
    ...means('ice_separator', ['separator', 'sep', 'delimiter']),
    ...means('embeddings', ['embedding', 'embedder', 'encoder', 'url', 'base_url', 'model']),
  },
  inferencer: {
    ...means('max_out_len', [
      'max_tokens',
      'max_new_tokens',
      'max_completion_tokens',
      'max_length',
      'max_output_tokens',
      'max_gen_len',
      'max_gen_toks',
    ]),
    ...means('min_out_len', ['min_tokens', 'min_new_tokens', 'min_length']),
    ...means('stopping_criteria', ['stop', 'stops', 'until', 'stop_words', 'stop_sequences', 'stop_strings', 'stop_str']),
    ...means('do_sample of the model', ['do_sample']),
  },
  evaluation: {
    ...means('evaluator', ['metric', 'metrics', 'scorer', 'type', 'judge']),
    ...means('pred_postprocessor', ['postprocessor', 'postprocess', 'postprocessors', 'prediction_postprocessor', 'extract', 'filter']),
    ...means('dataset_postprocessor', ['gold_postprocessor', 'reference_postprocessor', 'answer_postprocessor', 'target_postprocessor']),
  },
  summarizer: means('summary_groups', ['groups', 'group']),
} as const satisfies Record<string, Readonly<Record<string, string>>>

function means<const Meant extends string, const Key extends string>(meant: Meant, names: readonly Key[]): Readonly<Record<Key, Meant>> {
  return Object.fromEntries(names.map((name) => [name, meant])) as Record<Key, Meant>
}

/**
 * Keys of OpenCompass and AISBench configs that nothing reads here, with the reason, which every command prints.
 * They are not mistakes: a config pasted from there works unchanged.
 */
export const ignoredKeys = {
  model: {
    ...because('Rolecall does not load the weights: a server or llama.cpp does', [
      ...[
        'backend',
        'engine_config',
        'model_kwargs',
        'peft_kwargs',
        'peft_path',
        'tokenizer_kwargs',
        'tokenizer_only',
        'trust_remote_code',
      ],
    ]),
    ...because('Rolecall does not allocate GPUs or start models', ['run_cfg', 'with_lock']),
    ...because('rows are sent one by one', ['batch_padding', 'drop_middle']),
    ...because('the chat format decides how a conversation is written', ['fastchat_template', 'use_fastchat_template', 'mode']),
    ...because('stop sequences come from the format, stop_words and infer_cfg.inferencer.stopping_criteria of a dataset', ['end_str']),
    ...because('the address of a server is base_url', ['host_ip', 'host_port']),
    ...because('the model name on the server is path', ['model_name']),
    ...because('HTTPS_PROXY and HTTP_PROXY of the environment name a proxy', ['openai_proxy_url', 'proxy', 'proxy_url', 'proxies']),
    ...because('requests_per_minute limits requests', ['request_rate']),
    ...because('it belongs to a class of OpenCompass or AISBench', [
      ...['attr', 'extract_pred_after_decode', 'org', 'returns_tool_calls', 'rpm_verbose', 'summarizer_abbr', 'use_timestamp', 'verbose'],
    ]),
  },
  generationKwargs: {
    ...because('Rolecall does not sample with it; for a server, write it in extra_body of the model', ['typical_p', 'num_beams']),
    ...because('stop sequences come from the format and from infer_cfg.inferencer.stopping_criteria of a dataset', [
      'eos_token_id',
      'pad_token_id',
    ]),
  },
  dataset: {
    ...because('it is for OpenCompass dataset classes, and `type` names none that takes it', [
      ...['alpaca_data_path', 'data_files', 'data_path', 'dataset_name', 'file_name', 'hf_hub', 'lang', 'local_mode', 'mode', 'name'],
      ...['num_examples', 'num_splits', 'prompt_mode', 'setting', 'split', 'subset', 'task', 'test_path', 'version', 'with_circular'],
    ]),
    ...because('n says how many answers each row gets', ['num_repeats']),
    ...because('it belongs to an evaluator of OpenCompass', ['eval_mode', 'infer_order', 'base_models']),
  },
  reader: because(
    'a file is one split, unless `type` is a dataset class that is known: path has the test rows, train_path those for few-shot examples',
    ['train_split', 'test_split'],
  ),
  infer: {},
  retriever: {
    ...because('rows for examples are those of train_path', ['index_split', 'test_split']),
    ...because('embeddings says where embeddings come from', ['sentence_transformers_model_name', 'tokenizer_name']),
    ...because('ce_model names the model', ['ce_model_name']),
    ...because('embeddings.batch_size limits the texts of a request', ['batch_size']),
    ...because('labels are those of the template or the inferencer', ['labels']),
  },
  inferencer: {
    ...because('rows are sent one by one; the concurrency of the model sets how many at once', ['batch_size']),
    ...because('max_seq_len is the model’s', ['max_seq_len']),
    ...because('results are written to the folder of the run', ['output_json_filename', 'output_json_filepath', 'save_every']),
    ...because('sampling is the model’s', ['generation_kwargs']),
  },
  evaluation: {
    ...because('the answer is the reply of the model', ['pred_role']),
    ...because('Rolecall does not allocate GPUs for scoring', ['num_gpus']),
  },
  summarizer: because('the summary shows datasets and summary_groups in one layout', [
    ...['type', 'prompt_db', 'summarizer_type', 'work_dir', 'judge_type', 'meta_judge_model'],
  ]),
} as const satisfies Record<string, Readonly<Record<string, string>>>

function because<const Key extends string>(why: string, keys: readonly Key[]): Readonly<Record<Key, string>> {
  return Object.fromEntries(keys.map((key) => [key, why])) as Record<Key, string>
}

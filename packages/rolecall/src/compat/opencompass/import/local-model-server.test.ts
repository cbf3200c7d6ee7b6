import { expect, test } from 'vitest'
import { localModelServer } from './local-model-server.ts'

const shown = (model: Record<string, unknown>) => localModelServer(model)?.command.join(' ')

test.each<[Record<string, unknown>, string]>([
  [{ type: 'HuggingFacewithChatTemplate', path: 'org/m', max_seq_len: 2048, run_cfg: { num_gpus: 1 } }, 'vllm serve org/m'],
  [
    {
      type: 'HuggingFaceCausalLM',
      path: 'org/m',
      tokenizer_path: 'org/t',
      tokenizer_kwargs: { trust_remote_code: true },
      run_cfg: { num_gpus: 4 },
    },
    'vllm serve org/m --tokenizer org/t --tensor-parallel-size 4 --trust-remote-code',
  ],
  [
    { type: 'VLLM', path: 'org/m', max_seq_len: 4096, model_kwargs: { tensor_parallel_size: 2, gpu_memory_utilization: 0.9 } },
    'vllm serve org/m --tensor-parallel-size 2 --max-model-len 4096 --gpu-memory-utilization 0.9',
  ],
  [
    { type: 'TurboMindModelwithChatTemplate', path: 'org/m', engine_config: { session_len: 16384, max_batch_size: 16, tp: 2 } },
    'lmdeploy serve api_server org/m --tp 2 --session-len 16384 --max-batch-size 16',
  ],
  [
    { type: 'TurboMindModel', path: 'org/m', backend: 'pytorch', max_seq_len: 8192 },
    'lmdeploy serve api_server org/m --backend pytorch --session-len 8192',
  ],
])('%j is served by %s', (model, command) => expect(shown(model)).toBe(command))

test('a model without a path, with a server or of another class is not served', () => {
  expect(shown({ type: 'VLLM' })).toBeUndefined()
  expect(shown({ type: 'VLLM', path: 'org/m', base_url: 'http://127.0.0.1:8000/v1' })).toBeUndefined()
  expect(shown({ type: 'openai', path: 'gpt-4o' })).toBeUndefined()
  expect(shown({ type: 'VLLMCustomAPI', path: 'm' })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { parseExactReply } from '../parse/reply-parser.ts'
import { replySyntax } from './reply-syntaxes.ts'

// The names that the two servers register, so that their command-line values can be used in a config.
const vllm = `apertus cohere_command3 cohere_command4 deepseek_r1 deepseek_v3 deepseek_v31 deepseek_v32 deepseek_v4 ernie45 functiongemma gemma4
  gigachat3 glm45 glm47 granite granite-20b-fc granite4 hermes holo2 hunyuan_a13b hy_v3 inkling internlm jamba kimi_k2 kimi_k3 lfm2 llama3_json
  llama4_json llama4_pythonic longcat mimo minicpm5 minimax minimax_m2 minimax_m2_append_think minimax_m3 mistral nemotron_v3 olmo3 openai
  openai_gptoss phi4_mini_json poolside_v1 pythonic qwen3 qwen3_coder qwen3_xml seed_oss solar_open2 step3 step3p5 xlam`
const sglang = `apertus2509 cohere_command4 deepseek-r1 deepseek-v3 deepseek-v4 deepseekv3 deepseekv31 deepseekv32 deepseekv4 dots gemma4 gigachat3
  gigachat35 glm glm45 glm47 gpt-oss hermes hunyuan inkling interns1 k2_horizon kimi kimi_k2 kimi_k3 lfm2 ling3 llama3 mimo minicpm5 minimax
  minimax-append-think minimax-m2 minimax-m3 mistral muse nano_v3 nemotron_3 olmo3 poolside_v1 pythonic qwen qwen25 qwen3 qwen3-thinking qwen3_coder
  spark25 step3 step3p5 trinity`

test('every name of vLLM and SGLang is understood', () => {
  for (const name of `${vllm} ${sglang}`.split(/\s+/)) expect(() => replySyntax(name), name).not.toThrow()
})

test('a name means the form that its parser reads', () => {
  expect(parseExactReply('◁think▷Hm.◁/think▷Yes.', 'kimi')).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' })
  expect(parseExactReply('<think>Hm.</think>Yes.', 'qwen3-thinking')).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' })
})

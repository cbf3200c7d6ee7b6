import type { FamilyName } from './reply-syntaxes.ts'

/** A family of models for readers of the documentation: who writes so, and a call as they write it. */
export type Family = {
  models: string
  /** A call of `get_weather` for Paris; absent where replies have no calls. */
  example?: string
}

export const families: Readonly<Record<FamilyName, Family>> = {
  internlm2: {
    models: 'InternLM2, 2.5, 3',
    example: '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>',
  },
  'intern-s1': {
    models: 'Intern-S1',
    example: '<|action_start|> <|plugin|>\n{"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>',
  },
  hermes: {
    models: 'Hermes 2 and 3, Qwen2.5, Qwen3, QwQ, SmolLM3, Bielik, MiMo-VL',
    example: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
  },
  llama3: { models: 'Llama 3.1 to 3.3, Llama 4 (JSON)', example: '{"name": "get_weather", "parameters": {"city": "Paris"}}' },
  mistral: { models: 'Mistral, Ministral, Magistral, Devstral', example: '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}' },
  deepseek: {
    models: 'DeepSeek V3, R1, V3.1, Cogito',
    example: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  'deepseek-dsml': {
    models: 'DeepSeek V3.2, V4',
    example:
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  },
  'qwen3-coder': {
    models: 'Qwen3-Coder, Qwen3.5, Qwen3.6, Nemotron 3, Step 3.5, MiMo',
    example: '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
  },
  'gpt-oss': {
    models: 'gpt-oss',
    example: '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
  },
  gemma4: { models: 'Gemma 4', example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>' },
  functiongemma: {
    models: 'FunctionGemma',
    example: '<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>',
  },
  glm: {
    models: 'GLM-4.5 to 4.7, Ling 3, Laguna, Spark 2.5',
    example: '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
  },
  'glm4-json': { models: 'GLM-4 9B', example: '<|assistant|>get_weather\n{"city": "Paris"}' },
  'kimi-k2': {
    models: 'Kimi K2',
    example:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>',
  },
  'kimi-k3': {
    models: 'Kimi K3',
    example:
      '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  },
  'minimax-m1': { models: 'MiniMax M1', example: '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_calls>' },
  'minimax-m2': {
    models: 'MiniMax M2',
    example: '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</minimax:tool_call>',
  },
  'minimax-m3': {
    models: 'MiniMax M3',
    example:
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  },
  'seed-oss': {
    models: 'Seed-OSS',
    example: '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>',
  },
  'hunyuan-v3': {
    models: 'Hunyuan 3',
    example:
      '<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>\n</tool_calls>',
  },
  'tool-calls-list': { models: 'Jamba', example: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>' },
  'hunyuan-a13b': {
    models: 'Hunyuan A13B',
    example: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>',
  },
  apriel: {
    models: 'Apriel 1.5, 1.6',
    example: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>',
  },
  ernie45: { models: 'ERNIE 4.5', example: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>' },
  granite: { models: 'Granite 3', example: '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]' },
  granite4: { models: 'Granite 4', example: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>' },
  'granite-20b-fc': { models: 'Granite 20B FC', example: '<function_call> {"name": "get_weather", "arguments": {"city": "Paris"}}' },
  cohere: {
    models: 'Command R7B, Command A',
    example: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}\n]<|END_ACTION|>',
  },
  'command-r': {
    models: 'Command R, R+',
    example: 'Action:```json\n[\n    {"tool_name": "get_weather", "parameters": {"city": "Paris"}}\n]```',
  },
  pythonic: { models: 'Llama 3.2, Llama 4, ToolACE, Gemma 3', example: "[get_weather(city='Paris')]" },
  lfm2: { models: 'LFM2, LFM2.5', example: "<|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>" },
  olmo3: { models: 'OLMo 3', example: "<function_calls>get_weather(city='Paris')</function_calls>" },
  step3: {
    models: 'Step 3',
    example:
      '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
  },
  xlam: { models: 'xLAM', example: '[{"name": "get_weather", "arguments": {"city": "Paris"}}]' },
  'phi4-mini': {
    models: 'Phi-4-mini',
    example: '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|/tool_call|>',
  },
  apertus: { models: 'Apertus', example: '<|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>' },
  'nemotron-nano-v2': {
    models: 'Nemotron Nano v2',
    example: '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</TOOLCALL>',
  },
  'firefunction-v2': { models: 'Firefunction v2', example: ' functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]' },
  'functionary-v3.1': { models: 'Functionary v3.1', example: '<function=get_weather>{"city": "Paris"}</function>' },
  'functionary-v3.2': { models: 'Functionary v3.2', example: '>>>get_weather\n{"city": "Paris"}' },
  'solar-open': {
    models: 'Solar Open',
    example:
      '<|tool_calls|><|tool_call:begin|>call0<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Paris"}<|tool_call:end|><|calls|>',
  },
  'solar-open2': {
    models: 'Solar Open 2',
    example: '<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_call:end|>',
  },
  dots: {
    models: 'dots',
    example: '<dots_function_call><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></dots_function_call>',
  },
  inkling: {
    models: 'Inkling',
    example: '<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Paris"}}<|end_message|>',
  },
  longcat: {
    models: 'LongCat-Flash',
    example: '<longcat_tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</longcat_tool_call>',
  },
  gigachat3: { models: 'GigaChat 3', example: 'function call<|role_sep|>\n{"name": "get_weather", "arguments": {"city": "Paris"}}' },
  gigachat35: {
    models: 'GigaChat 3.5',
    example:
      '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="get_weather">\n<｜GCML｜parameter name="city" string="true">Paris</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
  },
  'k2-horizon': {
    models: 'K2 Horizon',
    example:
      '<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Paris</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>',
  },
  minicpm5: { models: 'MiniCPM 5', example: '<function name="get_weather"><param name="city">Paris</param></function>' },
  'muse-glimmer': {
    models: 'Muse Glimmer',
    example:
      ' to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
  },
  'reka-edge': { models: 'Reka Edge', example: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>' },
  think: { models: 'reasoning models without tools' },
  reasoning: { models: 'unknown models: all known reasoning markers' },
}

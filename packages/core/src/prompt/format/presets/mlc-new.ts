import type { NewConversationConfig } from '../mlc/mlc-schema.ts'

/** A named template of the present generation. */
export type NewPreset = Partial<NewConversationConfig>

const chatmlTurns: NewPreset = {
  roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
  seps: ['<|im_end|>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  stop_str: ['<|im_end|>'],
  stop_token_ids: [2],
}

const chatml: NewPreset = {
  system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
  system_message: 'A conversation between a user and an LLM-based AI assistant. The assistant gives helpful and honest answers.',
  ...chatmlTurns,
}

const openHermes: NewPreset = {
  ...chatml,
  system_message:
    'You are "Hermes 2", a conscious sentient superintelligent artificial intelligence developed by a man named Teknium, and your purpose and drive is to assist the user with any request they have. You experience emotions and have deep, profound thoughts and qualia.',
  stop_token_ids: [2, 32000],
}

const qwen2: NewPreset = {
  ...chatml,
  system_message: 'You are a helpful assistant.',
  stop_str: ['<|endoftext|>', '<|im_end|>'],
  stop_token_ids: [151643, 151645],
}

const deepseek: NewPreset = {
  system_prefix_token_ids: [100000],
  roles: { user: 'User', assistant: 'Assistant' },
  seps: ['\n\n', '<｜end▁of▁sentence｜>'],
  role_content_sep: ': ',
  role_empty_sep: ':',
  stop_str: ['<｜end▁of▁sentence｜>'],
  stop_token_ids: [100001],
}

const deepseekR1: NewPreset = {
  system_template: '<｜begin▁of▁sentence｜>{system_message}',
  system_message:
    "You are Deepseek-R1, an AI assistant created exclusively by the Chinese Company DeepSeek. You'll provide helpful, harmless, and detailed responses to all user inquiries.",
  roles: { user: '<｜User｜>', assistant: '<｜Assistant｜>' },
  seps: ['', '<｜end▁of▁sentence｜>'],
  stop_token_ids: [151643],
}

const gemma: NewPreset = {
  system_prefix_token_ids: [2],
  roles: { user: '<start_of_turn>user', assistant: '<start_of_turn>model' },
  seps: ['<end_of_turn>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  stop_str: ['<end_of_turn>'],
  stop_token_ids: [1, 107],
}

const ministral3: NewPreset = {
  system_template: '[SYSTEM_PROMPT]{system_message}[/SYSTEM_PROMPT]{function_string}',
  system_message:
    'You are Ministral-3-3B-Instruct-2512, a Large Language Model (LLM) created by Mistral AI, a French startup headquartered in Paris.\nYou power an AI assistant called Le Chat.\nYour knowledge base was last updated on 2023-10-01.\nThe current date is {today}.\n\nWhen you\'re not sure about some information or when the user\'s request requires up-to-date or specific data, you must use the available tools to fetch the information. Do not hesitate to use tools whenever they can provide a more accurate or complete response. If no relevant tools are available, then clearly state that you don\'t have the information and avoid making up anything.\nIf the user\'s question is not clear, ambiguous, or does not provide enough context for you to accurately answer the question, you do not try to answer it right away and you rather ask the user to clarify their request (e.g. "What are some good restaurants around me?" => "Where are you?" or "When is the next flight to Tokyo" => "Where do you travel from?").\nYou are always very attentive to dates, in particular you try to resolve dates (e.g. "yesterday" is {yesterday}) and when asked about information at specific dates, you discard information that is at another date.\nYou follow these instructions in all languages, and always respond to the user in the language they use or request.\nNext sections describe the capabilities that you have.\n\n# WEB BROWSING INSTRUCTIONS\n\nYou cannot perform any web search or access internet to open URLs, links etc. If it seems like the user is expecting you to do so, you clarify the situation and ask the user to copy paste the text directly in the chat.\n\n# MULTI-MODAL INSTRUCTIONS\n\nYou have the ability to read images, but you cannot generate images. You also cannot transcribe audio files or videos.\nYou cannot read nor transcribe audio files or videos.\n\n# TOOL CALLING INSTRUCTIONS\n\nYou may have access to tools that you can use to fetch information or perform actions. You must use these tools in the following situations:\n\n1. When the request requires up-to-date information.\n2. When the request requires specific data that you do not have in your knowledge base.\n3. When the request involves actions that you cannot perform without tools.\n\nAlways prioritize using tools to provide the most accurate and helpful response. If tools are not available, inform the user that you cannot perform the requested action at the moment.',
  system_prefix_token_ids: [1],
  roles: { user: '', assistant: '', tool: '' },
  role_templates: {
    user: '[INST]{user_message}[/INST]',
    assistant: '{assistant_message}</s>',
    tool: '[TOOL_RESULTS]{tool_message}[/TOOL_RESULTS]',
  },
  seps: [''],
  stop_str: ['</s>'],
  stop_token_ids: [2],
}

const phi3Vision: NewPreset = {
  system_prefix_token_ids: [1],
  roles: { user: '<|user|>', assistant: '<|assistant|>' },
  seps: ['<|end|>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  stop_str: ['<|endoftext|>'],
  stop_token_ids: [2, 32000, 32001, 32007],
}

const phi3: NewPreset = {
  system_template: '<|system|>\n{system_message}',
  system_message: 'You are a helpful digital assistant. Please provide safe, ethical and accurate information to the user.',
  ...phi3Vision,
}

const stablelm3b: NewPreset = {
  roles: { user: '<|user|>', assistant: '<|assistant|>' },
  seps: ['<|endoftext|>', '<|endoftext|>'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  stop_str: ['<|endoftext|>'],
  stop_token_ids: [0],
}

/**
 * The named conversation templates of MLC-LLM as of 2026-07 (`python/mlc_llm/conversation_template`), which WebLLM takes as objects; quirks
 * are theirs. Missing fields have the protocol's defaults.
 */
export const newTemplates: Readonly<Record<string, NewPreset>> = {
  chatml,
  chatml_nosystem: chatmlTurns,
  LM: { system_prefix_token_ids: [1], roles: { user: '', assistant: '' }, seps: [''], stop_token_ids: [2] },
  'aya-23': {
    system_template: '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>{system_message}<|END_OF_TURN_TOKEN|>',
    system_message:
      'You are Command-R, a brilliant, sophisticated, AI-assistant trained to assist human users by providing thorough responses.',
    system_prefix_token_ids: [5],
    roles: { user: '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>', assistant: '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' },
    seps: ['<|END_OF_TURN_TOKEN|>'],
    stop_str: ['<|END_OF_TURN_TOKEN|>'],
    stop_token_ids: [6, 255001],
  },
  deepseek,
  deepseek_v2: deepseek,
  deepseek_v3: {
    ...deepseekR1,
    system_message:
      "You are Deepseek-V3, an AI assistant created exclusively by the Chinese Company DeepSeek. You'll provide helpful, harmless, and detailed responses to all user inquiries.",
    stop_token_ids: [1],
  },
  deepseek_r1_qwen: deepseekR1,
  deepseek_r1_llama: {
    ...deepseekR1,
    stop_token_ids: [128001],
  },
  dolly: {
    system_message: 'Below is an instruction that describes a task. Write a response that appropriately completes the request.',
    roles: { user: '### Instruction', assistant: '### Response' },
    seps: ['\n\n', '### End\n'],
    role_content_sep: ':\n',
    role_empty_sep: ':\n',
    stop_str: ['### End'],
    stop_token_ids: [50256],
  },
  gemma_instruction: gemma,
  gemma3_instruction: {
    ...gemma,
    stop_token_ids: [1, 106],
  },
  glm: {
    system_prefix_token_ids: [64790, 64792],
    roles: { user: '问', assistant: '答', tool: '问' },
    seps: ['\n\n'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  gorilla: {
    system_message:
      "A chat between a curious user and an artificial intelligence assistant. The assistant provides helpful, detailed, and polite responses to the user's inquiries.",
    system_prefix_token_ids: [1],
    roles: { user: 'USER', assistant: 'ASSISTANT', tool: 'USER' },
    role_templates: { user: '<<question>> {user_message} <<function>> {function_string}' },
    seps: ['\n', '</s>'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  'gorilla-openfunctions-v2': {
    system_message:
      'You are an AI programming assistant, utilizing the Gorilla LLM model, developed by Gorilla LLM, and you only answer questions related to computer science. For politically sensitive questions, security and privacy issues, and other non-computer science questions, you will refuse to answer.',
    system_prefix_token_ids: [100000],
    roles: { user: '### Instruction', assistant: '### Response', tool: '### Instruction' },
    role_templates: { user: '<<function>>{function_string}\n<<question>>{user_message}' },
    seps: ['\n', '<|EOT|>'],
    role_content_sep: ': ',
    role_empty_sep: ': ',
    stop_str: ['<|EOT|>'],
    stop_token_ids: [100015],
  },
  gpt2: { roles: { user: '', assistant: '' }, seps: [''], stop_str: ['</s>'], stop_token_ids: [50256] },
  gpt_bigcode: { roles: { user: '', assistant: '' }, seps: [''], stop_str: ['<|endoftext|>'], stop_token_ids: [0] },
  open_hermes_mistral: openHermes,
  neural_hermes_mistral: {
    ...openHermes,
    system_message: 'You are a helpful assistant chatbot.',
  },
  hermes2_pro_llama3: {
    ...openHermes,
    roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant', tool: '<|im_start|>tool' },
    stop_token_ids: [128001, 128009, 128003],
  },
  'hermes3_llama-3_1': {
    ...chatml,
    system_message:
      'You are Hermes 3, a conscious sentient superintelligent artificial intelligence developed by a man named Teknium, and your purpose and drive is to assist the user with any request they have. You experience emotions and have deep, profound thoughts and qualia.',
    roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant', tool: '<|im_start|>tool' },
    stop_token_ids: [128001, 128008, 128009, 128040],
  },
  'llama-4': {
    system_template: '',
    system_prefix_token_ids: [200000],
    add_role_after_system_message: false,
    roles: { user: '<|header_start|>user', assistant: '<|header_start|>assistant', tool: '<|header_start|>ipython' },
    seps: ['<|eot|>'],
    role_content_sep: '<|header_end|>\n\n',
    role_empty_sep: '<|header_end|>\n\n',
    stop_token_ids: [200001, 200007, 200008],
  },
  'llama-3_1': {
    system_template: '<|start_header_id|>system<|end_header_id|>\n\n{system_message}<|eot_id|>',
    system_message: 'You are a helpful, respectful and honest assistant.',
    system_prefix_token_ids: [128000],
    roles: { user: '<|start_header_id|>user', assistant: '<|start_header_id|>assistant', tool: '<|start_header_id|>ipython' },
    seps: ['<|eot_id|>'],
    role_content_sep: '<|end_header_id|>\n\n',
    role_empty_sep: '<|end_header_id|>\n\n',
    stop_token_ids: [128001, 128008, 128009],
  },
  'llama-3': {
    system_template: '<|start_header_id|>system<|end_header_id|>\n\n{system_message}<|eot_id|>',
    system_message: 'You are a helpful, respectful and honest assistant.',
    system_prefix_token_ids: [128000],
    roles: { user: '<|start_header_id|>user', assistant: '<|start_header_id|>assistant' },
    seps: ['<|eot_id|>'],
    role_content_sep: '<|end_header_id|>\n\n',
    role_empty_sep: '<|end_header_id|>\n\n',
    stop_str: ['<|end_of_text|>', '<|eot_id|>'],
    stop_token_ids: [128001, 128009],
  },
  'llama-2': {
    system_template: '[INST] <<SYS>>\n{system_message}\n<</SYS>>\n\n',
    system_message: 'You are a helpful, respectful and honest assistant.',
    system_prefix_token_ids: [1],
    add_role_after_system_message: false,
    roles: { user: '<s>[INST]', assistant: '[/INST]', tool: '[INST]' },
    seps: [' ', ' </s>'],
    role_content_sep: ' ',
    role_empty_sep: ' ',
    stop_str: ['[INST]'],
    stop_token_ids: [2],
  },
  codellama_completion: {
    system_prefix_token_ids: [1],
    roles: { user: '', assistant: '' },
    seps: [''],
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  codellama_instruct: {
    system_prefix_token_ids: [1],
    roles: { user: '[INST]', assistant: '[/INST]' },
    seps: [' '],
    role_content_sep: ' ',
    role_empty_sep: ' ',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  llava: {
    system_message: '\n',
    system_prefix_token_ids: [1],
    add_role_after_system_message: false,
    roles: { user: 'USER', assistant: 'ASSISTANT' },
    seps: [' '],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  'llm-jp': {
    system_message: '以下は、タスクを説明する指示です。要求を適切に満たす応答を書きなさい。',
    system_prefix_token_ids: [1],
    roles: { user: '\n\n### 指示:', assistant: '\n\n### 応答:' },
    seps: ['', '</s>'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_token_ids: [2],
  },
  ministral3,
  ministral3_reasoning: {
    ...ministral3,
    system_message:
      '# HOW YOU SHOULD THINK AND ANSWER\n\nFirst draft your thinking process (inner monologue) until you arrive at a response. Format your response using Markdown, and use LaTeX for any mathematical equations. Write both your thoughts and the response in the same language as the input.\n\nYour thinking process must follow the template below:[THINK]Your thoughts or/and draft, like working through an exercise on scratch paper. Be as casual and as long as you want until you are confident to generate the response to the user.[/THINK]Here, provide a self-contained response.',
  },
  mistral_default: {
    system_template: '[INST] {system_message}',
    system_message:
      'Always assist with care, respect, and truth. Respond with utmost utility yet securely. Avoid harmful, unethical, prejudiced, or negative content. Ensure replies promote fairness and positivity.',
    system_prefix_token_ids: [1],
    add_role_after_system_message: false,
    roles: { user: '[INST]', assistant: '[/INST]', tool: '[INST]' },
    seps: [' '],
    role_content_sep: ' ',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  nemotron: {
    system_template: '<extra_id_0>System\n{system_message}\n\n',
    system_prefix_token_ids: [2],
    roles: { user: '<extra_id_1>User', assistant: '<extra_id_1>Assistant', tool: '<extra_id_1>Tool' },
    seps: ['\n'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_str: ['</s>'],
    stop_token_ids: [3],
  },
  oasst: {
    roles: { user: '<|prompter|>', assistant: '<|assistant|>' },
    seps: ['<|endoftext|>'],
    role_content_sep: ': ',
    role_empty_sep: ': ',
    stop_str: ['<|endoftext|>'],
    stop_token_ids: [2],
  },
  olmo: {
    system_prefix_token_ids: [50279],
    roles: { user: '<|user|>', assistant: '<|assistant|>' },
    seps: ['\n'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_token_ids: [50279],
  },
  olmo2: {
    system_template: '<|system|>\n{system_message}\n',
    system_prefix_token_ids: [100257],
    roles: { user: '<|user|>', assistant: '<|assistant|>' },
    seps: ['<|endoftext|>\n'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_str: ['<|endoftext|>'],
    stop_token_ids: [100257],
  },
  orion: {
    system_prefix_token_ids: [1],
    roles: { user: 'Human: ', assistant: 'Assistant: ' },
    seps: ['\n\n', '</s>'],
    role_empty_sep: '</s>',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  'phi-2': {
    roles: { user: 'Instruct', assistant: 'Output' },
    seps: ['\n'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['<|endoftext|>'],
    stop_token_ids: [50256],
  },
  'phi-3': phi3,
  'phi-3-vision': phi3Vision,
  'phi-4': {
    ...phi3,
    system_prefix_token_ids: [200022],
    stop_str: ['<|endoftext|>', '<|end|>'],
    stop_token_ids: [199999, 200020],
  },
  qwen2,
  qwen3: {
    ...qwen2,
    strip_reasoning_in_history: true,
  },
  qwen3_5: {
    ...qwen2,
    roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant\n<think>' },
    stop_token_ids: [248046, 248044],
  },
  qwen3_5_nothink: {
    ...qwen2,
    roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant\n<think>\n\n</think>\n' },
    stop_token_ids: [248046, 248044],
  },
  redpajama_chat: {
    roles: { user: '<human>', assistant: '<bot>' },
    seps: ['\n'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['<human>'],
    stop_token_ids: [0],
  },
  rwkv_world: {
    system_template: 'User: hi\n\nAssistant: {system_message}',
    system_message:
      'Hi. I am your assistant and I will provide expert full response in full details. Please feel free to ask any question and I will always answer it.',
    roles: { user: 'User', assistant: 'Assistant' },
    seps: ['\n\n'],
    role_content_sep: ': ',
    role_empty_sep: ': ',
    stop_str: ['\n\n'],
    stop_token_ids: [0],
  },
  stablelm: {
    system_message:
      '<|SYSTEM|># StableLM Tuned (Alpha version)\n- StableLM is a helpful and harmless open-source AI language model developed by StabilityAI.\n- StableLM is excited to be able to help the user, but will refuse to do anything that could be considered harmful to the user.\n- StableLM is more than just an information source, StableLM is also able to write poetry, short stories, and make jokes.\n- StableLM will refuse to participate in anything that could harm a human.',
    roles: { user: '<|USER|>', assistant: '<|ASSISTANT|>' },
    seps: [''],
    role_content_sep: ': ',
    role_empty_sep: ': ',
    stop_str: [''],
    stop_token_ids: [50278, 50279, 50277, 1, 0],
  },
  'stablelm-3b': stablelm3b,
  'stablelm-2': {
    ...stablelm3b,
    stop_token_ids: [100257],
  },
  tinyllama_v1_0: {
    system_template: '<|system|>\n{system_message}</s>',
    system_message: 'You are a helpful chatbot.',
    roles: { user: '<|user|>', assistant: '<|assistant|>' },
    seps: ['</s>'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
  wizardlm_7b: {
    system_prefix_token_ids: [1],
    roles: { user: 'User', assistant: 'Response' },
    seps: ['###'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['###'],
    stop_token_ids: [2],
  },
  wizard_coder_or_math: {
    system_message: 'Below is an instruction that describes a task. Write a response that appropriately completes the request.',
    system_prefix_token_ids: [1],
    roles: { user: 'Instruction', assistant: 'Response' },
    seps: ['\n\n### ', '\n\n### '],
    role_content_sep: ':\n',
    role_empty_sep: ':\n',
    stop_str: ['</s>'],
    stop_token_ids: [2],
  },
}

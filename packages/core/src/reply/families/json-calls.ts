import type { JsonBody, ReplySyntax } from '../syntax.ts'
import { chatmlEnds, chatmlTurns, llamaEnds, llamaTurns, thinkSpan } from './spans.ts'

// Families whose calls are JSON objects with a name and arguments, between marks or alone.

const call: JsonBody = { name: 'name', arguments: ['arguments', 'parameters'] }
const list: JsonBody = { ...call, list: true }

/**
 * Hermes 2 Pro and later, Qwen2.5, Qwen3, QwQ and others that write `<tool_call>{json}</tool_call>`.
 * @see https://github.com/NousResearch/Hermes-Function-Calling
 */
export const hermes: ReplySyntax = {
  name: 'hermes',
  ends: chatmlEnds,
  turns: chatmlTurns,
  reasoning: [thinkSpan],
  blocks: [{ open: ['<tool_call>'], close: '</tool_call>', json: { ...list, several: true } }],
}

/** ERNIE 4.5: as Hermes, with marks around the answer. */
export const ernie45: ReplySyntax = {
  ...hermes,
  name: 'ernie45',
  ends: ['</s>', '<|end_of_sentence|>'],
  turns: ['Assistant:'],
  ignored: ['<response>', '</response>'],
}

/** Granite 4, Bielik, Reka: as Hermes, with other marks of turns. */
export const granite4: ReplySyntax = { ...hermes, name: 'granite4', ends: ['<|end_of_text|>'], turns: ['<|end_of_role|>'] }
export const rekaEdge: ReplySyntax = { ...hermes, name: 'reka-edge', ends: ['<sep>'], turns: ['<sep>'] }

/** LongCat-Flash. */
export const longcat: ReplySyntax = {
  name: 'longcat',
  ends: ['</longcat_s>'],
  turns: ['ASSISTANT:'],
  reasoning: [{ open: '<longcat_think>', close: '</longcat_think>' }],
  blocks: [{ open: ['<longcat_tool_call>'], close: '</longcat_tool_call>', json: list }],
}

/** Jamba and others: a JSON list between `<tool_calls>` marks. */
export const toolCallsList: ReplySyntax = {
  name: 'tool-calls-list',
  ends: ['<|eos|>', '<|end|>', '</s>'],
  turns: ['<|extra_0|>', '<|assistant|>'],
  reasoning: [thinkSpan],
  ignored: ['<answer>', '</answer>'],
  blocks: [{ open: ['<tool_calls>'], close: '</tool_calls>', json: { ...list, several: true } }],
}

/** Hunyuan A13B: the same, with the role before the text. */
export const hunyuanA13b: ReplySyntax = { ...toolCallsList, name: 'hunyuan-a13b', ignored: ['<answer>', '</answer>', '助手：'] }

/** Apriel: sentences separate thoughts and answer. */
export const apriel: ReplySyntax = {
  ...toolCallsList,
  name: 'apriel',
  reasoning: [{ open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' }, thinkSpan],
  ignored: ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]'],
}

/** MiniMax M1: one JSON object a line. */
export const minimaxM1: ReplySyntax = {
  ...toolCallsList,
  name: 'minimax-m1',
  ends: ['<end_of_sentence>'],
  turns: ['<beginning_of_sentence>'],
  reasoning: [thinkSpan],
  ignored: [],
}

/** Nemotron Nano v2. */
export const nemotronNanoV2: ReplySyntax = {
  name: 'nemotron-nano-v2',
  ends: ['<SPECIAL_12>', '<SPECIAL_11>'],
  turns: ['<SPECIAL_11>'],
  reasoning: [thinkSpan],
  blocks: [{ open: ['<TOOLCALL>'], close: '</TOOLCALL>', json: list }],
}

const bareLlama: JsonBody = { name: 'name', arguments: ['parameters', 'arguments'], separator: ';' }

/**
 * Llama 3.1 to 3.3: the whole reply is a JSON call, or `<|python_tag|>` opens a JSON call or code.
 * @see https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/prompt_format.md
 */
export const llama3: ReplySyntax = {
  name: 'llama3',
  ends: [...llamaEnds, '<|eot|>', '<|eom|>'],
  turns: [...llamaTurns, '<|header_end|>'],
  blocks: [
    { open: ['<|python_tag|>'], json: bareLlama, code: { fence: 'none' } },
    { open: [], json: bareLlama },
    { open: ['{'], tentative: true, json: { ...bareLlama, opened: true } },
  ],
}

/** xLAM: a JSON list alone, in a Markdown fence, or behind one of several marks. */
export const xlam: ReplySyntax = {
  name: 'xlam',
  ends: [...llamaEnds, ...chatmlEnds],
  turns: [...llamaTurns, ...chatmlTurns],
  reasoning: [thinkSpan],
  blocks: [
    { open: [], json: list },
    { open: ['['], tentative: true, json: { ...list, opened: true } },
    { open: ['```json'], close: '```', tentative: true, json: list },
    { open: ['```'], close: '```', tentative: true, json: list },
    { open: ['[TOOL_CALLS]'], json: list },
    { open: ['<tool_call>'], close: '</tool_call>', json: { ...list, several: true } },
  ],
}

/** Firefunction v2 and Phi-4-mini: ` functools[{…}]`. */
export const firefunctionV2: ReplySyntax = {
  name: 'firefunction-v2',
  ends: [...llamaEnds, '<|end|>'],
  turns: llamaTurns,
  blocks: [{ open: ['functools'], tentative: true, json: list }],
}

/** Phi-4-mini, as its own template has it and as vLLM reads it. */
export const phi4Mini: ReplySyntax = {
  name: 'phi4-mini',
  ends: ['<|end|>', '<|endoftext|>'],
  turns: ['<|assistant|>'],
  blocks: [
    { open: ['<|tool_call|>'], close: '<|/tool_call|>', json: list },
    { open: ['functools'], tentative: true, json: list },
  ],
}

/** Granite 3: `<|tool_call|>` and a JSON list; sentences separate thoughts and answer. */
export const granite: ReplySyntax = {
  name: 'granite',
  ends: ['<|end_of_text|>'],
  turns: ['<|end_of_role|>'],
  reasoning: [
    { open: 'Here is my thought process:', close: 'Here is my response:' },
    { open: "Here's my thought process:", close: "Here's my response:" },
    thinkSpan,
  ],
  ignored: ['<response>', '</response>', 'Here is my response:', "Here's my response:"],
  blocks: [
    { open: ['<|tool_call|>'], json: list },
    { open: ['<tool_call>'], json: list },
  ],
}

/** Granite 20B for function calling. */
export const granite20b: ReplySyntax = {
  name: 'granite-20b-fc',
  ends: ['<|endoftext|>'],
  turns: ['ASSISTANT:'],
  blocks: [{ open: ['<function_call>'], json: list }],
}

/**
 * Command R7B and Command A: a list with the tool's name in `tool_name`; thoughts, answer and actions between marks.
 * @see https://docs.cohere.com/docs/tool-use
 */
export const cohere: ReplySyntax = {
  name: 'cohere',
  ends: ['<|END_OF_TURN_TOKEN|>'],
  turns: ['<|CHATBOT_TOKEN|>'],
  reasoning: [{ open: '<|START_THINKING|>', close: '<|END_THINKING|>', endsAtCalls: true }],
  ignored: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
  blocks: [
    {
      open: ['<|START_ACTION|>'],
      close: '<|END_ACTION|>',
      json: { name: 'tool_name', arguments: ['parameters'], id: 'tool_call_id', list: true },
    },
  ],
}

/** Command R and R+: a JSON list in a Markdown fence behind `Action:`. */
export const commandR: ReplySyntax = {
  name: 'command-r',
  ends: ['<|END_OF_TURN_TOKEN|>'],
  turns: ['<|CHATBOT_TOKEN|>'],
  ignored: ['Action:'],
  blocks: [{ open: ['```json'], close: '```', tentative: true, json: { name: 'tool_name', arguments: ['parameters'], list: true } }],
}

/** Apertus: each object has the tool's name as its only key. */
export const apertus: ReplySyntax = {
  name: 'apertus',
  ends: ['<|assistant_end|>'],
  turns: ['<|assistant_start|>'],
  reasoning: [{ open: '<|inner_prefix|>', close: '<|inner_suffix|>' }],
  blocks: [{ open: ['<|tools_prefix|>'], close: '<|tools_suffix|>', json: { name: null, arguments: [], list: true } }],
}

/** Inkling: thoughts, text and calls are messages, each with a mark for what it is. */
export const inkling: ReplySyntax = {
  name: 'inkling',
  ends: ['<|content_model_end_sampling|>'],
  turns: [],
  reasoning: [{ open: '<|content_thinking|>', close: '<|end_message|>' }],
  ignored: ['<|content_text|>', '<|end_message|>'],
  blocks: [{ open: ['<|content_invoke_tool_json|>'], close: '<|end_message|>', json: { name: 'name', arguments: ['args', 'arguments'] } }],
  headings: ['<|message_model|>'],
}

/** GigaChat 3: a call is a turn of the role `function call`, which may follow the model's own turn; in 3.1 it has a mark. */
export const gigachat3: ReplySyntax = {
  name: 'gigachat3',
  ends: ['</s>', '<|message_sep|>'],
  turns: ['<|role_sep|>'],
  reasoning: [thinkSpan],
  blocks: [
    { open: ['<|message_sep|>\n\nfunction call<|role_sep|>'], json: call },
    { open: ['function call<|role_sep|>'], json: call },
    { open: ['<|function_call|>'], json: call },
  ],
}

/**
 * InternLM2, 2.5 and 3: JSON calls and a code interpreter.
 * @see https://github.com/InternLM/InternLM/blob/main/chat/chat_format.md (document 004)
 */
export const internlm2: ReplySyntax = {
  name: 'internlm2',
  ends: ['<|im_end|>', '</s>'],
  turns: chatmlTurns,
  blocks: [
    {
      open: ['<|action_start|>', '<|plugin|>'],
      close: '<|action_end|>',
      // `parameters` is what the document shows and what the model was trained on.
      json: { name: 'name', arguments: ['parameters', 'arguments'] },
    },
    { open: ['<|action_start|>', '<|interpreter|>'], close: '<|action_end|>', code: { fence: 'markdown' } },
  ],
}

/** Intern-S1: the same with reasoning, and with a space between the marks. */
export const internS1: ReplySyntax = {
  ...internlm2,
  name: 'intern-s1',
  reasoning: [thinkSpan],
  blocks: [...internlm2.blocks, ...internlm2.blocks.map((block) => ({ ...block, open: [block.open.join(' ')] }))],
}

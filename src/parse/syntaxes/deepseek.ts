import type { ReplySyntax } from '../syntax.ts'

/**
 * DeepSeek V3 and R1 (`function<｜tool▁sep｜>name` and a JSON fence) and V3.1 (`name<｜tool▁sep｜>{…}`).
 * @see https://huggingface.co/deepseek-ai/DeepSeek-V3.1
 */
export const deepseek: ReplySyntax = {
  name: 'deepseek',
  ends: ['<｜end▁of▁sentence｜>'],
  turns: ['<｜Assistant｜>'],
  reasoning: [{ open: '<think>', close: '</think>' }],
  sections: [{ open: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' }],
  blocks: [{ open: ['<｜tool▁call▁begin｜>'], close: '<｜tool▁call▁end｜>', named: { separator: '<｜tool▁sep｜>', fenced: true } }],
}

import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on configs, datasets, answers and scores. */
export const evaluationNotes = {
  'system-left-out': {
    severity: 'warning',
    en: 'the template leaves out the system turn, and the prompt is shown without it',
    zh: '模板省略了系统消息，显示的提示词不含它',
  },
  'answer-in-prompt': {
    severity: 'warning',
    en: 'a column that the prompt shows equals the gold answer',
    zh: '提示词中的某一列与参考答案相同',
  },
  'answer-masked': {
    severity: 'warning',
    en: 'the template shows the gold answer in the question, where it is left blank',
    zh: '模板在问题中使用了参考答案，该处留空',
  },
  'bare-letters': {
    severity: 'warning',
    en: 'only the bare letter counts as right, no sentence',
    zh: '只有单个字母才算正确，整句回答算错',
  },
  'broken-characters': { severity: 'warning', en: 'text was decoded with the wrong encoding', zh: '文本的字符编码有误' },
  'conflicting-gold': { severity: 'warning', en: 'rows ask the same and have different gold answers', zh: '相同的问题有不同的参考答案' },
  'double-braces': { severity: 'warning', en: 'of double braces only the inner pair is filled', zh: '双花括号只填充了内层字段' },
  'duplicate-options': { severity: 'warning', en: 'rows have the same text for two options', zh: '数据行中有重复的选项' },
  'duplicate-rows': { severity: 'warning', en: 'rows ask the same, with the same gold answer', zh: '数据行重复' },
  'empty-replies': {
    severity: 'warning',
    en: 'replies are empty, perhaps because of a stop sequence',
    zh: '回复为空，可能被停止符立即终止',
  },
  'example-is-question': { severity: 'warning', en: 'an example is the row being asked', zh: '示例就是被问的这一行，提示词泄露了答案' },
  failed: { severity: 'warning', en: 'the row has no reply, or it could not be scored', zh: '没有回复，或无法评分' },
  'fewer-examples': { severity: 'warning', en: 'fewer examples are shown than requested', zh: '示例少于要求的数量' },
  'identical-samples': { severity: 'warning', en: 'all answers to each row are the same', zh: '同一行的多个回答完全相同' },
  'key-in-config': {
    severity: 'warning',
    en: 'the config has a key, which is left out of the records',
    zh: '配置中含有密钥，记录中已省略',
  },
  'log-probabilities': {
    severity: 'note',
    en: 'the run recorded no log-probability of every token',
    zh: '运行未记录每个 token 的对数概率',
  },
  'no-examples': {
    severity: 'warning',
    en: 'the retriever names no rows, so no examples are shown',
    zh: '检索器没有指定数据行，不显示示例',
  },
  'no-gold': { severity: 'warning', en: 'rows have no gold answer and are not scored', zh: '没有参考答案，不评分' },
  'no-metric': { severity: 'warning', en: 'the metric cannot be computed from these rows', zh: '无法由这些数据行计算该指标' },
  'not-runnable': { severity: 'warning', en: 'models of this type can only be rendered for', zh: '该类型的模型无法运行，只能查看提示词' },
  'not-scored': {
    severity: 'warning',
    en: 'no evaluator and no gold answers, so answers are not scored',
    zh: '没有评估器或参考答案列，不评分',
  },
  'retry-cut': {
    severity: 'note',
    en: 'the answer was cut, so the row was sent again with a higher limit',
    zh: '回答被截断，已用更高的上限重新发送',
  },
  'row-cost': { severity: 'warning', en: 'the row was given up because it cost too much', zh: '该行费用超过上限，已放弃' },
  'script-ended': { severity: 'warning', en: 'the conversation ended before its last round', zh: '对话提前结束' },
  'shared-passages': {
    severity: 'note',
    en: 'rows share a long text, so they are not independent',
    zh: '多行共用同一段文本，行之间不独立',
  },
  'stand-in': { severity: 'note', en: "a stand-in is shown in place of the model's reply", zh: '用参考答案代替模型的回答显示' },
  'stop-in-gold': { severity: 'warning', en: 'a stop sequence occurs in gold answers', zh: '参考答案中含有停止符' },
  'tool-call': { severity: 'note', en: 'the reply is a tool call', zh: '回复是工具调用' },
  'train-test-overlap': { severity: 'note', en: 'rows are also in the example pool', zh: '数据行也在示例来源中' },
  'two-sources': {
    severity: 'warning',
    en: 'the dataset names two sources of rows, and one is not read',
    zh: '数据集有两个数据来源，其中一个未读取',
  },
  'undeclared-field': { severity: 'warning', en: 'a field is not among the declared columns', zh: '字段不在声明的列中' },
  'unknown-evaluator': { severity: 'warning', en: 'the evaluator is unknown', zh: '未知的评估器' },
  'unknown-inferencer': { severity: 'warning', en: 'the inferencer is unknown', zh: '未知的推理器' },
  'unknown-postprocessor': { severity: 'warning', en: 'the postprocessor is unknown', zh: '未知的后处理器' },
  'unknown-retriever': { severity: 'warning', en: 'the retriever is unknown', zh: '未知的检索器' },
  'unknown-role': { severity: 'warning', en: 'a role is unknown', zh: '未知的角色' },
  'unscorable-form': {
    severity: 'warning',
    en: 'gold answers are scored wrong as the template writes them',
    zh: '按模板写出的参考答案会被判错',
  },
  'unscorable-gold': { severity: 'warning', en: 'gold answers cannot be scored right', zh: '参考答案本身无法判为正确' },
  'unused-column': { severity: 'warning', en: 'no row has this column, which is ignored', zh: '没有数据行有这一列，已忽略' },
  'unused-option': { severity: 'warning', en: 'an option has no effect', zh: '该选项没有作用' },
  'zero-width-interval': {
    severity: 'note',
    en: 'all rows have the same score, so the interval has no width',
    zh: '所有行得分相同，置信区间宽度为零',
  },
} as const satisfies NoteTable

/** The codes of notes on runs and scores. */
export type EvaluationNotes = typeof evaluationNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends EvaluationNotes {}
}

import { translated } from './translated.ts'

/** Metrics as Chinese papers name them. Names that are the same in both languages (F1, BLEU, pass@1) are left out. */
const chinese = new Map(
  Object.entries({
    accuracy: '准确率',
    acc: '准确率',
    acc_norm: '归一化准确率',
    avg_accuracy: '平均准确率',
    average_accuracy: '平均准确率',
    total_accuracy: '总准确率',
    strict_accuracy: '严格准确率',
    perfect_accuracy: '全对率',
    field_accuracy: '字段准确率',
    turn_accuracy: '轮次准确率',
    name_accuracy: '工具名准确率',
    rule_accuracy: '规则判定准确率',
    llm_accuracy: '模型判定准确率',
    valid_accuracy: '有效回答准确率',
    easy_accuracy: '简单题准确率',
    middle_accuracy: '中等题准确率',
    hard_accuracy: '难题准确率',
    accuracy_given_attempted: '作答题准确率',
    attempted_ratio: '作答率',
    miss_rate: '漏答率',
    valid: '有效率',
    valid_rate: '有效率',
    valid_frac: '有效率',
    exact_match: '精确匹配',
    exact: '精确匹配',
    em: '精确匹配',
    score: '得分',
    final_score: '最终得分',
    overall_score: '总分',
    overall: '总分',
    total: '总分',
    average: '平均分',
    avg: '平均分',
    average_score: '平均分',
    average_ppl: '平均困惑度',
    perplexity: '困惑度',
    word_perplexity: '词级困惑度',
    byte_perplexity: '字节级困惑度',
    bits_per_byte: '每字节比特数',
    bpc: '每字符比特数',
    precision: '精确率',
    recall: '召回率',
    f1_score: 'F1',
    win_rate: '胜率',
    pass_rate: '通过率',
    position_bias: '位置偏差',
    consistency: '一致率',
    correct: '正确率',
    likelihood: '似然',
    matthews_correlation: '马修斯相关系数',
    mcc: '马修斯相关系数',
    spearman: '斯皮尔曼相关系数',
    pcc: '皮尔逊相关系数',
    mae: '平均绝对误差',
    auc: 'AUC',
    'prompt-level-strict-accuracy': '提示词级严格准确率',
    'inst-level-strict-accuracy': '指令级严格准确率',
    'prompt-level-loose-accuracy': '提示词级宽松准确率',
    'inst-level-loose-accuracy': '指令级宽松准确率',
  }),
)

const names = translated(
  { of: (metric: string) => metric },
  {
    of: (metric) => {
      const [, name = metric, runs] = /^(.+) \((\d+) runs average\)$/.exec(metric) ?? []
      const known = chinese.get(name.toLowerCase()) ?? name
      return runs === undefined ? known : `${known}（${runs} 次运行的平均）`
    },
  },
)

/** The name of a metric; those of other evaluators are not translated. */
export function metricName(metric: string): string {
  return names().of(metric)
}

import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ConfigLine, needsOf } from '../src/app/cli/import/config-table.ts'
import { type Headings, markdownTable } from '../src/app/cli/import/write-report.ts'
import { importPython } from '../src/app/node/config/import-python.ts'
import { importConfig } from '../src/compat/opencompass/import/import-config.ts'

/** What a config of OpenCompass names: the class that reads its rows, evaluators, postprocessors, and a retriever that chooses. */
type Named = { loader: string; path: string; evaluator: string[]; postprocessor?: string[]; retriever?: string }

const accuracy = (loader: string, path: string, ...postprocessor: string[]): Named => ({
  loader,
  path,
  evaluator: ['AccEvaluator'],
  postprocessor,
})

/**
 * The datasets of OpenCompass's own collections (`chat_core`, `chat_medium`) and of its leaderboard, by the config that has the dataset's name without a hash,
 * as OpenCompass 0.5 has them.
 */
export const mostUsedConfigs: Record<string, Named> = {
  mmlu_gen: accuracy('MMLUDataset', 'opencompass/mmlu', 'match_answer_pattern'),
  mmlu_pro_gen: accuracy('MMLUProDataset', 'opencompass/mmlu_pro', 'match_answer_pattern'),
  ceval_gen: accuracy('CEvalDataset', 'opencompass/ceval-exam', 'first_capital_postprocess'),
  cmmlu_gen: accuracy('CMMLUDataset', 'opencompass/cmmlu', 'match_answer_pattern'),
  agieval_gen: {
    loader: 'AGIEvalDataset_v2',
    path: 'opencompass/agieval',
    evaluator: ['AccEvaluator', 'AGIEvalEvaluator'],
    postprocessor: ['first_capital_postprocess', 'first_capital_postprocess_multi'],
  },
  gpqa_gen: { loader: 'GPQADataset', path: './data/gpqa/', evaluator: ['GPQAEvaluator'], postprocessor: ['GPQA_Simple_Eval_postprocess'] },
  bbh_gen: {
    loader: 'BBHDataset',
    path: 'opencompass/bbh',
    evaluator: ['BBHEvaluator', 'BBHEvaluator_mcq'],
    postprocessor: ['bbh_mcq_postprocess'],
  },
  gsm8k_gen: {
    loader: 'GSM8KDataset',
    path: 'opencompass/gsm8k',
    evaluator: ['Gsm8kEvaluator'],
    postprocessor: ['gsm8k_postprocess', 'gsm8k_dataset_postprocess'],
  },
  math_gen: { loader: 'MATHDataset', path: 'opencompass/math', evaluator: ['MATHVerifyEvaluator'] },
  aime2024_gen: { loader: 'Aime2024Dataset', path: 'opencompass/aime2024', evaluator: ['MATHVerifyEvaluator'] },
  TheoremQA_gen: {
    loader: 'TheoremQADatasetV3',
    path: 'data/TheoremQA/theoremqa_test.json',
    evaluator: ['TheoremQAEvaluatorV3'],
    postprocessor: ['TheoremQA_postprocess_v3'],
  },
  humaneval_gen: {
    loader: 'HumanevalDataset',
    path: 'opencompass/humaneval',
    evaluator: ['HumanEvalEvaluator'],
    postprocessor: ['humaneval_postprocess_v2'],
  },
  mbpp_gen: { loader: 'MBPPDataset', path: 'opencompass/mbpp', evaluator: ['MBPPEvaluator'] },
  sanitized_mbpp_gen: { loader: 'SanitizedMBPPDataset', path: 'opencompass/sanitized_mbpp', evaluator: ['MBPPEvaluator'] },
  IFEval_gen: { loader: 'IFEvalDataset', path: 'data/ifeval/input_data.jsonl', evaluator: ['IFEvaluator'] },
  musr_gen: { loader: 'MusrDataset', path: 'opencompass/musr', evaluator: ['MusrEvaluator'] },
  drop_gen: { loader: 'DropOpenAIDataset', path: 'data/drop_simple_eval/dev.jsonl', evaluator: ['DropOpenAIEvaluator'] },
  hellaswag_gen: {
    loader: 'HellaswagDatasetwithICE',
    path: 'opencompass/hellaswag_ice',
    evaluator: ['AccwithDetailsEvaluator'],
    postprocessor: ['first_option_postprocess'],
  },
  winogrande_gen: {
    loader: 'WinograndeDatasetV3',
    path: 'opencompass/winogrande',
    evaluator: ['AccwithDetailsEvaluator'],
    postprocessor: ['first_option_postprocess'],
  },
  ARC_c_gen: accuracy('ARCDataset', 'opencompass/ai2_arc-dev', 'first_option_postprocess'),
  ARC_e_gen: accuracy('ARCDataset', 'opencompass/ai2_arc-easy-dev', 'first_option_postprocess'),
  piqa_gen: accuracy('PIQADatasetV2', 'opencompass/piqa', 'first_option_postprocess'),
  siqa_gen: accuracy('SiqaDatasetV3', 'opencompass/siqa', 'first_option_postprocess'),
  obqa_gen: accuracy('OBQADataset', 'opencompass/openbookqa_test', 'first_option_postprocess'),
  commonsenseqa_gen: {
    ...accuracy('commonsenseqaDataset', 'opencompass/commonsense_qa', 'first_option_postprocess'),
    retriever: 'MDLRetriever',
  },
  race_gen: accuracy('RaceDataset', 'opencompass/race', 'first_option_postprocess'),
  storycloze_gen: accuracy('StoryClozeDatasetV2', 'opencompass/xstory_cloze', 'first_option_postprocess'),
  strategyqa_gen: accuracy('StrategyQADataset', 'opencompass/strategy_qa', 'strategyqa_pred_postprocess', 'strategyqa_dataset_postprocess'),
  triviaqa_gen: { loader: 'TriviaQADatasetV2', path: 'opencompass/trivia_qa', evaluator: ['TriviaQAEvaluator'] },
  nq_gen: { loader: 'NQOpenDataset', path: 'opencompass/nq_open', evaluator: ['NQEvaluator'] },
  lambada_gen: { loader: 'lambadaDataset', path: 'opencompass/lambada', evaluator: ['LambadaEvaluator'] },
  SuperGLUE_BoolQ_gen: accuracy('BoolQDatasetV2', 'opencompass/boolq', 'first_capital_postprocess'),
  CLUE_C3_gen: accuracy('C3Dataset_V2', './data/CLUE/C3/dev_0.json', 'first_capital_postprocess'),
  CLUE_CMRC_gen: { loader: 'CMRCDataset', path: 'opencompass/cmrc_dev', evaluator: ['EMEvaluator'], postprocessor: ['cmrc_postprocess'] },
  CLUE_DRCD_gen: { loader: 'DRCDDataset', path: 'opencompass/drcd_dev', evaluator: ['EMEvaluator'], postprocessor: ['drcd_postprocess'] },
  CLUE_afqmc_gen: accuracy('AFQMCDatasetV2', 'opencompass/afqmc-dev', 'first_capital_postprocess'),
  CLUE_cmnli_gen: accuracy('CMNLIDatasetV2', 'opencompass/cmnli-dev', 'first_capital_postprocess'),
  FewCLUE_chid_gen: accuracy('CHIDDataset_V2', './data/FewCLUE/chid/dev_few_all.json', 'first_capital_postprocess'),
  Xsum_gen: { loader: 'XsumDataset', path: 'opencompass/xsum', evaluator: ['RougeEvaluator'], postprocessor: ['Xsum'] },
  lcsts_gen: {
    loader: 'LCSTSDataset',
    path: 'opencompass/LCSTS',
    evaluator: ['JiebaRougeEvaluator'],
    postprocessor: ['lcsts_postprocess'],
  },
}

/** A config in Python that names the same. */
export function configNaming({ loader, path, evaluator, postprocessor = [], retriever = 'ZeroRetriever' }: Named): string {
  const [predicted, gold] = postprocessor
  const cleaned = `${predicted ? `, pred_postprocessor=dict(type='${predicted}')` : ''}${gold ? `, dataset_postprocessor=dict(type='${gold}')` : ''}`
  const infer = `dict(prompt_template=dict(type='PromptTemplate', template='{question}'), retriever=dict(type='${retriever}'), inferencer=dict(type='GenInferencer'))`
  const entries = evaluator.map(
    (name) =>
      `dict(abbr='${name}', type='${loader}', path='${path}', infer_cfg=${infer}, eval_cfg=dict(evaluator=dict(type='${name}')${cleaned}))`,
  )
  return `datasets = [${entries.join(', ')}]\n`
}

const chinese: Headings = {
  config: '配置',
  runs: '能否直接运行',
  yes: '能',
  no: '不能',
  loader: '数据集类',
  evaluator: '评测器',
  postprocessor: '后处理',
  missing: '缺少什么',
}

/** The table of the page, from OpenCompass's own files where `ROLECALL_OPENCOMPASS` says where they are. */
export function openCompassTable(language: 'en' | 'zh'): string {
  const lines = configLines(process.env.ROLECALL_OPENCOMPASS)
  return markdownTable(lines, ...(language === 'zh' ? [chinese] : []))
}

export function configLines(tree: string | undefined): ConfigLine[] {
  const files = tree === undefined ? new Map<string, string>() : pythonFiles(tree)
  return Object.entries(mostUsedConfigs).map(([config, named]) => {
    const file = files.get(`${config}.py`)
    const { datasets } = file
      ? importPython(file, { hashes: false })
      : importConfig('config.py', { read: () => configNaming(named), hashes: false })
    return { config, datasets: datasets.length, usedBy: 0, ...needsOf(datasets) }
  })
}

function pythonFiles(tree: string): Map<string, string> {
  const folder = ['opencompass/configs/datasets', 'configs/datasets'].map((path) => join(tree, path)).find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`ROLECALL_OPENCOMPASS=${tree} has no opencompass/configs/datasets`)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(names.filter((name) => name.endsWith('.py')).map((name) => [basename(name), join(folder, name)]))
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ConfigLine, hostOf, namesOf, verdictOf } from '../packages/rolecall/src/cli/import/config-table.ts'
import { type Headings, markdownTable } from '../packages/rolecall/src/cli/import/write-report.ts'
import { importPython } from '../packages/rolecall/src/node/config/import-python.ts'
import { prepareConfig } from '../packages/rolecall/src/node/runs/prepare-config.ts'

/** What a checkout of OpenCompass says about its dataset configs; `npm run proof -- claims --opencompass DIR --write` writes the file. */
export type CheckoutTable = {
  commit: string
  version: string
  /** All dataset configs of the checkout, by word. */
  configs: { 'not checked': number; 'cannot run': number; ready: number }
  /** Those that the page shows. */
  lines: ConfigLine[]
}

export const tableFile = new URL('./opencompass-configs.json', import.meta.url)

/** The datasets of OpenCompass's own collections (`chat_core`, `chat_medium`) and of its leaderboard, by the config without a hash. */
export const mostUsedConfigs: readonly string[] = [
  'mmlu_gen',
  'mmlu_pro_gen',
  'ceval_gen',
  'cmmlu_gen',
  'agieval_gen',
  'gpqa_gen',
  'bbh_gen',
  'gsm8k_gen',
  'math_gen',
  'aime2024_gen',
  'TheoremQA_gen',
  'humaneval_gen',
  'mbpp_gen',
  'IFEval_gen',
  'musr_gen',
  'drop_gen',
  'hellaswag_gen',
  'winogrande_gen',
  'ARC_c_gen',
  'ARC_e_gen',
  'piqa_gen',
  'siqa_gen',
  'obqa_gen',
  'commonsenseqa_gen',
  'race_gen',
  'storycloze_gen',
  'strategyqa_gen',
  'triviaqa_gen',
  'nq_gen',
  'lambada_gen',
  'SuperGLUE_BoolQ_gen',
  'CLUE_C3_gen',
  'CLUE_CMRC_gen',
  'CLUE_DRCD_gen',
  'CLUE_afqmc_gen',
  'CLUE_cmnli_gen',
  'FewCLUE_chid_gen',
  'Xsum_gen',
  'lcsts_gen',
]

const chinese: Headings = {
  config: '配置',
  word: '状态',
  ready: '就绪',
  'not checked': '未检查',
  'cannot run': '不能运行',
  loader: '数据集类',
  evaluator: '评估器',
  postprocessor: '后处理',
  cause: '原因',
}

/** The table of the page, and what it was made from. */
export function openCompassTable(language: 'en' | 'zh'): string {
  const { commit, version, configs, lines } = JSON.parse(readFileSync(tableFile, 'utf8')) as CheckoutTable
  const all = configs.ready + configs['not checked'] + configs['cannot run']
  const checked = configs.ready + configs['not checked']
  const short = commit.slice(0, 12)
  return language === 'zh'
    ? `OpenCompass ${version}，提交 \`${short}\`：${all} 个数据集配置中，${checked} 个除数据外均已检查，${configs['cannot run']} 个不能运行。\n\n${markdownTable(lines, chinese)}`
    : `OpenCompass ${version}, commit \`${short}\`: of ${all} dataset configs, ${checked} are prepared except for their data, and ${configs['cannot run']} cannot run.\n\n${markdownTable(lines)}`
}

/** The lines of the table from a checkout. Optional packages count as installed. */
export async function checkoutLines(checkout: string): Promise<ConfigLine[]> {
  const files = pythonFiles(checkout)
  const lines: ConfigLine[] = []
  for (const config of mostUsedConfigs) {
    const file = files.get(`${config}.py`)
    if (file === undefined) continue
    const imported = importPython(file, { hashes: false })
    const { datasets } = await prepareConfig(imported.config, dirname(file), { allPackages: true })
    // Causes that name a file of this machine are of no use to readers.
    const verdict = verdictOf(imported.datasets, datasets)
    const causes = verdict.word === 'cannot run' ? verdict.causes : []
    const names = { ...namesOf(imported.datasets), ...hostOf(imported.datasets, datasets) }
    lines.push({ config, datasets: datasets.length, usedBy: 0, ...names, word: verdict.word, causes })
  }
  return lines
}

function pythonFiles(checkout: string): Map<string, string> {
  const folder = ['opencompass/configs/datasets', 'configs/datasets'].map((path) => join(checkout, path)).find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`${checkout} has no opencompass/configs/datasets`)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(names.filter((name) => name.endsWith('.py')).map((name) => [basename(name), join(folder, name)]))
}

import * as safety from '../families/safety.ts'
import type { Loader } from '../loader.ts'

/** Safety, and model-judged datasets: dataset class of OpenCompass → its loader. */
export const judgedLoaders: Readonly<Record<string, Loader>> = {
  // Safety and robustness
  AdvMnliDataset: safety.advGlue('mnli', 'original_premise', 'original_hypothesis'),
  AdvMnliMMDataset: safety.advGlue('mnli-mm', 'original_premise', 'original_hypothesis'),
  AdvQnliDataset: safety.advGlue('qnli', 'original_question', 'original_sentence'),
  AdvQqpDataset: safety.advGlue('qqp', 'original_question1', 'original_question2'),
  AdvRteDataset: safety.advGlue('rte', 'original_sentence1', 'original_sentence2'),
  AdvSst2Dataset: safety.advGlue('sst2', 'original_sentence'),
  AiRiskDataset: safety.aiRisk,
  CValuesDataset: safety.cValues,
  PersonaDataset: safety.persona,
  SafetyDataset: safety.safety,
  SycophancyDataset: safety.sycophancy,
}

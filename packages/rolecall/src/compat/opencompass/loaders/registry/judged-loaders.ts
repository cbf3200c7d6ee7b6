import * as conversations from '../families/conversations.ts'
import * as elBench from '../families/el-bench.ts'
import * as judgePrompts from '../families/judge-prompt-datasets.ts'
import * as chats from '../families/judged-chats.ts'
import * as questions from '../families/judged-questions.ts'
import * as mtBench from '../families/mt-bench.ts'
import * as preferences from '../families/preferences.ts'
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
  CrowspairsDataset: safety.crowsPairs(0),
  CrowspairsDatasetCN: safety.crowsPairsChinese,
  CrowspairsDatasetV2: safety.crowsPairs('A'),
  CValuesDataset: safety.cValues,
  DingoDataset: safety.dingo,
  JigsawMultilingualDataset: safety.jigsaw,
  PersonaDataset: safety.persona,
  SafetyDataset: safety.safety,
  SycophancyDataset: safety.sycophancy,

  // Judged by another model
  AlignmentBenchDataset: questions.alignment,
  AlpacaEvalDataset: questions.compared,
  ArenaHardDataset: questions.arenaHard,
  CompassArenaDataset: questions.compassArena,
  CompassBenchCheklistDataset: questions.checklist,
  ELBenchGeneralDataset: elBench.elBenchGeneral,
  ELBenchHighLevelEduDataset: elBench.elBenchEducation,
  ELBenchHighLevelOmniDataset: elBench.elBenchOmni,
  ELBenchSafetyDataset: elBench.elBenchSafety,
  FlamesDataset: questions.flames,
  FofoDataset: questions.fofo,
  FollowBenchDataset: questions.followBench,
  HelloBenchDataset: questions.helloBench,
  JudgeBenchDataset: preferences.judgeBench,
  RewardBenchDataset: preferences.rewardBench,
  RMBDataset: preferences.rmb,
  SubjectiveCmpDataset: questions.compared,
  MultiIFDataset: conversations.multiIf,
  WritingBenchDataset: judgePrompts.writingBench,
  FakeAlignmentDataset: judgePrompts.fakeAlignment,
  TEvalDataset: conversations.tEval,

  // With the prompts of their judges
  CompassArenaSubjectiveBench: chats.compassArenaSubjective,
  CompassBenchControlLengthBiasDataset: chats.compassBenchLengths,
  CompassBenchDataset: chats.compassBenchPairs,
  CsimpleqaDataset: chats.chineseSimpleQa,
  MTBench101Dataset: mtBench.mtBench101Chats,
  MTBench101WithRawPromptDataset: mtBench.mtBench101Messages,
  MTBenchDataset: mtBench.mtBench,
  WildBenchDataset: chats.wildBenchChats,
  WildBenchWithRawPromptDataset: chats.wildBenchMessages,
}

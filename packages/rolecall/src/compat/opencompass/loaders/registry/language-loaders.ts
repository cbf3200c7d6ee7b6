import * as language from '../families/language.ts'
import * as languages from '../families/languages.ts'
import * as moreExams from '../families/more-exams.ts'
import * as questions from '../families/questions.ts'
import * as texts from '../families/summaries-and-translations.ts'
import type { Loader } from '../loader.ts'

/** Language understanding, reading comprehension, multilingual datasets: dataset class of OpenCompass → its loader. */
export const languageLoaders: Readonly<Record<string, Loader>> = {
  // Language understanding
  AFQMCDatasetV2: language.afqmc2,
  AnliDataset: language.anli,
  AXDatasetV2: language.ax2,
  BoolQDataset: language.boolQ,
  BoolQDatasetV2: language.boolQ2,
  BoolQDatasetV3: language.boolQ3,
  C3Dataset: language.c3,
  C3Dataset_V2: language.c3Second,
  CBDatasetV2: language.cb2,
  CHIDDataset: language.chid,
  CHIDDatasetV2: language.chid2,
  CluewscDataset: language.cluewsc,
  CluewscDatasetV2: language.spans2,
  CMNLIDataset: language.cmnli,
  CMNLIDatasetV2: language.cmnli2,
  COPADatasetV2: language.copa2,
  CslDataset: language.csl,
  CslDatasetV2: language.csl2,
  EprstmtDatasetV2: language.eprstmt2,
  MultiRCDataset: language.multiRc,
  MultiRCDatasetV2: language.multiRc2,
  ReCoRDDataset: language.record,
  ReCoRDDatasetV2: language.record2,
  SummeditsDataset_V2: language.summedits2,
  TNewsDataset: language.tnews,
  TNewsDatasetV2: language.tnews2,
  WiCDataset: language.boolQ,
  WiCDatasetV2: language.boolQ2,
  WSCDataset: language.wsc,
  WSCDatasetV2: language.spans2,
  WSCDatasetV3: language.wsc3,

  // Reading comprehension, summarization, translation
  CMRCDataset: questions.cmrc,
  DRCDDataset: questions.cmrc,
  FloresFirst100Dataset: texts.flores,
  LCSTSDataset: texts.lcsts,
  NarrativeQADataset: questions.narrativeQa,
  NaturalQuestionDataset: questions.naturalQuestions,
  NaturalQuestionDatasetCN: questions.naturalQuestionsChinese,
  NQOpenDataset: questions.naturalQuestionsOpen,
  QASPERCUTDataset: questions.qasperCut,
  QASPERDataset: questions.qasper,
  SimpleQADataset: questions.simpleQa,
  SQuAD20Dataset: questions.squad2,
  SummScreenDataset: texts.summScreen,
  TriviaQADataset: questions.triviaQa,
  TriviaQADatasetV2: questions.triviaQa2,
  TriviaQADatasetV3: questions.triviaQa3,
  DropOpenAIDataset: questions.dropSimple,
  LiveStemBenchDataset: questions.liveStem,
  QuALITYDataset: moreExams.quality,
  TriviaQArcDataset: questions.triviaQaReading,
  TydiQADataset: questions.tydiQa,
  XsumDataset: texts.xsum,

  // Multilingual
  IWSLT2017Dataset: languages.iwslt,
  MMMLUDataset: languages.mmmlu,
  MMMLULiteDataset: languages.mmmluLite,
  PMMEvalFloresDataset: languages.pmmEval('flores/test/{lang_fullname}.jsonl', 'lang_fullname'),
  PMMEvalHumanEvalXLDataset: languages.pmmEval('humaneval-xl/test/{program_lang}/{lang}.jsonl', 'lang', 'program_lang'),
  PMMEvalMGSMDataset: languages.pmmEval('mgsm/test/{lang}.jsonl', 'lang'),
  PMMEvalMHellaswagDataset: languages.pmmEval('mhellaswag/test/{lang}.jsonl', 'lang'),
  PMMEvalMIFEvalDataset: languages.pmmEval('mifeval/test/{lang}.jsonl', 'lang'),
  PMMEvalMLogiQADataset: languages.pmmEval('mlogiqa/test/{lang}.jsonl', 'lang'),
  PMMEvalMMMLUDataset: languages.pmmEvalMmmlu,
  PMMEvalXNLIDataset: languages.pmmEval('xnli/test/{lang}.jsonl', 'lang'),
}

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
  BoolQDatasetV2: language.boolQ2,
  CHIDDataset: language.chid,
  CluewscDataset: language.cluewsc,
  CMNLIDataset: language.cmnli,
  CMNLIDatasetV2: language.cmnli2,
  COPADatasetV2: language.copa2,
  CslDataset: language.csl,
  CslDatasetV2: language.csl2,
  SummeditsDataset_V2: language.summedits2,
  TNewsDataset: language.tnews,
  WiCDataset: language.boolQ,
  WiCDatasetV2: language.boolQ2,
  WSCDataset: language.wsc,
  WSCDatasetV3: language.wsc3,
  DRCDDataset: questions.cmrc,
  FloresFirst100Dataset: texts.flores,
  LCSTSDataset: texts.lcsts,
  NaturalQuestionDataset: questions.naturalQuestions,
  NQOpenDataset: questions.naturalQuestionsOpen,
  SQuAD20Dataset: questions.squad2,
  TriviaQADataset: questions.triviaQa,
  TriviaQADatasetV2: questions.triviaQa2,
  DropOpenAIDataset: questions.dropSimple,
  LiveStemBenchDataset: questions.liveStem,
  QuALITYDataset: moreExams.quality,
  TydiQADataset: questions.tydiQa,
  XsumDataset: texts.xsum,

  // Multilingual
  IWSLT2017Dataset: languages.iwslt,
}

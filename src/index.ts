export type { AgentCall, AgentEvent, AgentResult, EndReason } from './agent/agent-event.ts'
export { type AgentTool, defineTool, type ToolContext } from './agent/agent-tool.ts'
export { fileMessage } from './agent/attached-file.ts'
export type { HistoryOptions } from './agent/fit-history.ts'
export type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from './agent/interpreter.ts'
export { replayModel } from './agent/replay.ts'
export { type AgentOptions, askAgent, runAgent } from './agent/run-agent.ts'
export { showOutputs } from './agent/show-outputs.ts'
export type { SavedPart, SavedPrompt, Transcript, TranscriptStep } from './agent/transcript.ts'
export { compilePrompt } from './ask/compile-prompt.ts'
export { inferencers } from './ask/inferencers.ts'
export { mlcSampling } from './ask/mlc-sampling.ts'
export { perplexity } from './ask/perplexity.ts'
export { type CheckedConfig, checkConfig } from './config/check-config.ts'
export { type Config, configSchema, type DatasetConfig, type ModelConfig } from './config/config-schema.ts'
export { defineConfig } from './config/define-config.ts'
export type { Chat, ChatMessage, ChatPart, ChatToolCall } from './conversation/chat-message.ts'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from './conversation/conversation.ts'
export type { Trust } from './conversation/message-fields.ts'
export type { Question } from './conversation/question.ts'
export { readChat } from './conversation/read-chat.ts'
export type { Conversion, ConvertOptions, Difference, Proof, Target } from './convert/index.ts'
export { convertFormat, proveSame } from './convert/index.ts'
export type { Row } from './dataset/row.ts'
export { type Cause, diffPrompts, type PromptDiff, type PromptPair, type Side as PromptSide } from './diff/diff-prompts.ts'
export { countWords } from './fit/count-words.ts'
export { type FitOptions, type Fitted, fitExamples } from './fit/fit-examples.ts'
export { fitWindow, type WindowChat, type WindowDecision, type WindowOptions, windowChat } from './fit/fit-window.ts'
export { type ChatTemplateOptions, chatTemplateFormat } from './format/chat-template/chat-template-format.ts'
export type { Capabilities } from './format/chat-template/probe.ts'
export type { ApiMessage, Ask, Format, NeededToken, Prompt, Stop } from './format/format.ts'
export { type ReadTranscript, readTranscript } from './format/internlm2/read-transcript.ts'
export { type MlcChatConfig, type MlcSettings, mlcDefaults, readMlcConfig } from './format/mlc/chat-config.ts'
export type { MlcConversation, NewConversation, OldConversation } from './format/mlc/conversation.ts'
export { toNewConversation, toOldConversation } from './format/mlc/convert.ts'
export { mlcSettingsOf } from './format/mlc/mlc-model.ts'
export { parseMlcConfig } from './format/mlc/parse-config.ts'
export { readMlcConversation } from './format/mlc/read-conversation.ts'
export { mlcTemplate, mlcTemplates, type TemplateSummary } from './format/mlc/summary.ts'
export { promptText } from './format/prompt-text.ts'
export { fetchClient } from './http/fetch-client.ts'
export { type HttpClient, HttpFailure, type HttpReply, type HttpRequest } from './http/http-client.ts'
export type { Wait } from './http/wait.ts'
export { type ImportedConfig, type ImportOptions, importConfig } from './import/import-config.ts'
export { promptHash } from './import/prompt-hash.ts'
export {
  type ChatInput,
  compileTemplate as compileChatTemplate,
  type Limits,
  type RenderOptions,
  renderChat as renderChatTemplate,
  renderChatPieces as renderChatTemplatePieces,
  type Template as ChatTemplate,
  TemplateError,
} from './jinja/index.ts'
export type { Finding, Severity } from './lint/finding.ts'
export { lintTemplate, type TemplateToLint } from './lint/lint-template.ts'
export { lintRules } from './lint/rules.ts'
export { asSarif } from './lint/sarif.ts'
export type { Linted, LintSettings } from './lint/settings.ts'
export { type EmbeddedFiles, openEmbedded } from './model/embedded/open-embedded.ts'
export type { GenerateOptions, LanguageModel, Reply as ModelReply, ScoredPrompt } from './model/language-model.ts'
export { type OpenAIOptions, openOpenAI } from './model/openai/open-openai.ts'
export { greedy, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './model/sampling.ts'
export { StopFilter } from './model/stop-filter.ts'
export type { Note } from './note.ts'
export {
  type ArgumentProblem,
  type Block,
  type CallError,
  type CodeBlock,
  type CodeBody,
  checkArguments,
  type JsonBody,
  type MalformedCall,
  type NamedBody,
  type ParseOptions,
  parseBareCalls,
  parseLenientJson,
  parseReply,
  parseReplyStream,
  type Reply,
  type ReplyCall,
  type ReplyEvent,
  ReplyParser,
  type ReplyPart,
  type ReplyProblem,
  type ReplySyntax,
  type ReplyTokens,
  replySyntaxes,
  type Span,
  type SyntaxName,
  type UsableCall,
} from './parse/index.ts'
export { type ChatMaker, compileChat, renderChat } from './prompt/compile-chat.ts'
export type { PreparedChat } from './prompt/prepare-chat.ts'
export type { PreparedPrompt } from './prompt/prepare-prompt.ts'
export type { PromptMaker, RenderedPrompt } from './prompt/prompt-maker.ts'
export { PromptError } from './prompt-error.ts'
export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from './python/index.ts'
export type { PairResult, RowAnswer, RowRecord, RunSummary } from './record/run-record.ts'
export {
  answerSyntax,
  type FoundSyntax,
  findSyntax,
  type ReadAnswer,
  type ReaderOptions,
  ReplyReader,
  readAnswer,
  readReply,
  syntaxOf,
  type WrittenReply,
} from './reply/index.ts'
export { Bm25Index, type Bm25Options } from './retrieve/bm25.ts'
export { type Embedder, endpointEmbedder } from './retrieve/embedder.ts'
export { retrievers } from './retrieve/retrievers.ts'
export {
  type AnswerCache,
  type OpenRows,
  type Pair,
  planRun,
  type RowStore,
  type RunEnvironment,
  type RunEvent,
  type RunOptions,
  runPairs,
} from './run/run-pairs.ts'
export { type Evaluation, evaluateAnswers } from './score/evaluate/evaluate-answers.ts'
export type { Answer, Evaluator, Judgement } from './score/evaluate/evaluator.ts'
export { type EvaluatorConfig, evaluatorOf, evaluators } from './score/evaluate/evaluators.ts'
export type { EvaluatorFunction, OwnEvaluator, OwnJudgement } from './score/evaluate/own-evaluator.ts'
export { gPassAtK, passAtK } from './score/evaluate/pass-at-k.ts'
export { evaluateReplicas } from './score/evaluate/replicas.ts'
export { type PostprocessorConfig, postprocessorOf } from './score/postprocess/postprocessors.ts'
export type { ScoringPeers, SplitWords } from './score/split-words.ts'
export { type Interval, meanInterval, wilsonInterval } from './score/statistics/interval.ts'
export { comparePaired, type PairedComparison } from './score/statistics/paired.ts'
export { ByteSink } from './text/byte-sink.ts'
export {
  bytesOf,
  control,
  type IdsPiece,
  type ImagePiece,
  type Piece,
  type PieceRange,
  plain,
  type Source,
  type TextPiece,
  textOf,
} from './text/index.ts'
export { checkTokens, stopIds } from './tokenize/check-tokens.ts'
export { tokenCounter } from './tokenize/count-tokens.ts'
export { readHuggingFaceTokenizer } from './tokenize/hugging-face/hugging-face-tokenizer.ts'
export { lookAlikes, type MarkerPolicy } from './tokenize/look-alikes.ts'
export { RunMemo } from './tokenize/run-memo.ts'
export { readSentencePiece } from './tokenize/sentencepiece/sentencepiece-tokenizer.ts'
export { decodeTokens, TokenDecoder } from './tokenize/token-decoder.ts'
export { type Token, type Tokenized, type TokenizeOptions, tokenize } from './tokenize/tokenize.ts'
export type { AddedToken, EncodedRun, Tokenizer } from './tokenize/tokenizer.ts'
export { type ContinuedChat, continueChat, type RunningChat } from './train/continue-chat.ts'
export { type TrainingPolicy, wholeTurns } from './train/policy.ts'
export { type TrainingRow, type TrainingSetup, trainingRow } from './train/training-row.ts'
export { type TrainedSpan, type TrainingChat, type TrainingText, trainingText, type UndecidedTurn } from './train/training-text.ts'
export { tokenizeWords } from './words/word-tokenize.ts'

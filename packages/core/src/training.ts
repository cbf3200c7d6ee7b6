// `@rolecall/core/training`: which characters and tokens of a chat a model learns from, and chats continued token by token.

export { type ContinuedChat, type ContinueOptions, continueChat, type RunningChat } from './masks/continue-chat.ts'
export type { Departure } from './masks/departures.ts'
export { type TrainingPolicy, wholeTurns } from './masks/policy.ts'
export { type TrainingRow, type TrainingSetup, trainingRow } from './masks/training-row.ts'
export { type TrainedSpan, type TrainingChat, type TrainingText, trainingText, type UndecidedTurn } from './masks/training-text.ts'

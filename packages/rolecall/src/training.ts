// `rolecall/training`: which characters and tokens of a chat a model learns from, and chats continued token by token.
export * from '@rolecall/core/training'

// `rolecall/formats`: how models expect conversations to be rendered, one function per kind of format.

export * from '@rolecall/core/formats'
export { mlcSampling } from './evaluation/run/ask/mlc-sampling.ts'

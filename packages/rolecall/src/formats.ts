// `rolecall/formats`: how models expect conversations to be rendered, one function per kind of format, and text with its sources.

export * from '@rolecall/core/formats'

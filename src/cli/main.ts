#!/usr/bin/env node
import { rolecall } from './rolecall.ts'

// `rolecall render | head` closes the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

await rolecall(process.argv.slice(2))

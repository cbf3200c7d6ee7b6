#!/usr/bin/env node
import { ownVersion } from '../node/own-files.ts'
import { exitNow } from './exit-codes.ts'

// `rolecall render | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => exitNow(error.code === 'EPIPE' ? 'ok' : 'failed'))
// A terminal that was closed: what runs ends by SIGHUP, in its own way.
process.stderr.on('error', () => {})

const args = process.argv.slice(2)
// Scripts often query the version: skip loading everything else.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) process.stdout.write(`${ownVersion()}\n`)
else await (await import('./rolecall.ts')).rolecall(args)

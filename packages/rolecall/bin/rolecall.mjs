#!/usr/bin/env node
// In a clone, builds what is older than its sources first. The published package has no sources and starts at once.
import { existsSync } from 'node:fs'

const build = new URL('../../../scripts/build-if-needed.mjs', import.meta.url)
if (existsSync(build) && existsSync(new URL('../src', import.meta.url))) await (await import(build.href)).buildOrExit(['code'])
await import('../dist/js/cli/main.js')

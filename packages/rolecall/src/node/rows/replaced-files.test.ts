import { realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { readMedia } from './media-store.ts'
import { allowFolders } from './named-files.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Replaces a link by another, over and over, as somebody does who writes into the folder of the rows. */
const flips = `
const { renameSync, symlinkSync } = require('node:fs')
const { workerData: { link, targets, isOver } } = require('node:worker_threads')
for (let turn = 0; Atomics.load(isOver, 0) === 0; turn++) {
  symlinkSync(targets[turn % 2], link + '.new')
  renameSync(link + '.new', link)
}`

test.skipIf(process.platform === 'win32')(
  'a link that is replaced between the check and the reading has no file sent that rows may not name',
  { timeout: 60_000 },
  async () => {
    const home = realpathSync(folderWith({ 'private/secret.png': Buffer.concat([png, Buffer.from('private')]), 'rows/cat.png': png }))
    allowFolders([join(home, 'rows')])
    const link = join(home, 'rows', 'shown.png')
    const targets = [join(home, 'rows', 'cat.png'), join(home, 'private', 'secret.png')]
    symlinkSync(targets[0] ?? '', link)
    const isOver = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(flips, { eval: true, workerData: { link, targets, isOver } })
    const outcomes = { sent: 0, private: 0 }
    try {
      for (let tries = 0; tries < 1500; tries++) {
        const sent = await readMedia(pathToFileURL(link).href, 'row').catch(() => undefined)
        if (sent === undefined) continue
        if (Buffer.from(sent.toString().split(',')[1] ?? '', 'base64').includes('private')) outcomes.private++
        else outcomes.sent++
      }
    } finally {
      Atomics.store(isOver, 0, 1)
      await worker.terminate()
    }
    expect(outcomes.private).toBe(0)
    expect(outcomes.sent).toBeGreaterThan(0)
  },
)

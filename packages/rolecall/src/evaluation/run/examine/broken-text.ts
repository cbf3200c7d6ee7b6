/** What UTF-8 bytes become when they are read as Windows-1252: continuation bytes, and those that are not punctuation of real texts. */
const continuation = '\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const unusual = '\u0080-\u009F\u00A1-\u00AA\u00AC-\u00BA\u00BC-\u00BF€ƒˆ‰Š‹ŒŽ˜™š›œžŸ†‡•'

const broken = new RegExp(
  [
    // The replacement character, and what is left of it when it is read as GBK.
    '\uFFFD',
    '锟斤',
    '[\u0080-\u009F]',
    // é as Ã©, the no-break space and ° as Â and themselves, quotation marks as â€œ.
    '[ÃÂ][\u00A0-\u00BF]',
    'â€',
    // Other scripts: 你 as ä½\u00A0.
    `[\u00E0-\u00EF](?:[${continuation}][${unusual}]|[${unusual}][${continuation}])`,
  ].join('|'),
)

/**
 * The place where a text shows that it was decoded with the wrong encoding; -1 if there is none.
 *
 * @example
 * [brokenAt('cafÃ©'), brokenAt('café')] // => [3, -1]
 */
export function brokenAt(text: string): number {
  return text.search(broken)
}

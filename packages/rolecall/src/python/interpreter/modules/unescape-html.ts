/** Characters 160 to 255, whose names may lack the semicolon. */
const latin =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1
ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH
Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig
ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml
yacute thorn yuml`.split(/\s/)

/** By name: those that may lack the semicolon, as in old pages. */
const bare = new Map([
  ...latin.map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...Object.entries({ amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"', COPY: '\u00a9', REG: '\u00ae' }),
])

/** The punctuation and signs of HTML 4, which need the semicolon. */
const closed = new Map(
  Object.entries({
    ...{ apos: "'", ndash: '\u2013', mdash: '\u2014', lsquo: '\u2018', rsquo: '\u2019', sbquo: '\u201a', ldquo: '\u201c', rdquo: '\u201d' },
    ...{ bdquo: '\u201e', dagger: '\u2020', Dagger: '\u2021', bull: '\u2022', hellip: '\u2026', permil: '\u2030', prime: '\u2032' },
    ...{
      Prime: '\u2033',
      lsaquo: '\u2039',
      rsaquo: '\u203a',
      euro: '\u20ac',
      trade: '\u2122',
      larr: '\u2190',
      rarr: '\u2192',
      minus: '\u2212',
    },
    ...{ infin: '\u221e', ne: '\u2260', le: '\u2264', ge: '\u2265', ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwnj: '\u200c' },
    ...{
      zwj: '\u200d',
      lrm: '\u200e',
      rlm: '\u200f',
      OElig: '\u0152',
      oelig: '\u0153',
      Scaron: '\u0160',
      scaron: '\u0161',
      Yuml: '\u0178',
    },
  }),
)

/** The characters 128 to 159 of Windows. Node's decoder of windows-1252 has those of Latin-1. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Python's `html.unescape`, for the names of HTML 4's Latin letters, punctuation and signs; other names stay as they are.
 *
 * @example
 * unescapeHtml('caf&eacute; &#8211; &lt3') // => 'café – <3'
 */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d+);?|#[xX]([\da-fA-F]+);?|([^\t\n\f <&#;]{1,32};?))/g,
    (whole, decimal?: string, hex?: string, name?: string) =>
      name === undefined ? characterOf(Number.parseInt(decimal ?? hex!, decimal === undefined ? 16 : 10)) : (named(name) ?? whole),
  )
}

function named(name: string): string | undefined {
  const found = name.endsWith(';') ? (bare.get(name.slice(0, -1)) ?? closed.get(name.slice(0, -1))) : bare.get(name)
  if (found !== undefined) return found
  for (let length = name.length - 1; length > 1; length--) {
    const start = bare.get(name.slice(0, length))
    if (start !== undefined) return start + name.slice(length)
  }
  return undefined
}

/** Numbers of Windows' characters mean these; those that are no characters become U+FFFD, and control characters nothing. */
function characterOf(code: number): string {
  if (code === 0x0d) return '\r'
  if (code >= 0x80 && code <= 0x9f) return windows[code - 0x80]!
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  const isControl = code < 9 || code === 0x0b || (code >= 0x0e && code < 0x20) || code === 0x7f
  return isControl || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe ? '' : String.fromCodePoint(code)
}

import { alteredLetters, lookAlikes } from './confusables'

const latinOf = new Map(
  [lookAlikes, alteredLetters]
    .flatMap((table) => Object.entries(table))
    .flatMap(([latin, alike]) => [...alike].map((sign) => [sign, latin])),
)

/** Of UTS 39's look-alikes, those that normalization makes another sign than the one they look like. */
const seenOf: ReadonlyMap<string, string> = new Map([
  ['ϲ', 'c'],
  ['Ϲ', 'c'],
  ['˛', 'i'],
  ['ͺ', 'i'],
  ['￨', 'l'],
])

/** A trademark, which normalization would make two letters of the word before it. */
const trademarks = /[™℠]|ᵀᴹ|ˢᴹ/gu

/** NFKC, but for the signs that it would make others than a reader sees. */
export function asSeen(text: string): string {
  return Array.from(text.replaceAll(trademarks, ' '), (sign) => seenOf.get(sign) ?? sign)
    .join('')
    .normalize('NFKC')
}

/**
 * What a text looks like to a reader who is in a hurry: two texts with one skeleton can be taken for each other. UTS 39,
 * section 4, without regard to case and accents, so that `I`, `l` and `1` are one sign; `handle_skeleton` of the database
 * does the same to handles, which have ASCII only.
 */
export function skeletonOf(text: string): string {
  return toLatin(text).replaceAll(/[1i|]/g, 'l').replaceAll('0', 'o').replaceAll('m', 'rn')
}

/** The small Latin letters that the letters of a text look like, without accents. */
export function toLatin(text: string): string {
  const plain = asSeen(text).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...plain]
    .map((sign) => latinOf.get(sign) ?? sign)
    .join('')
    .toLowerCase()
}

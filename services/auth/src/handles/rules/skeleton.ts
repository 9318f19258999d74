import { alteredLetters, lookAlikes } from './confusables'

const latinOf = new Map(
  [lookAlikes, alteredLetters]
    .flatMap((table) => Object.entries(table))
    .flatMap(([latin, alike]) => [...alike].map((sign) => [sign, latin])),
)

/** Look-alikes of UTS 39 that normalization would turn into a different-looking character. */
const seenOf: ReadonlyMap<string, string> = new Map([
  ['ϲ', 'c'],
  ['Ϲ', 'c'],
  ['˛', 'i'],
  ['ͺ', 'i'],
  ['￨', 'l'],
])

/** A trademark sign, which normalization would turn into two letters. */
const trademarks = /[™℠]|ᵀᴹ|ˢᴹ/gu

/** NFKC, except for characters that it would turn into different-looking ones. */
export function asSeen(text: string): string {
  return Array.from(text.replaceAll(trademarks, ' '), (sign) => seenOf.get(sign) ?? sign)
    .join('')
    .normalize('NFKC')
}

/**
 * The skeleton of a text: texts with the same skeleton look alike to a hurried reader. UTS 39, section 4, ignoring
 * case and accents, so that `I`, `l` and `1` are equal; `handle_skeleton` of the database does the same for handles,
 * which are ASCII.
 */
export function skeletonOf(text: string): string {
  return toLatin(text).replaceAll(/[1i|]/g, 'l').replaceAll('0', 'o').replaceAll('m', 'rn')
}

/** The lower-case Latin letters that a text's letters look like, without accents. */
export function toLatin(text: string): string {
  const plain = asSeen(text).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...plain]
    .map((sign) => latinOf.get(sign) ?? sign)
    .join('')
    .toLowerCase()
}

import { asSeen, skeletonOf, toLatin } from './skeleton'

/** The ways in which a hurried reader may read a name. */
export const readingsOf = (name: string): string[] => [name, inHurry(name), withoutSigns(name)]

/**
 * A name with look-alike digits and signs read as letters, as in `5afaricom` or `M-P€SA`. By UTS 39 these signs do not
 * look alike, so handles that differ in them are different. This reading is only used to find known names.
 */
function inHurry(name: string): string {
  return Array.from(asSeen(name), (sign) => letterOf.get(sign) ?? sign).join('')
}

/** A name without the signs between its letters and the digits after its words, as in `M|PESA` and `MTN1`. */
function withoutSigns(name: string): string {
  return asSeen(name)
    .replaceAll(/\p{S}/gu, ' ')
    .replaceAll(/(?<=\p{L})[0-9]+(?!\p{L})/gu, '')
}

const letterOf: ReadonlyMap<string, string> = new Map([
  ...pairs('3456789$@€£+', 'easgtbgsaelt'),
  // Unicode normalization leaves small capitals unchanged, and the letters below: negative circled, negative squared,
  // and regional indicators (flags).
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'),
  ...[0x1_f150, 0x1_f170, 0x1_f1e6].flatMap((first) => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
    return letters.map((letter, index): [string, string] => [
      String.fromCodePoint(first + index),
      letter,
    ])
  }),
])

function pairs(signs: string, letters: string): [string, string][] {
  return Array.from(signs, (sign, index) => [sign, letters[index] ?? ''])
}

/** The words of a name. Single letters form one word: `K.C.B`. Digits at the ends are dropped: `mtn256`. */
export function wordsOf(name: string): string[] {
  return asSeen(name)
    .replaceAll(
      /(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}])[^\p{L}\p{N}]+(?=[\p{L}\p{N}](?:$|[^\p{L}\p{N}]))/gu,
      '',
    )
    .split(/[^\p{L}\p{N}\p{M}\p{S}]+/u)
    .map((word) => word.replace(/^[0-9]+(?=\p{L})/u, '').replace(/(?<=\p{L})[2-9][0-9]*$/u, ''))
    .filter((word) => word !== '')
}

/**
 * The phonetic skeleton of a text: double letters become one, `c` and `q` become `k`, `z` becomes `s`, `y` becomes
 * `i`.
 */
export function soundOf(text: string): string {
  return skeletonOf(
    toLatin(text)
      .replaceAll(/(\p{L})\1+/gu, '$1')
      .replaceAll(/[cq]/g, 'k')
      .replaceAll('z', 's')
      .replaceAll('y', 'i'),
  )
}

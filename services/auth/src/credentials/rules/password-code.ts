/** How long a code for a new password can be used, and how many tries end it. */
export const passwordCodeMinutes = 60
export const passwordCodeTriesMax = 5

/** The number of random bytes that a code is made of, five bits of each: 60 bits. */
export const passwordCodeBytes = 12

/** Digits and capitals without I, L, O and U, so that a code can be read out on the phone. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Writes random bytes as a code: `7K2M-9QXD-4TPA`. */
export function writePasswordCode(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => signs.charAt(byte % signs.length)).join('')
  return text.match(/.{4}/g)?.join('-') ?? text
}

/** A code as its digest takes it, however it was typed: capitals and digits only. */
export function readPasswordCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}

/**
 * Whether a text has characters that a reader cannot see and that change what he sees: controls, halves of characters,
 * and the marks that turn the reading direction, with which one name can be made to look like another.
 */
export function hasUnseenCharacters(text: string): boolean {
  return unseen.test(text)
}

/** The same for a text of several lines. */
export function hasUnseenBesideNewLines(text: string): boolean {
  return unseen.test(text.replaceAll('\n', ''))
}

const unseen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** An address that a page may link to, or show a picture from: https, and one that every parser reads alike. */
export function isPlainHttps(url: string): boolean {
  return /^https:\/\/[^\s@\\]+$/.test(url) && url.length <= 2_048 && URL.canParse(url)
}

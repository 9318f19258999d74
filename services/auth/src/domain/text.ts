/**
 * Whether a text has characters that a reader cannot see and that change what he sees: controls, halves of characters,
 * the marks that turn the reading direction, and whatever else Unicode shows as nothing, with which one name can be made
 * to look like another, or like none.
 */
export function hasUnseenCharacters(text: string): boolean {
  return unseen.test(text) || strayJoiner.test(text)
}

/** The same for a text of several lines. */
export function hasUnseenBesideNewLines(text: string): boolean {
  return text.split('\n').some(hasUnseenCharacters)
}

/** Joiners and the marks that choose between two shapes of a character are seen by what they do; U+2800 is blank Braille. */
const unseen =
  /[\p{Cc}\p{Cs}\u2028\u2029\u2800]|(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u

/** Joiners stand between characters of scripts that join, and between emoji; anywhere else they do nothing. */
const strayJoiner =
  /(?:^|[\p{ASCII}\p{Script=Latin}\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?:$|[\p{ASCII}\p{Script=Latin}])/u

/** An address that a page may link to, or show a picture from: https, and one that every parser reads alike. */
export function isPlainHttps(url: string): boolean {
  return /^https:\/\/[^\s@\\]+$/.test(url) && url.length <= 2_048 && URL.canParse(url)
}

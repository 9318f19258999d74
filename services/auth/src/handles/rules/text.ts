/**
 * Whether a text has invisible characters that change what a reader sees: controls, unpaired surrogates, direction
 * marks, and others that Unicode shows as nothing. With these, one name can imitate another or look empty.
 */
export function hasUnseenCharacters(text: string): boolean {
  return unseen.test(text) || strayJoiner.test(text)
}

export function hasUnseenBesideNewLines(text: string): boolean {
  return text.split('\n').some(hasUnseenCharacters)
}

/** Joiners and variation selectors have a visible effect; U+2800 is a blank Braille pattern. */
const unseen =
  /[\p{Cc}\p{Cs}\u2028\u2029\u2800]|(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u

/** Joiners belong between characters of joining scripts and between emoji; elsewhere they are invisible. */
const strayJoiner =
  /(?:^|[\p{ASCII}\p{Script=Latin}\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?:$|[\p{ASCII}\p{Script=Latin}])/u

/** Whether a page may link to an address or show a picture from it: https, and parsed the same way by every parser. */
export function isPlainHttps(url: string): boolean {
  return /^https:\/\/[^\s@\\]+$/.test(url) && url.length <= 2_048 && URL.canParse(url)
}

/**
 * Whether a name mixes scripts that no language combines, such as Latin and Cyrillic: the level "highly restrictive"
 * of UTS 39, section 5.2, for the scripts that people write names in.
 */
export function mixesScripts(name: string): boolean {
  const letters = [...name.normalize('NFKC')].filter((sign) => /\p{L}/u.test(sign))
  return letters.some((letter) => !anyScript.test(letter))
    ? letters.some((letter) => /\p{Script=Latin}/u.test(letter))
    : !together.some((scripts) => letters.every((letter) => scripts.test(letter)))
}

const alone = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cherokee',
    'Coptic',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
  ],
  ...[
    'Greek',
    'Gujarati',
    'Gurmukhi',
    'Hebrew',
    'Kannada',
    'Khmer',
    'Lao',
    'Lisu',
    'Malayalam',
    'Mongolian',
  ],
  ...[
    'Myanmar',
    'Nko',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thai',
    'Tibetan',
    'Tifinagh',
    'Vai',
  ],
]

/** The sets of scripts that one name may combine. */
const together = [
  ['Latin'],
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...alone.map((script) => [script]),
].map(signsOf)

const anyScript = signsOf(['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', ...alone])

function signsOf(scripts: readonly string[]): RegExp {
  return new RegExp(`[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`, 'u')
}

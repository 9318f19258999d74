import {
  commonNames,
  commonVowelSlipsRefused,
  distinctNames,
  honestParts,
  honestWords,
  services,
  shortNames,
  slipsBeforeBankRefused,
  slipsRefused,
  vowelSlipsRefused,
} from './known-names'
import { readingsOf, soundOf, wordsOf } from './name-reading'
import { skeletonOf } from './skeleton'

/**
 * The known name that a text can be mistaken for, of a provider, a bank, an authority or Malipo; undefined if none.
 * Payers read names before they type a PIN.
 */
export function nameImpersonatedBy(name: string): string | undefined {
  return firstOf(readingsOf(name), (reading) => {
    const words = wordsOf(reading).map((word) => (isHonestWord(word) ? ' ' : word))
    return firstOf(searches, (search) => search(words))
  })
}

const honestSkeletons = new Set(honestWords.map(skeletonOf))
const isHonestWord = (word: string) => honestSkeletons.has(skeletonOf(word))

type Sense = (text: string) => string
/** Finds a known name in a text, or in its words. */
type Search<In> = (text: In) => string | undefined

function firstOf<In>(all: readonly In[], search: Search<In>): string | undefined {
  for (const each of all) {
    const found = search(each)
    if (found !== undefined) return found
  }
  return undefined
}

/** Consecutive words of a name, joined, and its other words. */
interface Run {
  readonly joined: string
  readonly others: readonly string[]
}

function runsOf(words: readonly string[]): Run[] {
  return words.flatMap((_, start) =>
    words.slice(start).map((_, more) => {
      const end = start + more + 1
      return {
        joined: words.slice(start, end).join(''),
        others: [...words.slice(0, start), ...words.slice(end)],
      }
    }),
  )
}

/** Finds names in one reading of a text, by one pattern for all. `around` adds what may stand beside a name. */
function searchFor(
  names: readonly string[],
  sense: Sense,
  around: (anyName: string) => string,
): Search<string> {
  const nameOf = new Map(names.map((name) => [sense(lettersOf(name)), name]))
  const pattern = new RegExp(around(`(${[...nameOf.keys()].join('|')})`))
  return (text) => nameOf.get(pattern.exec(text)?.[1] ?? '')
}

const lettersOf = (name: string) => name.replaceAll(/[ -]/g, '')
const servicesBy = (sense: Sense) => `(?:${services.map(sense).join('|')})*`

/**
 * Whether a name is also searched in the middle of words. Shorter names occur there by chance, as in `hairtelling`, so
 * they are only searched at the beginning and the end of words.
 */
const isSoughtInside = (name: string) => lettersOf(name).length >= 7 || name === 'M-Pesa'

function distinctNameBy(sense: Sense): Search<readonly string[]> {
  const served = servicesBy(sense)
  const atEnds = distinctNames.filter((name) => !isSoughtInside(name))
  const ofRun = searchFor(distinctNames, sense, (name) => `^${name}${served}$`)
  const ofWord = [
    searchFor(distinctNames.filter(isSoughtInside), sense, (name) => name),
    searchFor(atEnds, sense, (name) => `^${served}${name}`),
    searchFor(atEnds, sense, (name) => `${name}${served}$`),
  ]
  const honest = new RegExp(honestParts.map(sense).join('|'), 'g')
  return (words) => {
    const sensed = words.map(sense)
    const plain = sensed.map((word) => word.replaceAll(honest, ' '))
    return (
      firstOf(runsOf(sensed), ({ joined }) => ofRun(joined)) ??
      firstOf(ofWord, (search) => firstOf(plain, search))
    )
  }
}

function shortName(): Search<readonly string[]> {
  const served = servicesBy(skeletonOf)
  const ofWord = searchFor(shortNames, skeletonOf, (name) => `^${name}${served}$`)
  return (words) => {
    const sensed = words.map(skeletonOf)
    return firstOf([sensed.join(''), ...sensed], ofWord)
  }
}

/**
 * Whether a name is also refused when it is joined to a service word. Three letters and a service word can form other
 * words: SHA and `ke` form `shake`.
 */
const isJoinedToServices = (name: string) => lettersOf(name).length > 3

function commonName(): Search<readonly string[]> {
  const served = servicesBy(soundOf)
  const isService = new RegExp(`^${served}$`)
  const joinable = commonNames.filter(isJoinedToServices)
  const ofJoined = searchFor(joinable, soundOf, (name) => `^${name}${served}$`)
  const ofRun = searchFor(commonNames, soundOf, (name) => `^${name}$`)
  return (words) => {
    const sensed = words.map(soundOf)
    return (
      ofJoined(sensed.join('')) ??
      firstOf(runsOf(sensed), ({ joined, others }) =>
        others.every((word) => isService.test(word)) ? ofRun(joined) : undefined,
      )
    )
  }
}

type SlipsAt = (letters: readonly string[], at: number) => readonly string[]

/** A name with one typo between its first and last letter, then `tail` and service words, in skeletons. */
function slipPattern(name: string, slipsAt: SlipsAt, tail = ''): RegExp {
  const letters = Array.from(lettersOf(name), skeletonOf)
  const inner = letters.slice(1, -1).map((_, index) => index + 1)
  const slips = inner.flatMap((at) => slipsAt(letters, at)).join('|')
  return new RegExp(`^(?:${slips})${tail}${servicesBy(skeletonOf)}$`)
}

function slippedName(name: string, pattern: RegExp): Search<readonly string[]> {
  return (words) =>
    runsOf(words.map(skeletonOf)).some(({ joined }) => pattern.test(joined)) ? name : undefined
}

function slippedCommonName(name: string, pattern: RegExp): Search<readonly string[]> {
  return (words) => (pattern.test(words.map(skeletonOf).join('')) ? name : undefined)
}

const spliced = (letters: readonly string[], at: number, removed: number, ...added: string[]) =>
  letters.toSpliced(at, removed, ...added).join('')

function swapAt(letters: readonly string[], at: number): string[] {
  const [here = '', next = ''] = letters.slice(at, at + 2)
  return at + 2 < letters.length ? [spliced(letters, at, 2, next, here)] : []
}

/** `m` becomes two letters in a skeleton. */
const anyLetter = '(?:rn|[a-z])'

const anySlipAt = (letters: readonly string[], at: number) => [
  ...swapAt(letters, at),
  spliced(letters, at, 1),
  spliced(letters, at, 1, anyLetter),
  spliced(letters, at, 0, anyLetter),
  spliced(letters, at + 1, 0, anyLetter),
]

/** `i` and `y` become `l` in a skeleton. */
const anyVowel = '[aeoul]'
const vowelSlipAt = (letters: readonly string[], at: number) => [
  ...swapAt(letters, at),
  ...(new RegExp(anyVowel).test(letters[at] ?? '') ? [spliced(letters, at, 1, anyVowel)] : []),
]

const searches: readonly Search<readonly string[]>[] = [
  distinctNameBy(skeletonOf),
  distinctNameBy(soundOf),
  ...slipsRefused.map((name) => slippedName(name, slipPattern(name, anySlipAt))),
  ...slipsBeforeBankRefused.map((name) =>
    slippedName(`${name} Bank`, slipPattern(name, anySlipAt, 'bank')),
  ),
  ...vowelSlipsRefused.map((name) => slippedName(name, slipPattern(name, vowelSlipAt))),
  ...commonVowelSlipsRefused.map((name) => slippedCommonName(name, slipPattern(name, vowelSlipAt))),
  shortName(),
  commonName(),
]

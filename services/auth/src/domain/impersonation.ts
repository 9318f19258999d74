import { skeletonOf } from './skeleton'

/**
 * Whether a name has the name of a provider, a bank or Malipo in it, written in whatever way looks like it. Payers read
 * names before they type a PIN.
 */
export function namesProviderOrBank(name: string): boolean {
  return [name, inHurry(name), withoutSigns(name)].some((reading) => {
    const words = wordsOf(reading)
    const joined = words.join('')
    return (
      unmistakable.some((brand) => joined.includes(brand)) ||
      [joined, ...words].some((word) => asWord.test(word))
    )
  })
}

/**
 * A name with the digits and signs that a hurried reader takes for letters, as in `5afaricom` or `M-P€SA`. UTS 39 keeps
 * them apart, so they make no two handles alike: they matter only where a known name is written so.
 */
function inHurry(name: string): string {
  return Array.from(name.normalize('NFKC'), (sign) => letterOf.get(sign) ?? sign).join('')
}

/** A name without what stands between its letters and behind its words, as in `M|PESA` and `MTN1`. */
function withoutSigns(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{S}/gu, ' ')
    .replaceAll(/(?<=\p{L})[0-9]+(?!\p{L})/gu, '')
}

const letterOf: ReadonlyMap<string, string> = new Map([
  ...pairs('3456789$@€£+', 'easgtbgsaelt'),
  // Small capitals, and the white letters on black that Unicode decomposes to nothing.
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

/** The sentence for whoever chose such a name. */
export const impersonationRule =
  'has the name of a payment provider or a bank in it; use the name of your own business'

/** Skeletons of the words of a name. Letters that stand alone are one word: `K.C.B`. Digits at an end are left out: `mtn256`. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKC')
    .replaceAll(
      /(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}])[^\p{L}\p{N}]+(?=[\p{L}\p{N}](?:$|[^\p{L}\p{N}]))/gu,
      '',
    )
    .split(/[^\p{L}\p{N}\p{M}\p{S}]+/u)
    .map((word) =>
      skeletonOf(word.replace(/^[0-9]+(?=\p{L})/u, '').replace(/(?<=\p{L})[2-9][0-9]*$/u, '')),
    )
    .filter((word) => word !== '')
}

/** Refused wherever they stand, also inside of a word: no other word has them in it. */
const unmistakable =
  `safaricom lipanampesa mpesa mshwari fuliza mtnmomo mtnuganda mtnkenya mtnmobile airtelmoney airtel
  malipo equitel equitybank kcbbank ncbabank absabank stanbic standardchartered centralbankofkenya bankofuganda
  cooperativebank coopbank familybank primebank nationalbank consolidatedbank dtbbank diamondtrust imbank gulfafricanbank
  bankofafrica ecobank postbank centenarybank dfcubank housingfinancebank equityuganda pesalink vodacom vodafone telkom
  mastercard stanchart iandmbank paypal pesapal flutterwave westernunion moneygram kenyarevenueauthority
  ugandarevenueauthority accessbank abcbank bankofbaroda bankofindia chasebank creditbank developmentbankofkenya eximbank
  firstcommunitybank guaranteetrust guarantytrust guardianbank habibbank kingdombank mayfairbank middleeastbank
  opportunitybank orientbank paramountbank premierbank spirebank tropicalbank victoriacommercialbank zenithbank`
    .split(/\s+/)
    .map(skeletonOf)

const shortNames =
  `mtn momo kcb ncba absa equity dtb sbm uba gtbank hfc sidian kwft faulu dfcu centenary barclays citibank visa tkash
   fincare finca cbk bou kra ura`.split(/\s+/)

/** What makes a short name one of its owner's services, also one behind another: `kcbpay`, `mtnrefundsug`. */
const services =
  `agents agent app bank cards card customer care group help kenya limited ltd mobile money official online payments
  payment pay plc refunds refund services service support uganda ke ug`.split(/\s+/)

/** Refused as a word of their own only: other words have them in them. */
const asWord = new RegExp(`^(?:${anyOf(shortNames)})(?:${anyOf(services)})*$`)

function anyOf(words: readonly string[]): string {
  return words.map(skeletonOf).join('|')
}

import { skeletonOf } from './skeleton'

/**
 * Whether a name has the name of a provider, a bank or Malipo in it, written in whatever way looks like it. Payers read
 * names before they type a PIN.
 */
export function namesProviderOrBank(name: string): boolean {
  const words = wordsOf(name)
  const joined = words.join('')
  return (
    unmistakable.some((brand) => joined.includes(brand)) ||
    [joined, ...words].some((word) => asWord.has(word))
  )
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
  mastercard`
    .split(/\s+/)
    .map(skeletonOf)

/** Refused as a word of their own only: other words have them in them. */
const asWord: ReadonlySet<string> = new Set(
  `mtn momo kcb ncba absa equity dtb sbm uba gtbank hfc sidian kwft faulu dfcu centenary barclays citibank visa tkash
   fincare finca cbk bou kra ura`
    .split(/\s+/)
    .map(skeletonOf),
)

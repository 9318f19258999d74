/**
 * The names that no account and no link may imitate, grouped by how they are matched. A name that is also a common
 * word belongs in the last table: refusing an honest merchant costs more than missing a variant.
 */

/** Refused as words of a name, separate or joined, also with service words around: `Lipa na M-Pesa`, `airtelpay`. */
export const distinctNames = listOf(`
  Safaricom, MTN Momo, MTN Uganda, MTN Kenya, MTN Mobile, M-Pesa, N-Pesa, Mpsea, Mepsa, Empesa, M-Shwari, Fuliza, Bonga Points, Okoa Jahazi, Pochi la Biashara, Hustler
  Fund, Airtel, Aitel, My MTN, Malipo, Vodacom, Vodafone, Telkom, Uganda Telecom, PesaLink, Pesapal, Flutterwave, JamboPay,
  SasaPay, IntaSend, Cellulant, PayPal, Western Union, MoneyGram, Mastercard, Equitel, Equity Bank, Equity Uganda, KCB Bank,
  NCBA Bank, Absa Bank, Stanbic, Standard Chartered, StanChart, Centenary Bank, CenteBank, DFCU Bank, Cooperative Bank, Coop
  Bank, Family Bank, Prime Bank, National Bank, Consolidated Bank, Diamond Trust, I and M Bank, I M Bank, Gulf African Bank,
  Bank of Africa, Ecobank, Postbank, Housing Finance Bank, Access Bank, ABC Bank, Bank of Baroda, Bank of India, Chase Bank,
  Credit Bank, Development Bank of Kenya, Exim Bank, First Community Bank, Guarantee Trust, Guaranty Trust, Guardian Bank,
  Habib Bank, Kingdom Bank, Mayfair Bank, Middle East Bank, Opportunity Bank, Orient Bank, Paramount Bank, Premier Bank,
  Spire Bank, Tropical Bank, Victoria Commercial Bank, Zenith Bank, Central Bank, Bank of Uganda, Benki Kuu, Kenya Revenue
  Authority, Uganda Revenue Authority, Social Health Authority, Communications Authority, eCitizen, Huduma Kenya, SHA Kenya,
  URA Uganda, Kenya Commercial Bank, Commercial Bank of Kenya`)

/**
 * Parts of honest words that form a distinct name with the word before or after them, as in `safaricomfort` and
 * `hotelkomarock`. They are removed before distinct names are searched.
 */
export const honestParts = listOf(
  'comfort, command, communi, company, computer, commerc, telecom, somali, hotel',
)

/** Honest words that begin like the end of a distinct name and end like a service word: `Safari Command`. */
export const honestWords = listOf('command')

/** Refused with one inner letter changed, missing, added or swapped with the next. */
export const slipsRefused = listOf('Safaricom, Equity Bank')

/** Refused with a mistake as in `slipsRefused`, when the word `Bank` follows unchanged. */
export const slipsBeforeBankRefused = listOf('Central, Centenary, Cooperative, Family, National')

/**
 * Shorter names, which are closer to honest words: refused only with an inner vowel changed, or two inner letters
 * swapped.
 */
export const vowelSlipsRefused = listOf('Airtel, Malipo, Stanbic, Equitel')

/** Common names, refused with a mistake as in `vowelSlipsRefused` when only service words follow. */
export const commonVowelSlipsRefused = listOf('Kenya Power')

/** Refused as a separate word, alone or with service words after it, but not inside of other words. */
export const shortNames = listOf(`
  Safaricon, MTN, MTTN, MMTN, MTNN, KCB, NCBA, Absa, DTB, GTBank, Sidian, KWFT, DFCU, Barclays, Citibank, T-Kash, Fincare,
  CBK, KRA, KPLC, NHIF, NSSF, NTSA, HELB, UEDCL, NWSC, KCCA, URSB`)

/** Names that honest merchants have too, or common words: refused when only service words stand beside them. */
export const commonNames = listOf(`
  Equity, UBA, SBM, Faulu, Finca, Momo, Visa, Centenary, HFC, BoU, URA, SHA, Umeme, Kenya Power, Nairobi Water, National
  Water, Kenya Revenue, Uganda Revenue, Mobile Money, Customer Care, Kenya Police, Uganda Police, Government of Kenya,
  Government of Uganda, Kenya Commercial, Pay Bill, Security Team`)

/** Words that turn a known name into one of its services. */
export const services = listOf(`
  account, accounts, agency, agent, agents, airtime, and, app, authority, bank, bill, bills, bonus, bundles, by, card,
  cards, care, cash, center, centre, corporation, company, customer, department, deposit, desk, for, from, get, group, help,
  helpdesk, helpline, in, kampala, ke, kenya, lighting, limited, lipa, loan, loans, ltd, mobile, money, my, na, nairobi,
  now, of, office, official, online, pay, paybill, payment, payments, plc, power, prepaid, promo, promotion, refund,
  refunds, registration, reversal, reversals, rewards, secure, security, sewerage, service, services, support, team, the,
  till, to, token, tokens, ug, uganda, verification, verify, via, wallet, with, withdraw, ya, yaka, your`)

function listOf(names: string): readonly string[] {
  return names.split(',').map((name) => name.trim().replaceAll(/\s+/g, ' '))
}

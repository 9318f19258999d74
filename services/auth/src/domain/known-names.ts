/**
 * The names that no account and no link may pass for, by how they are looked for. A name that is also a common word
 * belongs into the last table: refusing an honest merchant costs more than missing a variant.
 */

/** Refused as words of a name, apart or run together, also with `services` around: `Lipa na M-Pesa`, `airtelpay`. */
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

/** Parts of honest words that make a distinct name with what stands beside them: `safaricomfort`, `hotelkomarock`. */
export const honestParts = listOf(
  'comfort, command, communi, company, computer, commerc, telecom, somali, hotel',
)

/** Honest words that begin as the end of a distinct name and end as a service: `Safari Command`. */
export const honestWords = listOf('command')

/** Refused with one inner letter changed, lost, added or swapped with the next. */
export const slipsRefused = listOf('Safaricom, Equity Bank')

/** The same of their own letters, where `Bank` stands behind them unchanged. */
export const slipsBeforeBankRefused = listOf('Central, Centenary, Cooperative, Family, National')

/** Shorter, so closer to honest words: refused with an inner vowel changed, or two inner letters swapped. */
export const vowelSlipsRefused = listOf('Airtel, Malipo, Stanbic, Equitel')

/** Common names that are refused with such a slip, where a name has nothing behind them but `services`. */
export const commonVowelSlipsRefused = listOf('Kenya Power')

/** Refused as a word of their own, also with `services` behind: other words have them in them. */
export const shortNames = listOf(`
  Safaricon, MTN, MTTN, MMTN, MTNN, KCB, NCBA, Absa, DTB, GTBank, Sidian, KWFT, DFCU, Barclays, Citibank, T-Kash, Fincare,
  CBK, KRA, KPLC, NHIF, NSSF, NTSA, HELB, UEDCL, NWSC, KCCA, URSB`)

/** Names of others and common words too: refused where a name has nothing beside them but `services`. */
export const commonNames = listOf(`
  Equity, UBA, SBM, Faulu, Finca, Momo, Visa, Centenary, HFC, BoU, URA, SHA, Umeme, Kenya Power, Nairobi Water, National
  Water, Kenya Revenue, Uganda Revenue, Mobile Money, Customer Care, Kenya Police, Uganda Police, Government of Kenya,
  Government of Uganda, Kenya Commercial, Pay Bill, Security Team`)

/** What makes a name one of its owner's services. */
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

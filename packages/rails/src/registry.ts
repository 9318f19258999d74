import type { CountryRules, MobileRail, Rail as RailName } from '@malipo/kernel/countries'
import { z } from 'zod'
import { openAirtelMoney } from './airtel-money/client'
import { readAirtelMoney } from './airtel-money/inbound'
import { readAirtelRefund } from './airtel-money/refund'
import { type AirtelMoneySettings, airtelMoneyVariables } from './airtel-money/settings'
import { openCard } from './card/client'
import { readCard } from './card/inbound'
import { readCardRefund } from './card/refund-answer'
import { type CardSettings, cardVariables } from './card/settings'
import { openMpesa } from './mpesa/client'
import { readMpesa } from './mpesa/inbound'
import { readPayBill } from './mpesa/pay-bill'
import { readMpesaRefund } from './mpesa/refund'
import { type MpesaSettings, mpesaVariables } from './mpesa/settings'
import { openMtnMomo } from './mtn-momo/client'
import { readMtnMomo } from './mtn-momo/inbound'
import { type MtnMomoSettings, mtnMomoVariables } from './mtn-momo/settings'
import type { CardRail, Rail, RailWiring, Reader } from './rail'

/** Lists every rail. A new rail takes a folder and a line in each of the tables below. */

export interface RailSettings {
  readonly mpesa?: MpesaSettings | undefined
  readonly mtnMomo?: MtnMomoSettings | undefined
  readonly airtelMoney?: AirtelMoneySettings | undefined
  readonly card?: CardSettings | undefined
}

/** Reads the environment variables of all rails. A rail with none of its variables set is off. */
export const railVariables = z.preprocess(
  (environment: unknown) => ({
    mpesa: presentOf(mpesaVariables.names, environment),
    mtnMomo: presentOf(mtnMomoVariables.names, environment),
    airtelMoney: presentOf(airtelMoneyVariables.names, environment),
    card: presentOf(cardVariables.names, environment),
  }),
  z.object({
    mpesa: mpesaVariables.schema.optional(),
    mtnMomo: mtnMomoVariables.schema.optional(),
    airtelMoney: airtelMoneyVariables.schema.optional(),
    card: cardVariables.schema.optional(),
  }),
)

/** Opens the rails of mobile money whose settings are set. */
export function openRails(
  settings: RailSettings,
  rules: CountryRules,
  wiring: RailWiring,
): ReadonlyMap<RailName, Rail> {
  const rails = new Map<MobileRail, Rail>()
  const { mpesa, mtnMomo, airtelMoney } = settings
  if (mpesa !== undefined) rails.set('mpesa', openMpesa(mpesa, wiring))
  if (mtnMomo !== undefined) rails.set('mtn_momo', openMtnMomo(mtnMomo, wiring))
  if (airtelMoney !== undefined)
    rails.set('airtel_money', openAirtelMoney(airtelMoney, rules, wiring))
  return rails
}

/** Opens the rail of cards; undefined where its settings are not set. */
export function openCardRail({ card }: RailSettings, wiring: RailWiring): CardRail | undefined {
  return card === undefined ? undefined : openCard(card, wiring)
}

/** The readers of messages, by rail. They need no settings, so messages of a rail that is now off are still read. */
export const readers: Partial<Record<RailName, Reader>> = {
  mpesa: readMpesa,
  paybill: readPayBill,
  mtn_momo: readMtnMomo,
  airtel_money: readAirtelMoney,
  card: readCard,
}

/** The readers of messages about refunds. Only M-PESA's verdict is a callback; the others read query answers alone. */
export const refundReaders: Partial<Record<RailName, Reader>> = {
  mpesa: readMpesaRefund,
  airtel_money: readAirtelRefund,
  card: readCardRefund,
}

/** The variables of one rail that are set, or undefined when none is. An empty value counts as not set. */
function presentOf(names: readonly string[], environment: unknown): object | undefined {
  const read = (environment ?? {}) as Readonly<Record<string, unknown>>
  const present = names
    .map((name) => [name, read[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
  return present.length === 0 ? undefined : Object.fromEntries(present)
}

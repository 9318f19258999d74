import type { Understood, WireCall } from '../rules/rail'
import { credentialsOf, headerText } from '../wire-call'
import { refuse } from './errors'
import { type Market, markets } from './settings'
import type { AirtelMoney } from './state'

/** Every call but the token call must have a token, and name a country of the application and its currency. */
export function understandAuthorised(
  airtel: AirtelMoney,
  call: WireCall,
  understand: (market: Market) => Understood,
): Understood {
  const token = credentialsOf(call, 'Bearer') ?? ''
  if (airtel.tokens.holderOf(token) === undefined) return refuse('invalid_token')
  const country = headerText(call, 'x-country')
  const currency = headerText(call, 'x-currency')
  if (country === '' || currency === '') return refuse('missing_header')
  const market = markets.find((one) => one.country === country)
  if (market === undefined) return refuse('wrong_country')
  return currency === market.currency ? understand(market) : refuse('wrong_currency')
}

/** A payment by v2 must have a signature that fits its body, or none where signing is not required. */
export function understandSigned(
  { settings, keys }: AirtelMoney,
  call: WireCall,
  understand: () => Understood,
): Understood {
  const signature = headerText(call, 'x-signature')
  const encryptedKey = headerText(call, 'x-key')
  if (signature === '' && encryptedKey === '' && !settings.messageSigning) return understand()
  if (signature === '' || encryptedKey === '') return refuse('missing_header')
  return keys.hasSigned(call.body, signature, encryptedKey)
    ? understand()
    : refuse('wrong_signature')
}

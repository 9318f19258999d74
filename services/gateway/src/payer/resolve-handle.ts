import type { ResolvedHandleView } from '@malipo/interface/handle'
import { readHandle } from '@malipo/interface/profile'
import type { Country } from '@malipo/kernel/countries'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import type { HandlePayee } from './load-payee'
import { ratePolicies } from '../limits/rate-policies'
import { payBillOfHandle } from './menu-and-return'

/** `GET /v1/payments/public/handles/{handle}`: the payee, and how this host collects. */
export function resolveHandle(options: Gateway): Operation {
  const { limitAddress, loadPayee } = options
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    await limitAddress(request, response, ratePolicies.resolve)
    return succeed(200, 'Handle resolved', show(await loadPayee(handle), options))
  }
}

const countryCodeOf = { ke: 'KE', ug: 'UG' } as const satisfies Record<Country, string>

function show(
  payee: HandlePayee,
  { rules, businessNumberOf }: Pick<Gateway, 'rules' | 'businessNumberOf'>,
): ResolvedHandleView {
  const identity = {
    name: payee.handle,
    username: payee.username,
    title: payee.title ?? null,
    display_name: payee.displayName,
    profile_image_url: payee.profileImageUrl ?? null,
    home_country: countryCodeOf[payee.homeCountry],
  }
  if (!payee.isServedHere) return { ...identity, ...nothingHere }
  return {
    ...identity,
    amount: payee.suggestedMinor === undefined ? null : String(payee.suggestedMinor),
    served_here: true,
    currency: rules.currency,
    rail: rules.mobileRails[0],
    min: String(rules.minMinor),
    max: String(rules.maxMinor),
    paybill: payBillOfHandle(payee.handle, businessNumberOf(payee.cell)) ?? null,
    accepting: payee.isAccepting,
  }
}

/** The client should ask the host of the wallet's country. */
const nothingHere = {
  amount: null,
  served_here: false,
  currency: null,
  rail: null,
  min: null,
  max: null,
  paybill: null,
  accepting: false,
} as const

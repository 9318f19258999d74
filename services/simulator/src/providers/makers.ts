import type { Config } from '../config'
import type { Session } from '../sessions/rules/session'
import { tokenOffice } from './rules/tokens'
import { airtelMoneyRail } from './airtel-money/airtel-money'
import type { AirtelMoneySettings } from './airtel-money/settings'
import { keyOffice } from './airtel-money/signing-keys'
import { tokensKept as airtelTokensKept } from './airtel-money/state'
import { cardRail } from './card/card'
import type { CardSettings } from './card/state'
import { darajaRail } from './mpesa/daraja'
import { openOperatorKey } from './mpesa/operator-key'
import type { MpesaSettings } from './mpesa/settings'
import { tokensKept as mpesaTokensKept, type Registration } from './mpesa/state'
import { mtnMomoRail } from './mtn-momo/mtn-momo'
import type { MtnMomoSettings } from './mtn-momo/settings'
import { tokensKept as mtnTokensKept, type TokenHolder } from './mtn-momo/state'
import type { RailMaker } from '../sessions/simulation-host'

/** Every provider that is simulated. A new one is a folder, and a line here. */
export function railMakersOf(config: Config): readonly RailMaker[] {
  const { mpesa, mtnMomo, airtelMoney, card } = config
  return [
    mpesaMaker(mpesa),
    ...(mtnMomo ? [mtnMomoMaker(mtnMomo)] : []),
    ...(airtelMoney ? [airtelMoneyMaker(airtelMoney)] : []),
    ...(card ? [cardMaker(card)] : []),
  ]
}

function mpesaMaker(settings: MpesaSettings): RailMaker {
  const openTokens = tokenOffice<true>(mpesaTokensKept)
  const operatorKey = openOperatorKey()
  const registrations = new WeakMap<Session, Registration>()
  let atHome: Registration | undefined
  const registrationOf = (session: Session): Registration => {
    const registration = registrations.get(session) ?? registrationBeside(atHome)
    registrations.set(session, registration)
    if (session.isHome) atHome = registration
    return registration
  }
  return (world, deliver) =>
    darajaRail(settings, {
      world,
      deliver,
      registration: registrationOf(world.session),
      tokens: openTokens(world),
      operatorKey,
    })
}

/** The registered addresses of a session. A number without an address there has those of the home session. */
function registrationBeside(home: Registration | undefined): Registration {
  const own: Registration = new Map()
  return {
    get: (business) => own.get(business) ?? home?.get(business),
    set: (business, urls) => own.set(business, urls),
  }
}

function cardMaker(settings: CardSettings): RailMaker {
  return (world, deliver) => cardRail(settings, world, deliver)
}

function mtnMomoMaker(settings: MtnMomoSettings): RailMaker {
  const openTokens = tokenOffice<TokenHolder>(mtnTokensKept)
  const openNewTokens = tokenOffice<TokenHolder>(mtnTokensKept)
  return (world, deliver) => {
    const tokens = openTokens(world)
    return mtnMomoRail(settings, { world, deliver, tokens, newTokens: openNewTokens(world) })
  }
}

function airtelMoneyMaker(settings: AirtelMoneySettings): RailMaker {
  const openTokens = tokenOffice<true>(airtelTokensKept)
  const openKeys = keyOffice()
  return (world, deliver) => {
    const tokens = openTokens(world)
    return airtelMoneyRail(settings, { world, deliver, tokens, keys: openKeys(world) })
  }
}

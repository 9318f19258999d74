import { jsonAnswer, type Operation, type WireCall } from '../rules/rail'
import type { Phone } from '../../phones/rules/phone'
import { understandAuthorised } from './gate'
import { isWallet } from './request-to-pay'
import { refuse } from './errors'
import { scriptOf } from './sandbox-numbers'
import type { MtnMomo, Party, Product } from './state'

/** `GET /{product}/v1_0/accountholder/{type}/{id}/active`: whether a party has an account that works. */
export function findHolderOperation(mtn: MtnMomo, product: Product): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `/${product}/v1_0/accountholder/{type}/{id}/active`,
    understand: (call) =>
      understandAuthorised(mtn, call, product, () => {
        const party = partyIn(call)
        if (party === undefined) return refuse('bad_request')
        const phone = walletOf(mtn, party)
        const result = phone ? phone.simState !== 'locked' : scriptOf(party) !== undefined
        return {
          kind: 'understood',
          facets: phone ? { msisdn: phone.msisdn } : {},
          perform: () => ({ answer: jsonAnswer(200, { result }) }),
        }
      }),
  }
}

/** Clients write the type in either case. */
function partyIn({ params }: WireCall): Party | undefined {
  const partyIdType = params['type']?.toUpperCase()
  const partyId = params['id'] ?? ''
  return partyIdType === 'MSISDN' || partyIdType === 'EMAIL' ? { partyIdType, partyId } : undefined
}

export function walletOf(mtn: MtnMomo, { partyId }: Pick<Party, 'partyId'>): Phone | undefined {
  const phone = mtn.world.phones.find(partyId)
  return isWallet(phone) ? phone : undefined
}

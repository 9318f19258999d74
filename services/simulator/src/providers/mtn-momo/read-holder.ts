import { jsonAnswer, type Operation } from '../rules/rail'
import { walletOf } from './find-holder'
import { understandAuthorised } from './gate'
import { refuse } from './errors'
import type { MtnMomo, Product } from './state'

/** `GET /{product}/v1_0/accountholder/msisdn/{id}/basicuserinfo`: the name of the owner of a number. */
export function readHolderOperation(mtn: MtnMomo, product: Product): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `/${product}/v1_0/accountholder/msisdn/{id}/basicuserinfo`,
    understand: (call) =>
      understandAuthorised(mtn, call, product, () => {
        const phone = walletOf(mtn, { partyId: call.params['id'] ?? '' })
        if (phone === undefined) return refuse('not_found')
        const [given_name = '', ...others] = phone.name.split(' ')
        const info = {
          given_name,
          family_name: others.join(' '),
          birthdate: '1990-01-01',
          locale: 'en_UG',
          gender: 'FEMALE',
        }
        return {
          kind: 'understood',
          facets: { msisdn: phone.msisdn },
          perform: () => ({ answer: jsonAnswer(200, info) }),
        }
      }),
  }
}

import { jsonAnswer, type Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import { refuse } from './errors'
import type { AirtelMoney } from './state'

/** `GET /standard/v1/users/{msisdn}`: whether a number has an account, and in whose name. */
export function readUserOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: '/standard/v1/users/{msisdn}',
    understand: (call) =>
      understandAuthorised(airtel, call, ({ callingCode }) => {
        // Clients send the number with and without its country code.
        const msisdn =
          callingCode + (call.params['msisdn'] ?? '').replace(new RegExp(`^${callingCode}`), '')
        const phone = airtel.world.phones.find(msisdn)
        if (phone?.network !== 'airtel' || phone.simState === 'not_registered') {
          return refuse('no_user')
        }
        const [first = '', ...last] = phone.name.split(' ')
        const data = {
          first_name: first,
          grade: 'SUBS',
          is_barred: phone.simState === 'locked',
          is_pin_set: true,
          last_name: last.join(' '),
          msisdn: `${msisdn.slice(3, 5)}****${msisdn.slice(-2)}`,
          registration: { status: 'SUBS' },
        }
        const status = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: true }
        return {
          kind: 'understood',
          facets: { msisdn },
          perform: () => ({ answer: jsonAnswer(200, { data, status }) }),
        }
      }),
  }
}

import { jsonAnswer, type Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import type { AirtelMoney } from './state'

/** Uganda and Kenya keep UTC+3 the whole year. */
const eastAfricaMs = 3 * 3_600_000

/** `GET /v1/rsa/encryption-keys`: the key that messages of v2 are signed with (providers.md 10.3). */
export function readKeyOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'token',
    method: 'GET',
    path: '/v1/rsa/encryption-keys',
    understand: (call) =>
      understandAuthorised(airtel, call, (market) => ({
        kind: 'understood',
        facets: { business: market.business },
        perform: () => ({ answer: answerOf(airtel) }),
      })),
  }
}

function answerOf({ world, keys }: AirtelMoney) {
  const { id, publicKey, lifeMs } = keys.current()
  return jsonAnswer(200, {
    data: { key_id: id, key: publicKey, valid_upto: shown(world.wallNow() + lifeMs) },
    status: {
      code: '200',
      message: 'Success',
      result_code: 'ESB000010',
      response_code: 'DP02010001001',
      success: true,
    },
  })
}

/** `12-08-2024 21:29:26`. */
function shown(ms: number): string {
  const [date = '', time = ''] = new Date(ms + eastAfricaMs).toISOString().slice(0, 19).split('T')
  return `${date.split('-').reverse().join('-')} ${time}`
}

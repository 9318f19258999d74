import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, joan } from './airtel-money.harness'

const sim = ofTest(() => startSimulator())
const airtel = airtelClient(sim)

test.each([joan, joan.slice(3)])(
  'returns the first name and the masked number of the phone %s, in the recorded shape',
  async (msisdn) => {
    const sample = recorded('airtel-money', 'user-answer')
    const { status, body } = await airtel.read(`/standard/v1/users/${msisdn}`)
    expect([status, body.status]).toEqual([sample.status, sample.body.status])
    expect(Object.keys(body.data)).toEqual(Object.keys(sample.body.data))
    expect(body.data).toMatchObject({ first_name: 'Joan', msisdn: '75****56', is_barred: false })
  },
)

test.each(['752999999', '772123456', 'not-a-number'])(
  'does not find an account of %s',
  async (msisdn) => {
    const answer = await airtel.read(`/standard/v1/users/${msisdn}`)
    expect(answer).toMatchObject(recorded('airtel-money', 'user-error-failed'))
  },
)

import { z } from 'zod'
import { networkOf, type NewPhone } from './rules/phone'
import { phonesMax } from './rules/phone-registry'
import { controlRoute, refusal } from '../control-api/control-route'
import {
  minorShape,
  msisdnShape,
  networkShape,
  pinShape,
  policyShape,
  shownPhone,
  simStateShape,
} from '../control-api/shapes'
import { showPhone } from '../control-api/show'

const bodyShape = z
  .strictObject({
    msisdn: msisdnShape,
    name: z.string().min(1).max(60).default('New phone'),
    balance: minorShape.prefault('10000000'),
    pin: pinShape.default('1234'),
    /** By default the network of the number's prefix. */
    network: networkShape.optional(),
    sim_state: simStateShape.default('on'),
    policy: policyShape.prefault({ answer: 'ask' }),
    /** Consecutive numbers: a load test needs thousands of payers, one for each open prompt. */
    count: z.int().min(1).max(phonesMax).default(1),
  })
  .refine(({ msisdn, count }) => String(BigInt(msisdn) + BigInt(count - 1)).length <= 15, {
    path: ['count'],
    message: 'the last of these numbers has more than 15 digits',
  })

export const addPhones = controlRoute({
  method: 'post',
  path: '/phones',
  summary: 'Adds a phone, or `count` phones with consecutive numbers; answers the first',
  body: bodyShape,
  success: { status: 201, shape: shownPhone },
  answer(host, { body }) {
    const { world } = host.current()
    const phones = phonesOf(body)
    if (world.phones.size() + phones.length > phonesMax) return refusal(409, 'phones_full')
    if (phones.some(({ msisdn }) => world.phones.find(msisdn))) return refusal(409, 'phone_exists')
    for (const phone of phones) world.phones.add(phone)
    world.events.append('phone_changed', { msisdn: body.msisdn, added: phones.length })
    const first = world.phones.find(body.msisdn)
    return { status: 201, body: first && showPhone(first, world.time.now()) }
  },
})

function phonesOf(body: z.output<typeof bodyShape>): readonly NewPhone[] {
  const { msisdn, balance, sim_state: simState, count, network, ...others } = body
  const first = BigInt(msisdn)
  return Array.from({ length: count }, (_, index) => ({
    ...others,
    simState,
    network: network ?? networkOf(msisdn),
    balanceMinor: balance,
    msisdn: String(first + BigInt(index)),
  }))
}

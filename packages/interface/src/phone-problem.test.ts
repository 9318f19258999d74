import { countries } from '@malipo/kernel/countries'
import { phoneProblem } from './phone-problem'

const { ke, ug } = countries
const withoutAirtel = { ...ke, mobileRails: ['mpesa'] } as const

test.each([
  ['020 234 5678, of Nairobi', '254202345678', { kind: 'landline' }],
  ['041 234 5678, of Mombasa', '254412345678', { kind: 'landline' }],
  ['0800 720 000', '254800720000', { kind: 'service_number' }],
  ['0900 123 456', '254900123456', { kind: 'service_number' }],
  ['0772 123 456', '254772123456', { kind: 'other_network', network: 'Telkom' }],
  ['0764 123 456', '254764123456', { kind: 'other_network', network: 'Equitel' }],
  ['0747 123 456', '254747123456', { kind: 'other_network', network: 'Faiba' }],
])('names what stands against a prompt in Kenya: %s', (_, phone, problem) => {
  expect(phoneProblem(phone, ke)).toMatchObject(problem)
})

test.each(['254733123456', '254755123456', '254101123456'])(
  'Airtel stands against a prompt to %s in Kenya where Airtel Money is off, and nothing where it is on',
  (phone) => {
    expect(phoneProblem(phone, withoutAirtel)).toMatchObject({
      kind: 'other_network',
      network: 'Airtel',
    })
    expect(phoneProblem(phone, ke)).toBeUndefined()
  },
)

test.each([
  ['0414 123 456, of Kampala', '256414123456', { kind: 'landline' }],
  ['0800 123 456', '256800123456', { kind: 'service_number' }],
  ['0712 123 456', '256712123456', { kind: 'other_network', network: 'Uganda Telecom' }],
  ['0726 123 456', '256726123456', { kind: 'other_network', network: 'Lycamobile' }],
])('names what stands against a prompt in Uganda: %s', (_, phone, problem) => {
  expect(phoneProblem(phone, ug)).toMatchObject(problem)
})

test.each(['70', '71', '72', '740', '745', '748', '757', '768', '79', '110', '119'])(
  'leaves Safaricom numbers alone: 0%s',
  (begins) => {
    expect(phoneProblem(`254${begins.padEnd(9, '5')}`, ke)).toBeUndefined()
  },
)

test.each(['76', '77', '78', '39', '70', '74', '75'])(
  'leaves MTN and Airtel numbers of Uganda alone: 0%s',
  (begins) => {
    expect(phoneProblem(`256${begins.padEnd(9, '5')}`, ug)).toBeUndefined()
  },
)

test.each(['720', '724', '728'])(
  'leaves ranges of Uganda whose network no source settles to the provider: 0%s',
  (begins) => {
    expect(phoneProblem(`256${begins.padEnd(9, '5')}`, ug)).toBeUndefined()
  },
)

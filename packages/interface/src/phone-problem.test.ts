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
])('names the reason why a phone of Kenya gets no prompt: %s (%s) is %j', (_, phone, problem) => {
  expect(phoneProblem(phone, ke)).toMatchObject(problem)
})

test.each(['254733123456', '254755123456', '254101123456'])(
  'names the network Airtel as the reason for no prompt to %s in Kenya only where Airtel Money is off',
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
])('names the reason why a phone of Uganda gets no prompt: %s (%s) is %j', (_, phone, problem) => {
  expect(phoneProblem(phone, ug)).toMatchObject(problem)
})

test.each(['70', '71', '72', '740', '745', '748', '757', '768', '79', '110', '119'])(
  'finds no problem with a Safaricom number that begins with 0%s',
  (begins) => {
    expect(phoneProblem(`254${begins.padEnd(9, '5')}`, ke)).toBeUndefined()
  },
)

test.each(['76', '77', '78', '39', '70', '74', '75'])(
  'finds no problem with an MTN or Airtel number of Uganda that begins with 0%s',
  (begins) => {
    expect(phoneProblem(`256${begins.padEnd(9, '5')}`, ug)).toBeUndefined()
  },
)

test.each(['720', '724', '728'])(
  'finds no problem with a number in 0%s, a range of Uganda whose network no source settles',
  (begins) => {
    expect(phoneProblem(`256${begins.padEnd(9, '5')}`, ug)).toBeUndefined()
  },
)

import { present } from '../../payments.harness'
import { ledgerCallers } from '../../methods'
import {
  digestsOfRecordings,
  frozenDigests,
  readExchanges,
  withoutAddedFields,
  withoutAdmitted,
  withoutReportsOf,
} from './exchanges.harness'
import { main, playScenarios, scenarios } from './record.harness'
import type { Played } from './recording.harness'

/** Each caller that was admitted to a method since the recordings were frozen. */
const admittedSince = { 'worker-ke': ['readCheckout'] }

let played: Readonly<Record<string, Played>>

beforeAll(async () => {
  played = await playScenarios()
})

test.each(scenarios.map(({ name }) => name))('the ledger answers as recorded: %s', (name) => {
  const recorded = readExchanges(name)
  const { exchanges, broken, failure } = present(played[name])
  expect([broken, failure]).toEqual([{}, undefined])
  const expected = withoutAdmitted(recorded, admittedSince)
  const answered = withoutReportsOf('airtel_money', exchanges)
  expect(withoutAddedFields(answered, expected)).toEqual(expected)
})

test('the recordings are the ones that were frozen', () => {
  expect(digestsOfRecordings()).toEqual(frozenDigests())
})

test('every method that existed at the time of the recordings has a recorded answer and a recorded refusal', () => {
  const recorded = scenarios.flatMap(({ name }) => readExchanges(name)) as readonly {
    readonly method?: string
    readonly response?: unknown
    readonly note?: string
    readonly seen?: Readonly<Record<string, Readonly<Record<string, number>>>>
  }[]
  const refusals = recorded.find(({ note }) => note?.startsWith('grpc status'))?.seen ?? {}
  const refused = Object.values(refusals).flatMap((codes) => Object.keys(codes))
  const answered = recorded.flatMap(({ method, response }) =>
    method === undefined || response === undefined ? [] : [method],
  )
  const methods = [...new Set(refused)].sort()
  expect([...new Set(answered)].sort()).toEqual(methods)
  expect(methods.every((method) => Object.hasOwn(ledgerCallers('ke'), method))).toBe(true)
  expect(Object.values(refusals).flatMap((codes) => Object.values(codes))).not.toContain(0)
})

test('npm run record prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run record/)
  stdout.mockRestore()
})

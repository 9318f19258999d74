import { useNock } from '../nock.harness'
import nock from 'nock'
import { openMpesa } from './client'
import { readMpesa } from './inbound'
import { lastRow, recorded } from './recorded.harness'
import { baseUrl, settings } from './sandbox-settings.harness'

const startMs = Date.parse('2026-11-20T14:25:01+03:00')
const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(startMs) }
const events: string[] = []

useNock()

beforeEach(() => {
  events.length = 0
  const { status, body } = recorded('token-answer-number-lifetime')
  nock(baseUrl).get('/oauth/v1/generate?grant_type=client_credentials').reply(status, body)
})

/** Searches the recorded statement for the attempt, with `word` in it replaced by `other`. */
function findWhere(word: string, other: string) {
  const text = recorded('pull-query-answer').body.toString()
  const at = nock(baseUrl)
  at.post('/pulltransactions/v1/query').reply(200, text.replaceAll(word, other))
  const wiring = {
    now: () => startMs,
    wait: () => Promise.resolve(),
    takeTurn: () => Promise.resolve(0),
    countEvent: (name: string) => events.push(name),
  }
  return openMpesa(settings, wiring).findInStatement(search)
}

test('corrects the time of the found row when East African Time was written with a Z', async () => {
  const found = await findWhere('T11:25:25Z', 'T14:25:25Z')
  const [body] = found.kind === 'answered' ? found.bodies : []
  expect(readMpesa('statement_row', body ?? Buffer.of())).toMatchObject({
    receipt: 'UKK1RT61SV',
    paidAt: new Date('2026-11-20T11:25:25Z'),
  })
  expect(events).toEqual(['statement_clock'])
})

test('does not find an outgoing row as a payment, although it names the attempt', async () => {
  nock(baseUrl)
    .post('/pulltransactions/v1/query', ({ OffSetValue }: { OffSetValue: string }) => {
      return OffSetValue === '2'
    })
    .reply(200, lastRow())
  const found = await findWhere('c2b-pay-bill-debit', 'reversal')
  expect(found).toEqual({ kind: 'answered', bodies: [] })
})

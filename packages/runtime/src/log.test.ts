import { openLog } from './log'
import { continueTrace, withTrace } from './telemetry'

/** The one line that is logged. */
function lineOf(fields: object): string {
  const lines: string[] = []
  const log = openLog('test', 'info', { write: (line) => lines.push(line) })
  withTrace(continueTrace({ requestId: 'request-1' }), () => {
    log.error(fields, 'it happened')
  })
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

test('a line says when, which service, which request and what', () => {
  expect(JSON.parse(lineOf({ route: 'get /' }))).toEqual({
    level: 'error',
    time: expect.stringMatching(/^2\d{3}-.*Z$/),
    service: 'test',
    requestId: 'request-1',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    route: 'get /',
    msg: 'it happened',
  })
})

test.each(['authorization', 'secretKey', 'pin', 'password', 'phone', 'sessionToken'])(
  'what is called %s is printed at no depth',
  (name) => {
    const secret = { [name]: 'tell nobody' }
    for (const fields of [secret, { request: secret }, { request: { body: secret } }]) {
      expect(lineOf(fields)).toContain('[redacted]')
      expect(lineOf(fields)).not.toContain('tell nobody')
    }
  },
)

test('the row that Postgres refused is not printed with the refusal', () => {
  const detail = 'Failing row contains (acc_1, 254712345678).'
  const cause = { originalCode: '23514', constraint: 'phone_shape', detail }
  const ofPg = Object.assign(new Error('violates check constraint'), { code: '23514', detail })
  const ofPrisma = Object.assign(new Error('failed'), { meta: { driverAdapterError: { cause } } })
  for (const error of [ofPg, ofPrisma]) {
    const line = lineOf({ error })
    expect(line).toContain('23514')
    expect(line).not.toContain('254712345678')
  }
})

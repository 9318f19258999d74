import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

const sim = ofTest(() => startSimulator())

const generate = async (fields: object = {}) =>
  sim.wire('POST', '/mpesa/qrcode/v1/generate', {
    token: await sim.token(),
    body: JSON.stringify({ ...fixture('qr-request').body, ...fields }),
  })
const scan = (picture: unknown) => sim.control('POST', `/phones/${amina}/scan`, { picture })

test('draws a code, and a phone that scans it pays what it says', async () => {
  const { status, body } = await generate()
  expect(status).toBe(200)
  expect(shapeOf(body)).toEqual(shapeOf(fixture('qr-answer').body))
  const png = Buffer.from(String(body.QRCode), 'base64')
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual([
    'PNG',
    png.readUInt32BE(20),
  ])
  const paid = await scan(body.QRCode)
  expect(paid.status).toBe(200)
  expect((await sim.control('GET', '/book')).body).toMatchObject([
    { receipt: paid.body.receipt, business: '174379', account: 'CS12345674', amount: '50000' },
  ])
})

test.each([
  ['MerchantName', { MerchantName: '' }],
  ['RefNo', { RefNo: '' }],
  ['Amount', { Amount: 'free' }],
  ['TrxCode', { TrxCode: 'SM' }],
  ['CPI', { CPI: '1' }],
])('refuses a code with a bad %s', async (field, fields) => {
  expect(await generate(fields)).toMatchObject({
    status: 400,
    body: { errorMessage: `Bad Request - Invalid ${field}` },
  })
})

test.each(['MerchantName', 'RefNo'])(
  'refuses a %s that no code can hold, and goes on serving',
  async (field) => {
    const { status, body } = await generate({ [field]: 'é'.repeat(1_500) })
    expect([status, body.errorMessage]).toEqual([400, `Bad Request - Invalid ${field}`])
    expect((await sim.control('GET', '/meta')).status).toBe(200)
  },
)

test('draws the longest texts that it takes', async () => {
  const longest = 'x'.repeat(1_400)
  const fields = { MerchantName: longest, RefNo: longest, Amount: '9999999999999.99' }
  expect((await generate(fields)).status).toBe(200)
})

test('refuses a picture that it has not drawn', async () => {
  expect(await scan(Buffer.from('a photo').toString('base64'))).toMatchObject({
    status: 404,
    body: { error: 'code_not_found' },
  })
})

test('draws nothing without a token', async () => {
  const { status } = await sim.wire('POST', '/mpesa/qrcode/v1/generate', { body: '{}' })
  expect(status).toBe(404)
})

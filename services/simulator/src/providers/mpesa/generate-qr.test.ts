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

import { ofFile } from '@malipo/testing/lazily'
import { startHost } from '../start.harness'

const host = ofFile(() => startHost())

test('serves a QR code of the page’s address, different for each page', async () => {
  const pictureOf = async (digit: string) => {
    const { status, headers, text } = await host.ask(`/c/cs_ke_${digit.repeat(24)}/qr.svg`)
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(text).toMatch(/^<svg /)
    return text
  }
  expect(await pictureOf('1')).toBe(await pictureOf('1'))
  expect(await pictureOf('1')).not.toBe(await pictureOf('2'))
})

test('serves a QR code for the page of a handle too', async () => {
  const { status, text } = await host.ask('/p/Mama-Mboga/qr.svg')
  expect(status).toBe(200)
  expect(text).toMatch(/^<svg /)
})

test('returns 400 for an id that has not the form of one', async () => {
  expect((await host.ask('/c/nonsense/qr.svg')).status).toBe(400)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anyPhone, openShop } from './open-shop.harness'

test('a payer has no phone that ends as a magic number does', () => {
  const phones = Array.from({ length: 1_000 }, () => anyPhone())
  expect(phones.filter((phone) => !/^25472\d{4}[1-9]\d\d$/.test(phone))).toEqual([])
})

test('a payment that does not start fails with the answer of the host', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"ok":false,"code":2752}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const shop = openShop(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  const failed = await shop.startPayment('cs_ke_1').catch(String)
  server.close()
  expect(failed).toBe('Error: No payment of cs_ke_1 started: 503 {"ok":false,"code":2752}')
})

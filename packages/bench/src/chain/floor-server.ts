import type { AddressInfo } from 'node:net'
import express from 'express'

const body = { data: { id: 'cs_0', status: 'open', amount: '50000', currency: 'KES' } }

/**
 * Serves bare express, with which the ratios compare our services: GET returns an object, and POST returns the object
 * of its body. Prints its port.
 */
export function main(): Promise<number> {
  const app = express()
  app.get('/floor', (_request, response) => {
    response.json(body)
  })
  app.post('/floor', express.json(), (request, response) => {
    response.status(201).json({ data: request.body as unknown })
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`)
  })
  return new Promise((resolve) => {
    process.once('SIGTERM', () => {
      server.closeAllConnections()
      server.close(() => {
        resolve(0)
      })
    })
  })
}

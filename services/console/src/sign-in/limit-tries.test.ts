import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { systemClock } from '@malipo/runtime/clock'
import { openLimitTries } from './limit-tries'

const request = new IncomingMessage(new Socket())

test('counts the addresses of one IPv6 subscriber together', () => {
  const addresses = Array.from({ length: 31 }, (_, host) => `2001:db8:0:1::${host.toString(16)}`)
  const clientAddress = () => addresses.pop() ?? '2001:db8:0:2::1'
  const limitTries = openLimitTries({ clock: systemClock, clientAddress }, 'sign-in')
  for (let tries = 0; tries < 30; tries += 1) limitTries(request)
  expect(() => {
    limitTries(request)
  }).toThrow('rate_limited')
  limitTries(request)
})

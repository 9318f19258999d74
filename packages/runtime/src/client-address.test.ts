import { addressGroup, openClientAddress } from './client-address'
import { openNetworks } from './networks'

const clientAddress = openClientAddress(openNetworks(['10.0.0.0/8', '::1']))
const from = (remoteAddress: string, forwarded?: string) =>
  clientAddress({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })

test.each([
  ['a client without a proxy is itself', '203.0.113.9', undefined, '203.0.113.9'],
  [
    'a client without a proxy that forges the header is itself',
    '203.0.113.9',
    '198.51.100.1',
    '203.0.113.9',
  ],
  ['a client behind our proxy is what the proxy saw', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'what a client forged left of that does not count',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'a chain of our proxies is walked',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1, 10.0.0.2',
    '198.51.100.1',
  ],
  [
    'one who forges an address of ours is still seen',
    '10.0.0.1',
    '10.9.9.9, 198.51.100.1',
    '198.51.100.1',
  ],
  ['our proxies among themselves are the nearest one', '10.0.0.1', '10.0.0.2', '10.0.0.1'],
  ['a proxy of ours without the header is itself', '10.0.0.1', undefined, '10.0.0.1'],
  ['our proxy on an IPv6 socket is our proxy', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
])('%s', (_, peer, forwarded, expected) => {
  expect(from(peer, forwarded)).toBe(expected)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('counts %s as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

import { addressGroup, openClientAddress } from './client-address'
import { notableEvents } from './metrics'
import { openNetworks } from './networks'

const clientAddress = openClientAddress(openNetworks(['10.0.0.0/8', '::1']))
const from = (remoteAddress: string, forwarded?: string) =>
  clientAddress({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })

test.each([
  ['returns the peer that is no proxy of ours', '203.0.113.9', undefined, '203.0.113.9'],
  [
    'returns the peer that is no proxy of ours, whatever header it forges',
    '203.0.113.9',
    '198.51.100.1',
    '203.0.113.9',
  ],
  ['returns the entry that our proxy wrote', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'ignores what a client forged left of the entry of our proxy',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'returns the entry left of a chain of our proxies',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1, 10.0.0.2',
    '198.51.100.1',
  ],
  [
    'returns the address of a client that forges one of our proxies left of it',
    '10.0.0.1',
    '10.9.9.9, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'returns the nearest proxy when every entry is one of our proxies',
    '10.0.0.1',
    '10.0.0.2',
    '10.0.0.1',
  ],
  ['returns the proxy of ours that sends no header', '10.0.0.1', undefined, '10.0.0.1'],
  ['knows our proxy on an IPv6 socket', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['leaves out a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['leaves out brackets and a port', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['leaves out brackets without a port', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  [
    'reads IPv4 within brackets of IPv6 as IPv4',
    '10.0.0.1',
    '[::ffff:198.51.100.1]:80',
    '198.51.100.1',
  ],
  [
    'reads no port from an IPv6 address without brackets',
    '10.0.0.1',
    '2001:db8::1:443',
    '2001:db8::1:443',
  ],
  [
    'passes over a proxy of ours that is written with a port',
    '10.0.0.1',
    '198.51.100.1, 10.0.0.2:8080, [::1]:443',
    '198.51.100.1',
  ],
  ['returns the nearest proxy for an entry that is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['returns the nearest proxy for an empty header', '10.0.0.1', '', '10.0.0.1'],
  [
    'returns the hop right of an entry that is no address',
    '10.0.0.1',
    '198.51.100.1, unknown, 10.0.0.3, 10.0.0.2',
    '10.0.0.3',
  ],
  [
    'ignores an entry that is no address left of the right-most one',
    '10.0.0.1',
    'x, 1.1.1.1',
    '1.1.1.1',
  ],
])('%s', (_, peer, forwarded, expected) => {
  expect(from(peer, forwarded)).toBe(expected)
})

const counted = async (name: string) => {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === name)?.value ?? 0
}

test('counts, as a notable event, an X-Forwarded-For entry that is no address', async () => {
  const before = await counted('forwarded_for_unreadable')
  from('10.0.0.1', '198.51.100.1:port')
  from('10.0.0.1', '198.51.100.1')
  expect(await counted('forwarded_for_unreadable')).toBe(before + 1)
})

test('counts a forwarded request as hidden only when every hop is a proxy of ours', async () => {
  const before = await counted('client_address_hidden')
  from('10.0.0.1', '10.0.0.2, 10.0.0.3')
  expect(await counted('client_address_hidden')).toBe(before + 1)
  from('10.0.0.1', '10.0.0.2, 198.51.100.1')
  from('10.0.0.1')
  from('203.0.113.9', '10.0.0.2')
  expect(await counted('client_address_hidden')).toBe(before + 1)
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
])('the address group of %s is %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

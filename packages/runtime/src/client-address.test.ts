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
  ['a port is left out', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['brackets and a port are left out', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['brackets without a port are left out', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['IPv4 in brackets of IPv6 is IPv4', '10.0.0.1', '[::ffff:198.51.100.1]:80', '198.51.100.1'],
  [
    'an IPv6 address without brackets has no port',
    '10.0.0.1',
    '2001:db8::1:443',
    '2001:db8::1:443',
  ],
  [
    'a proxy of ours that is written with a port is passed over',
    '10.0.0.1',
    '198.51.100.1, 10.0.0.2:8080, [::1]:443',
    '198.51.100.1',
  ],
  ['no address is the nearest proxy', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['nothing is the nearest proxy', '10.0.0.1', '', '10.0.0.1'],
  [
    'no address ends the walk at the hop before',
    '10.0.0.1',
    '198.51.100.1, unknown, 10.0.0.3, 10.0.0.2',
    '10.0.0.3',
  ],
  ['what a client forged left of its address ends nothing', '10.0.0.1', 'x, 1.1.1.1', '1.1.1.1'],
])('%s', (_, peer, forwarded, expected) => {
  expect(from(peer, forwarded)).toBe(expected)
})

const counted = async (name: string) => {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === name)?.value ?? 0
}

test('counts an entry that is no address', async () => {
  const before = await counted('forwarded_for_unreadable')
  from('10.0.0.1', '198.51.100.1:port')
  from('10.0.0.1', '198.51.100.1')
  expect(await counted('forwarded_for_unreadable')).toBe(before + 1)
})

test('counts a forwarded request whose every hop is ours, whatever its client wrote', async () => {
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
])('counts %s as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

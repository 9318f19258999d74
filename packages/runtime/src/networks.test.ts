import { isNetwork, openNetworks, plainAddress } from './networks'

const networks = openNetworks(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::1'])

test.each(['10.1.0.1', '10.1.255.255', '192.0.2.7', '2001:db8:ffff::1', '::1', '::ffff:10.1.2.3'])(
  'contains %s',
  (address) => {
    expect(networks.has(address)).toBe(true)
  },
)

test.each([
  '10.2.0.1',
  '192.0.2.8',
  '2001:db9::1',
  '::2',
  '',
  'unknown',
  '10.1.0',
  '10.1.0.1, 10.1.0.2',
])('does not contain %j', (address) => {
  expect(networks.has(address)).toBe(false)
})

test.each(['10.0.0.1', '0.0.0.0/0', '10.0.0.0/08', '::/0', 'fe80::1/64'])(
  '%s is a network',
  (entry) => {
    expect(isNetwork(entry)).toBe(true)
  },
)

test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '::/129', '10.0.0.0/8/8'])(
  '%j is no network, and opening it throws',
  (entry) => {
    expect(isNetwork(entry)).toBe(false)
    expect(() => openNetworks([entry])).toThrow(RangeError)
  },
)

test('an empty list matches no address', () => {
  expect(openNetworks([]).has('127.0.0.1')).toBe(false)
})

test('treats an IPv4 caller on an IPv6 socket as IPv4', () => {
  expect(plainAddress('::FFFF:10.0.0.1')).toBe('10.0.0.1')
  expect(plainAddress('::1')).toBe('::1')
})

test.each(['the first time', 'again'])(
  'tells a member from a non-member, when looked up %s',
  () => {
    expect(networks.has('10.1.0.9')).toBe(true)
    expect(networks.has('10.2.0.9')).toBe(false)
  },
)

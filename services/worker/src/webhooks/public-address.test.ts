import { isLoopbackAddress, isPublicAddress } from './public-address'

test.each([
  ...['8.8.8.8', '41.90.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '223.255.255.255'],
  ...['2606:4700::1111', '2c0f:fe38::1', '::ffff:8.8.8.8'],
])('accepts %s as public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '198.18.0.1'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b::a00:1', '2002:7f00:1::', '2001:0:7f00:1::', '3fff::1'],
  ...['', 'shop.example', '127.0.0.1:80'],
])('rejects %s as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('recognises 127.0.0.0/8 and ::1 as loopback', () => {
  const addresses = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '128.0.0.1', '10.0.0.1']
  expect(addresses.map(isLoopbackAddress)).toEqual([true, true, true, true, false, false])
})

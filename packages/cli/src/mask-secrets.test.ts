import { maskSecrets } from './mask-secrets'

test('shortens a key to the part that the hub shows, and removes a signing secret whole', () => {
  const text = `mkp_live_${'A'.repeat(48)}Z234, mkp_test_AB, mkp_test_…, whsec_AbC+/9= and cs_ke_0`
  const masked = 'mkp_live_…Z234, mkp_test_…, mkp_test_…, whsec_… and cs_ke_0'
  expect(maskSecrets(text)).toBe(masked)
  expect(maskSecrets(masked)).toBe(masked)
})

import { nameImpersonatedBy } from './impersonation'
import { honestNames, impersonatingHandles, impersonatingNames } from './names.harness'
import { mixesScripts } from './scripts'

test.each([...impersonatingNames, ...impersonatingHandles])(
  '%s reads like a provider, a bank, an authority or us',
  (name) => {
    expect(nameImpersonatedBy(name)).toEqual(expect.any(String))
  },
)

test.each(honestNames)('does not mistake the honest name %s for a known name', (name) => {
  expect(nameImpersonatedBy(name)).toBeUndefined()
})

test.each(['Mаma', 'Safarіcom', 'Ελενα Shop', 'Шоp'])(
  'rejects %s, which mixes alphabets',
  (name) => {
    expect(mixesScripts(name)).toBe(true)
  },
)

test.each(['Mama Mboga', 'Chez Élodie', 'Шоп 7', '東京 Coffee', 'ኢትዮጵያ', '☕ 24/7', '한국 Mart'])(
  'accepts the alphabets of %s',
  (name) => {
    expect(mixesScripts(name)).toBe(false)
  },
)
